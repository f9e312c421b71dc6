"""Where tables, records and lists have the numbers that a sentence ties to their rows and labels."""
