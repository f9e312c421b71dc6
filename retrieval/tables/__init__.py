"""What tables and records say: names, cells, and the reading of one from the other."""
