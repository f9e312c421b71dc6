"""Collections that survive: chunks and vectors in a vault, and beside it an index that can always be built again."""
