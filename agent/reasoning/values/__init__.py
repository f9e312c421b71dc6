"""What the text of a cell is worth: numbers, dates, dice and ranges, and how such values are compared."""
