"""Tables by their rows: those that words of a question choose, and names that stand side by side in one table."""
