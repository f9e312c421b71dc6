"""The measures of labels and questions: units, times, signs, and the end of a scale that a question asks for."""
