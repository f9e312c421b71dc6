"""Tables row by row: rows that words of a question choose, and alternatives that have a line each in one table."""
