"""Check the numbers of a sentence against the cells of tables, records and lists that it names by row and label."""
