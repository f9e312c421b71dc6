"""Members that a question selects: the best of a kind, those under a condition, those like or beyond another."""
