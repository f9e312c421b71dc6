"""Labels with their values, wherever they are written: in a line, an item, a heading, a stat block or a cell."""
