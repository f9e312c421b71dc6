"""Ingestion of files into a collection; optionally a language model proposes rules for its tables."""
