"""Answers from the cells of some chunks, where no collection is open.

The same road as over a whole collection, on an index in memory. It knows of no other chunk, so what it calls the best
of a kind is the best of those at hand: only who has them all may tell it.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoning.binding.binder import Binder
from agent.reasoning.execution.execute import execute
from agent.types import Reasoned
from agent.understanding.linking.program import Bound
from retrieval.tables.index import CellIndex
from retrieval.types import Chunk


def bind_at_hand(question: str, chunks: Sequence[Chunk]) -> Bound | None:
    """Bind a question to the cells of some chunks by its words alone; None where they do not answer it whole.

    >>> from retrieval.types import Table
    >>> ogre = Chunk("c1", "", "Ogre", tables=(Table("", ((), ()), (("Hit Points", "59"),)),))
    >>> bound = bind_at_hand("How many hit points has an ogre?", [ogre])
    >>> bound.readings[0].found[0].cell.text if bound else None
    '59'
    """
    if not any(chunk.tables for chunk in chunks):
        return None
    index = CellIndex.build(chunks)
    try:
        return Binder(index).bind_by_words(question)
    finally:
        index.close()


def answered_at_hand(question: str, chunks: Sequence[Chunk], prefix: str = "q") -> Reasoned | None:
    """The finding of a question on the cells of some chunks; None where they do not answer it whole."""
    bound = bind_at_hand(question, chunks)
    return None if bound is None else execute(bound, chunks, prefix)
