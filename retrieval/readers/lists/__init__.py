"""Lists, and what they are: things with their facts, labels with values, names alone, or links to other places."""
