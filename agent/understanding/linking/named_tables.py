"""The tables that a text refers to, by a name in it or by a header or label whose words it has all.

Tables that have most of its words come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent.understanding.linking.mentions import mentions_of
from agent.understanding.words.clauses import tokens_of
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import content_words, phrase

MOST_TABLES = 40
"""Most tables of one name that are considered."""
_NAMED = (Kind.TITLE, Kind.SUBJECT, Kind.ROW, Kind.CAPTION, Kind.GROUP, Kind.HEADING)
_MOST_LABELS, _EACH = 3, 8
"""Most labels of a text, longest first, and most tables of each that are considered."""


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table that a text refers to, and how many words of the text it has."""

    grid: Grid
    words: int


def named_tables(text: str, index: Cells) -> list[NamedTable]:
    """Return the tables that a text refers to, those with most of its words first."""
    wanted = frozenset(content_words(text))
    numbers = dict.fromkeys((*_by_name(text, index), *_by_label(wanted, index)))
    grids = list(map(index.grid, numbers))
    found = [
        NamedTable(grid, sum(word in grid.context or word in grid.facts.words for word in wanted)) for grid in grids
    ]
    return sorted(found, key=lambda each: -each.words)


def _by_name(text: str, index: Cells) -> Iterator[int]:
    """Yield the numbers of the tables of each name in the text."""
    for mention in mentions_of(tuple(tokens_of(text)), index):
        yield from grids_of(index.places([mention.key], _NAMED))[:MOST_TABLES]


def _by_label(wanted: frozenset[str], index: Cells) -> Iterator[int]:
    """Yield the numbers of some tables of each label in a text: *+12V current* in *current from the +12V rail*."""
    told = [label for label in index.heads_with(wanted) if wanted.issuperset(phrase(label))]
    for label in sorted(told, key=lambda label: -len(phrase(label)))[:_MOST_LABELS]:
        yield from grids_of(index.heads[label])[:_EACH]
