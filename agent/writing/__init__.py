"""Answers that a model words: from numbered evidence, with three tools, and with every number checked afterwards."""
