"""Text and its words: one normal form, numbers, identifiers, and the vocabularies of domains."""
