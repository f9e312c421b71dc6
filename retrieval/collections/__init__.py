"""Collections by name, wherever they are: opened, several as one, inspected, mended."""
