"""Check that a cell answers: each word is accounted for, nothing around the cell contradicts it, no doubt is left."""
