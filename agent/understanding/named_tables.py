"""The tables that the names of a text lead to, those first that have most of its other words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from agent.understanding.clauses import tokens_of
from agent.understanding.mentions import mentions_of
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells
from retrieval.tables.writing import Kind
from retrieval.text.normal import content_words

MOST_TABLES = 40
"""Tables of one name that are looked at."""
_NAMED = (Kind.TITLE, Kind.SUBJECT, Kind.ROW, Kind.CAPTION, Kind.GROUP, Kind.COLUMN, Kind.HEADING)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table that has a name of a text, and how many words of the text it has."""

    grid: Grid
    words: int


def named_tables(text: str, index: Cells) -> list[NamedTable]:
    """Return the tables that have a name of a text, those with most of its words first."""
    wanted = set(content_words(text))
    grids = (index.grid(number) for number in dict.fromkeys(_numbers(text, index)))
    found = [
        NamedTable(grid, sum(word in grid.context or word in grid.facts.words for word in wanted)) for grid in grids
    ]
    return sorted(found, key=lambda each: -each.words)


def _numbers(text: str, index: Cells) -> Iterator[int]:
    """The numbers of the tables of each name."""
    for mention in mentions_of(tuple(tokens_of(text)), index):
        places = index.places([mention.key], _NAMED)
        own = dict.fromkeys(place.grid for place in places if place.grid is not None)
        yield from islice(own, MOST_TABLES)
