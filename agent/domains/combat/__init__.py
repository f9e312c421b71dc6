"""Fights of role-playing games, as a domain."""
