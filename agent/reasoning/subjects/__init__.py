"""Entities that a question names: find the cell with the answer, by words or by embedding similarity."""
