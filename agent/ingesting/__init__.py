"""Files become a collection; where it is wanted, a language model proposes rules for its tables."""
