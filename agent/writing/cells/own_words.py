"""Which words of a table stand in one cell only: they tell of its number what label and head do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from agent.writing.texts.claims import words_of
from agent.writing.texts.facts import words_beside
from agent.writing.texts.numbers import known_units, plain
from retrieval.text.normal import normal
from retrieval.types import Table

Position = tuple[int, int]


def own_words(table: Table) -> Mapping[Position, frozenset[str]]:
    """The words of each cell that no other cell has, and no head; units are none.

    >>> roads = Table("", (("",), ("Length",)), (("North", "14 km, old road"), ("South", "9 km, new road")))
    >>> sorted(own_words(roads)[0, 1]), sorted(own_words(roads)[1, 1])
    (['old'], ['new'])
    """
    found = {(r, c): _words(cell) for r, row in enumerate(table.rows) for c, cell in enumerate(row)}
    counted = Counter(word for words in found.values() for word in words)
    counted.update(word for head in table.columns for word in words_of(" ".join(head)))
    return {place: frozenset(word for word in words if counted[word] == 1) for place, words in found.items()}


def _words(cell: str) -> frozenset[str]:
    return frozenset(filter(str.isalpha, words_beside(normal(plain(cell))))) - known_units()
