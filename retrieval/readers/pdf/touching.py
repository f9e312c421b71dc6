"""Split touching tables of a PDF: drawn below each other without a gap, they form one grid of lines.

A new table begins with a row of bold heads below other rows, if its columns differ from those above or it begins with
the same head as they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from retrieval.tabular import Box

Content = Callable[[Box], tuple[str, bool]]
"""The text of a cell, and whether all of it is bold."""
_SAME_EDGE = 3.0
"""The points within which edges are one."""
_LEAST_HEADS = 2


@dataclass(frozen=True)
class _Row:
    """The cells that begin at one height."""

    boxes: tuple[Box, ...]
    cell_contents: tuple[tuple[str, bool], ...]

    @property
    def top(self) -> float:
        return self.boxes[0][1]

    @cached_property
    def is_of_heads(self) -> bool:
        """True if all text is bold, in several cells."""
        said = [is_bold for text, is_bold in self.cell_contents if text]
        return len(said) >= _LEAST_HEADS and all(said)


def split_touching(cells: Sequence[Box], content: Content) -> list[list[Box]]:
    """Return the cells of a grid by table, splitting tables that touch."""
    rows = list(_rows(cells, content))
    starts = [0] if rows else []
    for at in range(1, len(rows)):
        if _begins(rows[starts[-1] : at], rows[at:]):
            starts.append(at)
    ends = [*starts[1:], len(rows)]
    return [[box for row in rows[start:end] for box in row.boxes] for start, end in zip(starts, ends, strict=True)]


def _rows(cells: Sequence[Box], content: Content) -> Iterator[_Row]:
    row: list[Box] = []
    for box in sorted(cells, key=lambda cell: cell[1]):
        if row and box[1] - row[0][1] > _SAME_EDGE:
            yield _row(row, content)
            row = []
        row.append(box)
    if row:
        yield _row(row, content)


def _row(boxes: Sequence[Box], content: Content) -> _Row:
    ordered = tuple(sorted(boxes))
    return _Row(ordered, tuple(map(content, ordered)))


def _begins(above: Sequence[_Row], below: Sequence[_Row]) -> bool:
    """True if a table begins with the first of the rows below."""
    first, top = below[0], below[0].top + _SAME_EDGE
    if not first.is_of_heads or above[-1].is_of_heads or all(row.is_of_heads for row in below):
        return False
    if any(box[3] > top for row in above for box in row.boxes):
        return False  # a cell spans both
    head = first.cell_contents[0][0]
    return (head != "" and head == above[0].cell_contents[0][0]) or _differ(_columns(above), _columns(_own(below)))


def _own(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Return the rows up to the heads of a further table."""
    is_body = False
    for at, row in enumerate(rows):
        if is_body and row.is_of_heads:
            return rows[:at]
        is_body = not row.is_of_heads
    return rows


def _columns(rows: Sequence[_Row]) -> list[float]:
    """Return the left edges of cells, in order."""
    found: list[float] = []
    for left in sorted(box[0] for row in rows for box in row.boxes):
        if not found or left - found[-1] > _SAME_EDGE:
            found.append(left)
    return found


def _differ(one: Sequence[float], other: Sequence[float]) -> bool:
    """True if each has a column that the other lacks: heads and sums may span several of the columns below."""
    return not (_holds(one, other) or _holds(other, one))


def _holds(columns: Sequence[float], some: Sequence[float]) -> bool:
    return all(any(abs(own - each) <= _SAME_EDGE for own in columns) for each in some)
