"""The names in a table as they are listed for a reader: its headers or labels, and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Literal

from retrieval.tables.cells import Grid

_LONGEST = 70
"""Characters of one header or row; a longer one is cut at the end of a word."""
_BRIEF = 40
"""Most characters of a value that a step may read."""
MOST_COMPARED = 60
"""Headers, and rows, of one table that are compared with a question."""


def names_of(grids: Iterable[Grid]) -> list[str]:
    """Return the names in some tables that questions are compared with, each once."""
    own = (each for grid in grids for each in (heads_of(grid), rows_of(grid)))
    return list(dict.fromkeys(map(brief, chain.from_iterable(islice(names, MOST_COMPARED) for names in own))))


def kind_of(grid: Grid) -> Literal["record", "list", "table"]:
    """Return what a table is: labels with values, one column of items, or rows and columns."""
    if grid.table.is_record:
        return "record"
    return "list" if len(grid.column_labels) < 2 else "table"


def heads_of(grid: Grid) -> Sequence[str]:
    """Return the headers of a table, or the labels of a record, first those of brief values: long values are prose."""
    if not grid.table.is_record:
        return () if kind_of(grid) == "list" else grid.labels
    told = {label for label, text in grid.label_value_pairs(0) if len(text) <= _BRIEF}
    return sorted(grid.labels, key=lambda label: label not in told)


def rows_of(grid: Grid) -> Iterator[str]:
    """Yield the row labels of rows with values, or the items of a list; a record has its labels instead."""
    if kind_of(grid) == "record":
        return
    if kind_of(grid) == "list":
        yield from (row[0] for row in grid.table.rows if row and row[0].strip())
        return
    for row in dict.fromkeys(row for row, _ in grid.places()):
        name = " ".join(filter(None, grid.row_names(row)))
        yield from (name,) if name.strip() else ()


def brief(name: str) -> str:
    """Return a name in one line, cut at the end of a word if it is too long.

    >>> brief("Gold\\n crown")
    'Gold crown'
    """
    line = " ".join(name.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST].rpartition(' ')[0]} …"
