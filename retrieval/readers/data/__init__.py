"""Pure data files: CSV, chunk files, and compressed files."""
