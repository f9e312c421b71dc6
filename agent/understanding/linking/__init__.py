"""Link a question to the names of a collection: its subjects, and the words and numbers that select a value."""
