"""Labels and values side by side, two or more pairs to a row, as fact boxes are laid out.

Such a table has no heads: every other cell is a label, marked as a head or ended by a colon, followed by its value. A
value without a label continues the one above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from retrieval.readers.documents.tables import Cell, Grid

_PAIRS = 4
"""The fewest columns: two pairs."""
_FEWEST = 3
"""The fewest labels; fewer are a coincidence."""


def unpaired(grid: Grid) -> Grid:
    """Return the pairs of a grid one below the other, those of its first two columns first; any other grid unchanged.

    >>> rows = (("Length:", "9 m", "Sails:", "brown"), ("Crew:", "2", "", "and red"))
    >>> [[cell.text for cell in row] for row in unpaired([list(map(Cell, row)) for row in rows])]
    [['Length:', '9 m'], ['Crew:', '2'], ['Sails:', 'brown and red']]
    """
    pairs = [pair for pair in _pairs(grid) if any(cell.text for cell in pair)]
    labels = [label for label, _ in pairs if label.text]
    if len(labels) < _FEWEST or not all(map(_is_label, labels)) or any(_is_label(value) for _, value in pairs):
        return grid
    found: Grid = []
    for label, value in pairs:
        if label.text or not found:
            found.append([label, value])
        else:
            found[-1][1] = replace(found[-1][1], text=f"{found[-1][1].text} {value.text}".strip())
    return found


def _pairs(grid: Grid) -> Iterator[tuple[Cell, Cell]]:
    """Yield the cells in pairs, column by column; none if the rows are uneven or odd in width."""
    width = len(grid[0]) if grid else 0
    if width < _PAIRS or any(len(row) != width for row in grid) or width % 2:
        return
    for column in range(0, width, 2):
        yield from ((row[column], row[column + 1]) for row in grid)


def _is_label(cell: Cell) -> bool:
    return bool(cell.text) and (cell.head or cell.text.endswith(":"))
