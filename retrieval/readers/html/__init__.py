"""HTML as a tree, and its tables as grids, whatever they lay out: cells, records, boxes or definitions."""
