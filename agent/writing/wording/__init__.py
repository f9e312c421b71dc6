"""Who writes an answer: a model with its tools, or nobody but the findings; and what it is asked to repair."""
