"""What a question says: its words, names, numbers, measures and what it wants done with them.

`words` reads any text. `question` looks through one that asks, once, and `linking` finds what of it the collection has
a name for: what comes of that is a `Linked`, and in the end a `Bound`. `rewording` says it again where that leads to
nothing.
"""
