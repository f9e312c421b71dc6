"""What a label measures, and what a question wants measured: units, times, signs, and which end of a scale."""
