"""Answers from sentences: what a book says in prose, told as complete only where it passes every gate."""
