"""Answer whether something has a mark in a table of marks, where its cell is empty: *does the Day pass have a locker*.

An empty cell is no value elsewhere. In a table in which every filled cell is a mark for yes or no, it says no.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import filterfalse
from operator import attrgetter

from agent.reasoning.kinds.member import Value
from agent.reasoning.kinds.members import is_of_flags
from agent.reasoning.kinds.readings import reading_of
from agent.reasoning.values.comparing import asks_whether
from agent.understanding.linking.program import Bound, Linked
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, Place
from retrieval.tables.match import matches_any
from retrieval.tables.writing import Kind


def unticked(question: Tagged, index: Cells) -> Bound | None:
    """Return *no* for the row and the column of a table of marks that a yes-no question names, if their cell is empty
    and the question has no other word; None otherwise.
    """
    if not asks_whether(question) or question.negated or question.compares or question.numbers:
        return None
    found = list(_cells(question, index))
    if len(found) != 1:
        return None
    ((number, grid, row, column, places),) = found
    left = [word for place, word in question.words() if place not in places and not matches_any(word, grid.context)]
    if any(word not in question.language.idle | question.language.holding for word in left):
        return None
    label, name = grid.column_labels[column], grid.row_names(row)[-1].strip(" *")
    reading = reading_of(name, Value.of(label, number, grid, row, column), row)
    told = tuple(word for _, word in question.words())
    return Bound(Linked(question, (), told, " ".join(told)), (reading,), label, yes_or_no=False)


def _cells(question: Tagged, index: Cells) -> Iterator[tuple[int, Grid, int, int, set[int]]]:
    """Yield the empty cells of tables of marks whose row and column are named, with the places of the names."""
    named = [(mention, place) for mention in question.names for place in _of_tables(mention.key, index)]
    rows = [(mention, place) for mention, place in named if place.kind is Kind.ROW]
    columns = [(mention, place) for mention, place in named if place.kind is Kind.COLUMN and place.at]
    for mention, row in rows:
        for other, column in columns:
            if row.grid is None or row.grid != column.grid or row.at is None or column.at is None or mention == other:
                continue
            grid = index.grid(row.grid)
            is_empty = not "".join(grid.table.rows[row.at][column.at : column.at + 1]).strip()
            if is_empty and is_of_flags(grid, question.language):
                yield row.grid, grid, row.at, column.at, {*mention.places, *other.places}


def _of_tables(key: str, index: Cells) -> list[Place]:
    """Return the rows and columns with a name, not those of tables inside of something with it."""
    return list(filterfalse(attrgetter("depth"), index.places([key], (Kind.ROW, Kind.COLUMN))))
