"""A question in other words: as the collection writes its measures, and one question of several at a time."""
