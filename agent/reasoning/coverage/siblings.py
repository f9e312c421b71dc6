"""Tables alike that differ by their names: boxes *in summer* and *in winter*, choirs *in* and *outside* of a town.

A word that names another one of them says that the value is asked for there, and not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.tables.bind import Binding
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import key_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_MOST = 40
"""The most tables with the same first header that are looked at."""


def names_sibling(words: Sequence[str], binding: Binding, index: Cells) -> bool:
    """True if a word is in the names of a table with the same columns, and not in those of the value's own."""
    own = binding.grid
    if not words or own.table.is_record:
        return False
    free = [word for word in words if word not in own.context]
    return bool(free) and any(word in other.context for other in _siblings(own, index) for word in free)


def _siblings(own: Grid, index: Cells) -> Iterator[Grid]:
    """Yield the other tables with the same columns."""
    key = key_of(phrase(own.column_labels[0]))
    for number in grids_of(index.places([key], (Kind.COLUMN,)))[:_MOST] if key else ():
        other = index.grid(number)
        if other.table_id != own.table_id and other.column_labels == own.column_labels:
            yield other
