"""Contradictions: the source gives a number to another row, label, entity, year or direction than the sentence does."""
