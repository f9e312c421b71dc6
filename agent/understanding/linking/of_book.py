"""Words of what a whole collection is about: very many of its names have them, so they tell none from the others."""

from __future__ import annotations

from retrieval.tables.index import Cells

_NAMES = 20
"""Names that have a word from which it is one of what the collection is about."""


def is_of_book(word: str, index: Cells) -> bool:
    """True for a word of very many names.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk
    >>> index = CellIndex.build([Chunk(f"c{n}", "", f"{chr(97 + n) * 3} buoy") for n in range(25)])
    >>> is_of_book("buoy", index), is_of_book("aaa", index)
    (True, False)
    """
    return len(index.holders([word])) >= _NAMES
