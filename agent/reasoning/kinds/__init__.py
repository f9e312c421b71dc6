"""The members of a kind, gathered from all places that tell of them, and what a question wants of such a kind."""
