"""Select members of a kind: the best, those that meet a condition, those like or beyond another member."""
