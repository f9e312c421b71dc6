"""Kinds of entities: their members, gathered from all tables and records, and what a question asks of a kind."""
