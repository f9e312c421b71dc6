"""Planners split a question into focused sub-queries and say what kind of answer is wanted."""
