"""Reading of a question about a fight: the combatants, their numbers and gear, and what the odds ignore."""
