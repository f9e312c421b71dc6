"""The words of a text: as tokens, as what a thesaurus knows of them, and as names that a book has."""
