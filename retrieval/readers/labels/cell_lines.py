"""Cells whose lines are labels with values, *Length: 9 m* above *Crew: 3* beside the name of a boat: each recurring
label becomes a column, and the other lines stay under their own head.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from retrieval.readers.documents.tables import Cell, Grid
from retrieval.readers.labels.running_text import BRIEF_VALUE, VALUES_BETWEEN, pair_in

_FEWEST = 2
"""The fewest lines of a cell, and the fewest rows that share a label."""
_MOSTLY = 0.5
"""The share of rows that must have a label, and of lines that must be such labels."""
_SENTENCE_END = re.compile(r"[.;]\s+(?=[^\W\d_a-z])")
_LabelledLine = tuple[str, str]
"""A label with its value; the label is empty for another line."""


def with_label_columns(grid: Grid) -> Grid:
    """Return the grid, heads first, with a column for each label in the lines of a column's cells.

    >>> rows = [["Boat", "Facts"], ["Reed", "Length: 9 m\\nCrew: 3\\nLeaks"], ["Rush", "Length: 7 m\\nCrew: 2"]]
    >>> cells = [[Cell(text, lines=tuple(text.splitlines())) for text in row] for row in rows]
    >>> [[cell.text for cell in row] for row in with_label_columns(cells)]
    [['Boat', 'Length', 'Crew', 'Facts'], ['Reed', '9 m', '3', 'Leaks'], ['Rush', '7 m', '2', '']]
    """
    width = len(grid[0]) if grid else 0
    if any(len(row) != width for row in grid):
        return grid
    columns = [[row[at] for row in grid] for at in range(width)]
    told = [part for at, column in enumerate(columns) for part in (_parts(column) if at else (column,))]
    return [list(row) for row in zip(*told, strict=True)]


def _parts(column: list[Cell]) -> Iterator[list[Cell]]:
    """Yield a column for each recurring label in a column, or the column itself if most of its lines have none."""
    head, body = column[0], column[1:]
    told = [[] if cell.wide else _labelled_lines(cell.lines) for cell in body]
    shared = _shared(told)
    if len(shared) < _FEWEST or any(label for label, _ in _labelled_lines(head.lines)):
        yield column
        return
    yield from ([Cell(label, head=head.head), *_cells(body, [_values(own, label) for own in told])] for label in shared)
    others = [[_line(*each) for each in own if each[0] not in shared] for own in told]
    if any(others):
        yield [head, *_cells(body, others)]


def _shared(told: Sequence[Sequence[_LabelledLine]]) -> list[str]:
    """Return the recurring labels, if each non-empty cell has one and most lines have one."""
    having = Counter(label for own in told for label, _ in dict(own).items() if label)
    written = [own for own in told if own]
    shared = [label for label, count in having.items() if count >= max(_FEWEST, _MOSTLY * len(written))]
    lines = [label in shared for own in written for label, _ in own]
    have_one = all(any(label in shared for label, _ in own) for own in written)
    return shared if have_one and sum(lines) > _MOSTLY * len(lines) else []


def _labelled_lines(lines: Sequence[str]) -> list[_LabelledLine]:
    """Return the labels and values of lines; a line that is no such pair has no label."""
    pairs = [(part, pair_in(part)) for line in lines for part in _sentences(line)]
    return [pair if pair and len(pair[1].split()) <= BRIEF_VALUE else ("", line) for line, pair in pairs]


def _sentences(line: str) -> Sequence[str]:
    """Return the sentences of a line if each is a label with its value, or the whole line."""
    parts = _SENTENCE_END.split(line)
    return parts if all(map(pair_in, parts)) else [line]


def _values(own: Sequence[_LabelledLine], label: str) -> Collection[str]:
    return dict.fromkeys(value for each, value in own if each == label)


def _line(label: str, text: str) -> str:
    return f"{label}: {text}" if label else text


def _cells(body: Sequence[Cell], parts: Sequence[Collection[str]]) -> Iterator[Cell]:
    """Yield the cells of one of the columns; a cell over the whole row is repeated in each of them."""
    for cell, own in zip(body, parts, strict=True):
        yield cell if cell.wide else Cell(VALUES_BETWEEN.join(own))
