"""Whether a cell is the answer: each word accounted for, nothing around the cell against it, no doubt left."""
