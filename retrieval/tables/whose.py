"""The owner of a table: named by its caption, title or headings, or by one of its rows or heads.

A question reads the same few tables for one subject after another, and most tables do not belong to any of them. So
ownership is computed once for each table and subject, before any cell is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from retrieval.tables.axes import Axes, list_items, names_in
from retrieval.tables.cells import Grid
from retrieval.tables.names import NameIndex, name_words, same_name
from retrieval.types import Chunk, Table

_OWN_NAME, _OUTER_NAME = 2.0, 1.0
_ROW_NAME, _LISTED_NAME = 3.0, 2.0


@dataclass(frozen=True, eq=False)
class TableOfChunk:
    """A table of a chunk with its axes and names."""

    chunk: Chunk
    grid: Grid
    axes: Axes

    @property
    def table(self) -> Table:
        """The table itself."""
        return self.grid.table

    @cached_property
    def names(self) -> Sequence[tuple[float, frozenset[str]]]:
        """The words of each name of the table with its weight: its own names, then outer headings."""
        own = ((_OWN_NAME, name) for name in (self.chunk.title, self.table.caption))
        outer = ((_OUTER_NAME, heading) for heading in reversed(self.chunk.headings))
        return [(weight, name_words(name)) for weight, name in (*own, *outer)]

    @cached_property
    def names_in_cells(self) -> Sequence[NameIndex]:
        """Indexes of the cells by name: by the whole cell, and by each item of a list in a cell."""
        return names_in(self.table)

    @cached_property
    def words_of_heads(self) -> frozenset[str]:
        """The words of all heads."""
        return frozenset().union(*map(name_words, self.axes.heads))

    @cached_property
    def has_distinct_keys(self) -> bool:
        """True if the rows of the table have different keys."""
        return not self.table.is_record and len({row[0] for row in self.table.rows}) > 1


@dataclass(frozen=True, slots=True)
class Ownership:
    """What of a table belongs to a subject.

    `named` scores how well the table's names name the subject, None if they don't. `is_split_by_rows` is True if rows
    split up what these names cover together: *Fighter*, *Paladin*, *Ranger*. `rows` are the rows that name the subject,
    each with its first matching cell and the score. `columns` is the first column that the subject heads, for records
    side by side. `in_heads` is True if the heads have all words of the subject.
    """

    named: float | None = None
    is_split_by_rows: bool = False
    rows: Mapping[int, tuple[int, float]] = field(default_factory=dict)
    columns: tuple[int, ...] = ()
    in_heads: bool = False

    @property
    def is_named(self) -> bool:
        """True if the whole table belongs to the subject."""
        return self.named is not None and not self.is_split_by_rows

    @property
    def is_unowned(self) -> bool:
        """True if nothing in the table belongs to the subject."""
        return not (self.is_named or self.rows or self.columns or self.in_heads)


@lru_cache(maxsize=32768)
def ownership_of(table: TableOfChunk, subject: str) -> Ownership:
    """Return what of a table belongs to a subject; an empty subject owns all of it."""
    wanted = name_words(subject)
    named = _named(table, wanted)
    if table.table.is_record:
        return Ownership(named)
    rows = _rows(table, subject)
    is_key = any(place == (0, _ROW_NAME) for place in rows.values())
    is_split_by_rows = bool(subject) and is_key and table.has_distinct_keys
    return Ownership(named, is_split_by_rows, rows, _columns(table, subject), wanted < table.words_of_heads)


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A chunk as a cache key, compared by identity: comparing contents takes as long as reading the tables."""

    chunk: Chunk

    def __hash__(self) -> int:
        return hash(self.chunk.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.chunk is self.chunk


def tables_of(chunk: Chunk) -> Sequence[TableOfChunk]:
    """Return the tables of a chunk, cached because chunks stay the same from question to question."""
    return _tables_of(_Same(chunk))


@lru_cache(maxsize=4096)
def _tables_of(same: _Same) -> Sequence[TableOfChunk]:
    chunk = same.chunk
    grids = Grid.from_chunk(chunk)
    return [TableOfChunk(chunk, grid, Axes(grid.table, f"{chunk.title} {grid.table.caption}")) for grid in grids]


def _named(table: TableOfChunk, wanted: frozenset[str]) -> float | None:
    """Score how well the table's names name a subject: its own names most, outer headings least; None if they don't."""
    if not wanted:
        return 0.0
    for weight, words in table.names:
        if wanted <= words:
            return weight + len(wanted) / len(words)
    return None


def _rows(table: TableOfChunk, subject: str) -> dict[int, tuple[int, float]]:
    """Return the rows that name a subject; a cell that is the name scores more than one that lists it."""
    found: dict[int, tuple[int, float]] = {}
    for names, worth in zip(table.names_in_cells, (_ROW_NAME, _LISTED_NAME), strict=True):
        for row, at in names.places(subject):
            found.setdefault(row, (at, worth))
    return found


def _columns(table: TableOfChunk, subject: str) -> tuple[int, ...]:
    for column, path in enumerate(table.table.columns):
        names = (path[-1], *list_items(path[-1])) if column and path else ()
        if any(same_name(name, subject) for name in names):
            return (column,)
    return ()
