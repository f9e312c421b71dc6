"""Word an answer: by a model with its tools, or from the findings alone; and ask the model to repair it."""
