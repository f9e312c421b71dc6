"""The contract of a store, the exact one in memory, and what of a chunk goes into any of them."""
