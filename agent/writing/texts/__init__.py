"""Read texts before anything is checked: numbers with measures and bounds, clauses, facts, names, columns."""
