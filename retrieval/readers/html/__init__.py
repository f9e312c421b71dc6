"""HTML as a tree, and its tables as grids: of cells, records, boxes or definitions."""
