"""Tables and records: their names, their cells, and looking a cell up by names and keys."""
