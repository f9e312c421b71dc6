"""Reasoners turn evidence into findings: numbers are read from cells and computed by code, never guessed."""
