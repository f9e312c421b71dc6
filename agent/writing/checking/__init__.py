"""Check that each sentence of an answer is supported by its citations, by a finding or by the question."""
