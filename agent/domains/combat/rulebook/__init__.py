"""The book's values of a combatant, read fact by fact into a side, each with its citation."""
