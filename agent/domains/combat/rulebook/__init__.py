"""What the book says of those who fight, read fact by fact for a side, each with its citation."""
