"""Durable collections: chunks and vectors in a vault, with an index that can always be rebuilt."""
