"""Texts to vectors: the protocol, local and remote models, batching."""
