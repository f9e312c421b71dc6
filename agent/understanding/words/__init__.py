"""The words of a text: their tokens, their entries in a thesaurus, and the names of a collection among them."""
