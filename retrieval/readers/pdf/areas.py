"""The areas of a PDF page around its ruled tables, where other tables may stand: above, below and beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.tabular import Box

_NEXT_LINE = 1.5
"""The white between two lines, in letter heights, up to which text beside a table continues."""
Words = Sequence[dict[str, Any]]
"""pdfplumber's words, each with its edges."""


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a page with its words."""

    box: Box
    words: Words


def areas_around(page: Box, ruled: Sequence[Box], words: Words) -> list[Area]:
    """Return the areas of a page around its ruled tables; the whole page if it has none.

    >>> word = {"x0": 70, "x1": 90, "top": 60, "bottom": 70}
    >>> below = {"x0": 70, "x1": 90, "top": 140, "bottom": 150}
    >>> [area.box for area in areas_around((0, 0, 100, 200), [(0, 50, 50, 90)], [word, below])]
    [(0, 90, 100, 200), (50, 50, 100, 90)]
    """
    areas = [Area(page, words)]
    for box in ruled:
        areas = [part for area in areas for part in _around(area, box)]
    return areas


def _around(area: Area, box: Box) -> Iterator[Area]:
    """Yield what remains of an area around a table. Text beside the table may extend above and below it."""
    left, top, right, bottom = area.box
    if box[0] >= right or box[2] <= left or box[1] >= bottom or box[3] <= top:
        yield area
        return
    beside = [_strip(area, edges, box) for edges in ((left, box[0]), (box[2], right))]
    beside = [strip for strip in beside if strip.words]
    above = min([box[1], *(strip.box[1] for strip in beside)])
    below = max([box[3], *(strip.box[3] for strip in beside)])
    for part in ((left, top, right, above), (left, below, right, bottom)):
        if words := _inside(area.words, part):
            yield Area(part, words)
    yield from beside


def _strip(area: Area, edges: tuple[float, float], box: Box) -> Area:
    """Return the text on one side of a table, between these edges, with what continues it above and below without a
    gap.
    """
    left, right = edges
    _, top, _, bottom = area.box
    column = sorted(_inside(area.words, (left, top, right, bottom)), key=lambda word: word["top"])
    above, below = max(top, box[1]), min(bottom, box[3])
    if not _inside(column, (left, above, right, below)):
        return Area((left, above, right, below), ())
    for word in column:
        if below <= word["bottom"] and word["top"] - below <= _NEXT_LINE * (word["bottom"] - word["top"]):
            below = min(bottom, word["bottom"])
    for word in reversed(column):
        if word["top"] <= above and above - word["bottom"] <= _NEXT_LINE * (word["bottom"] - word["top"]):
            above = max(top, word["top"])
    found = (left, above, right, below)
    return Area(found, _inside(column, found))


def _inside(words: Words, box: Box) -> Words:
    """Return the words whose center is in a box."""
    left, top, right, bottom = box
    return [
        word
        for word in words
        if left <= (word["x0"] + word["x1"]) / 2 <= right and top <= (word["top"] + word["bottom"]) / 2 <= bottom
    ]
