"""Texts become vectors: the protocol, models on this machine and of providers, batching."""
