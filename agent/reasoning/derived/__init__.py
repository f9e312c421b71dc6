"""Questions whose answer is computed from the answers of plainer ones."""
