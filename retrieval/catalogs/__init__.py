"""The contents of a collection: its names, kinds and shapes."""
