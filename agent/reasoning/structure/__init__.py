"""Questions that the structure of a collection answers: bound to its cells, then executed."""
