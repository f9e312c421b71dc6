"""Bind a question or a plan step to cells: each way is tried, and the first that accounts for every word is taken."""
