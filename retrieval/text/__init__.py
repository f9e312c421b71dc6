"""Text and its words: one normal form, numbers, identifiers, and the vocabularies that domains bring."""
