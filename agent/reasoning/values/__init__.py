"""Parse the text of cells: numbers, dates, dice and ranges, and compare such values."""
