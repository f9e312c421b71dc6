"""Tables alike that differ by their names: boxes *in summer* and *in winter*, choirs *in* and *outside* of a town.

A word that names another one of them says that the value is asked for there, and not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.reasoning.kinds.asked import kind_asked
from agent.understanding.linking.program import Linked
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import key_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_MOST = 40
"""The most tables with the same first header that are looked at."""


def names_sibling(words: Sequence[str], binding: Binding, linked: Linked, index: Cells) -> bool:
    """True if a word is in the name of a table with the same columns, and not in those of the value's own one. What is
    asked for, and the names of other subjects, with which this one is compared, don't count.
    """
    own, subjects = binding.grid, {word for each in linked.subjects for word in phrase(each.text)}
    subjects.update(kind_asked(linked.question, index))
    if not words or own.table.is_record:
        return False
    free = {word for word in words if word not in own.context | subjects | index.measure_words}
    return bool(free) and any(not free.isdisjoint(phrase(other.own_name)) for other in _siblings(own, index))


def _siblings(own: Grid, index: Cells) -> Iterator[Grid]:
    """Yield the other tables with the same columns."""
    key = key_of(phrase(own.column_labels[0]))
    for number in grids_of(index.places([key], (Kind.COLUMN,)))[:_MOST] if key else ():
        other = index.grid(number)
        if other.table_id != own.table_id and other.column_labels == own.column_labels:
            yield other
