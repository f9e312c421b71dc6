"""Whoever a question names: the cell that says what is asked of them, by its words or as the nearest to them."""
