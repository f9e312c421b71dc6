"""A question linked to the names of a collection: whose values are asked for, by which words and numbers."""
