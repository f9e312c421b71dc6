"""Answers from sentences: what a document says in prose, complete only if a sentence passes every gate."""
