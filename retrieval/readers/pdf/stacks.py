"""Rows of a PDF table that share cells: if lines are drawn around every fifth row, a cell holds five numbers.

Such rows are split if the text lines have the same heights in all cells and most are numbers, unlike wrapped text. The
result counts as inferred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from retrieval.tabular import Box

Lines = Sequence[tuple[float, str]]
"""The height of each line in a cell, and its text."""
_LEAST_CELLS = 3
_NUMBERS = 0.6
"""The least share of numbers among the lines, first cell excluded."""
_NUMBER = re.compile(r"[-+−(*]*[$€£]?\d[\d.,%/)*†-]*")
_SAME_HEIGHT = 3.0
"""The points by which lines of one row may differ in height."""


def with_split_rows(boxes: Sequence[Box], lines_of: Callable[[Box], Lines]) -> list[Box]:
    """Return the boxes of cells, with those that hold several rows split."""
    rows: dict[tuple[float, float], list[Box]] = {}
    for box in boxes:
        rows.setdefault((round(box[1]), round(box[3])), []).append(box)
    return [box for row in rows.values() for box in _parted(sorted(row), lines_of)]


def _parted(row: Sequence[Box], lines_of: Callable[[Box], Lines]) -> Iterator[Box]:
    told = [lines for box in row if (lines := lines_of(box))]
    if not _is_stack(told):
        yield from row
        return
    heights = [height for height, _ in told[0]]
    cuts = [(above + below) / 2 for above, below in pairwise(heights)]
    for left, top, right, bottom in row:
        for above, below in pairwise((top, *cuts, bottom)):
            yield left, above, right, below


def _is_stack(told: Sequence[Lines]) -> bool:
    if len(told) < _LEAST_CELLS or len(told[0]) < 2 or any(len(lines) != len(told[0]) for lines in told):
        return False
    if any(
        abs(own - first) > _SAME_HEIGHT for lines in told for (own, _), (first, _) in zip(lines, told[0], strict=True)
    ):
        return False
    later = [text for lines in told[1:] for _, text in lines]
    return sum(_NUMBER.fullmatch(text) is not None for text in later) >= _NUMBERS * len(later)
