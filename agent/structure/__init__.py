"""Questions that the structure of a collection answers: linked to its names, bound to its cells, then executed."""
