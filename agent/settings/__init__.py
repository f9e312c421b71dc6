"""Settings: their values, the places they come from, and which of these places are trusted."""
