"""Cells whose lines are labels with values, *Length: 9 m* above *Crew: 3* beside the name of a boat: each label becomes
a column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from retrieval.readers.documents.tables import Cell, Grid
from retrieval.readers.labels.running_text import BRIEF_VALUE, pair_in

_FEWEST = 2
"""The fewest lines of a cell, and the fewest rows that share a label."""
_MOSTLY = 0.5
"""The share of rows that must have a label."""


def spread(grid: Grid) -> Grid:
    """Return the grid, heads first, with a column for each label in the lines of a column's cells.

    >>> rows = [["Boat", "Facts"], ["Reed", "Length: 9 m\\nCrew: 3"], ["Rush", "Length: 7 m\\nCrew: 2"]]
    >>> cells = [[Cell(text, lines=tuple(text.splitlines())) for text in row] for row in rows]
    >>> [[cell.text for cell in row] for row in spread(cells)]
    [['Boat', 'Length', 'Crew'], ['Reed', '9 m', '3'], ['Rush', '7 m', '2']]
    """
    width = len(grid[0]) if grid else 0
    if any(len(row) != width for row in grid):
        return grid
    columns = [[row[at] for row in grid] for at in range(width)]
    told = [part for at, column in enumerate(columns) for part in (_parts(column) if at else (column,))]
    return [list(row) for row in zip(*told, strict=True)]


def _parts(column: list[Cell]) -> Iterator[list[Cell]]:
    """Yield a column for each label in a column's cells; the column itself if any cell has other text."""
    facts = [_facts(cell.lines) for cell in column[1:]]
    having = Counter(label for own in facts for label in own)
    shared = [label for label, count in having.items() if count >= max(_FEWEST, _MOSTLY * len(facts))]
    if len(shared) < _FEWEST or len(shared) < len(having) or not all(facts):
        yield column
        return
    for label in shared:
        yield [Cell(label, head=column[0].head), *(Cell(own.get(label, "")) for own in facts)]


def _facts(lines: Sequence[str]) -> dict[str, str]:
    """Return the labels and values of lines; empty if any line is something else or a label repeats."""
    pairs = [pair for line in lines if (pair := pair_in(line)) and len(pair[1].split()) <= BRIEF_VALUE]
    return dict(pairs) if len(pairs) == len(lines) == len(dict(pairs)) else {}
