"""Understand a question: its words, names, numbers, measures and the operation that it asks for.

`words` reads any text. `question` tags a question once, and `linking` finds the names of the collection in it; the
result is a `Linked`, and in the end a `Bound`. `rewording` asks it in other words if that leads to nothing.
"""
