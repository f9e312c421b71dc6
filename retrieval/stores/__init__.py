"""The store protocol, an exact store in memory, and the metadata of a chunk for all stores."""
