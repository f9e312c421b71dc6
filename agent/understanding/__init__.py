"""What a question says: its words, names, numbers, measures and what it wants done with them."""
