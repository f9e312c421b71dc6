"""English words of related meaning, from WordNet: the data, its reader and its maker."""
