"""Rows of a PDF table without lines, recognized by the white between their cells.

If no table is inferred from them, each row stays text on a line of its own with separated cells: joined, rows would
read like a sentence that assigns values to the wrong names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, TypeVar

from retrieval.readers.pdf.tables import is_bold

_WIDE = 1.5
"""The white between two words, in letter heights, that separates cells."""
_NARROW = 0.5
"""The same if a cell of a nearby row is aligned there."""
_WIDER = 1.8
"""How much wider than a space the white between values of one label is."""
_ENDS = (".", ",", ";", "!", "?")
"""Punctuation after which a space may be wider."""
_MOST_OF_LABEL = 4
"""The most words of a label that a colon ends."""
_ITEM = re.compile(r"[•◦‣▪●○–—*-]|\(?(?:\d{1,3}|[a-z])[.)]")
_NEARBY = 5
"""The lines above and below in which rows share columns."""
_LEAST_CELLS = 3
SAME_EDGE = 3.0
"""The points by which the edges of a column's cells may differ."""
Words = Sequence[Mapping[str, Any]]
"""pdfplumber's words, from left to right."""
T = TypeVar("T")


def rows_among(lines: Sequence[Words]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each line if it is a row of a table, else none.

    Three cells make a row; two do if the second is aligned with a cell in an adjacent line or in a nearby row.

    >>> font = {"fontname": "Serif", "top": 0, "bottom": 10}
    >>> def line(*words):
    ...     return [font | {"text": text, "x0": x, "x1": x + 20} for text, x in words]
    >>> list(rows_among([line(("Oak", 0), ("9", 90)), line(("Elm", 0), ("7", 90)), line(("A", 0), ("tree", 25))]))
    [('Oak', '9'), ('Elm', '7'), ()]
    """
    parted = _in_columns(lines)
    spaces = [min(map(_white, pairwise(line)), default=_WIDE) for line in lines]
    for n, cells in enumerate(parted):
        cells = _split_values(cells, max(_NARROW, _WIDER * min(_nearby(spaces, n))))
        beside = [*parted[max(0, n - 1) : n], *parted[n + 1 : n + 2]]
        beside += [other for other in _nearby(parted, n) if len(other) >= _LEAST_CELLS]
        is_row = _has_no_further_label(cells) and (len(cells) >= _LEAST_CELLS or _is_pair(cells, beside))
        yield tuple(" ".join(word["text"] for word in cell) for cell in cells) if is_row else ()


def _in_columns(lines: Sequence[Words]) -> list[list[Words]]:
    """Return the cells of each line, including cells behind narrower white that are aligned with those of a nearby
    row.
    """
    parted = [_cells(line) for line in lines]
    begin = [[cell[0]["x0"] for cell in cells[1:]] if len(cells) >= _LEAST_CELLS else [] for cells in parted]
    edges = [[edge for each in _nearby(begin, n) for edge in each] for n in range(len(lines))]
    return [_cells(line, own) if own else cells for line, own, cells in zip(lines, edges, parted, strict=True)]


def _nearby(every: Sequence[T], at: int) -> Sequence[T]:
    """Return the items within a few places of one, itself included."""
    return every[max(0, at - _NEARBY) : at + _NEARBY + 1]


def _split_values(cells: list[Words], space: float) -> list[Words]:
    """Split a label's value into cells where the white is wider than a space.

    So *Rare* and *Common*, values of two things side by side, do not become one value.
    """
    line = [word for cell in cells for word in cell]
    end = _label_ends(line)
    if len(cells) >= _LEAST_CELLS or not 0 < end < len(line):
        return cells
    whites = list(map(_white, pairwise(line[end:])))
    if len(whites) > 1:
        space = max(space, _WIDER * min(whites))  # the spaces of justified text are alike
    values = [[line[end]]]
    for before, word in pairwise(line[end:]):
        if _white((before, word)) > space and not before["text"].endswith(_ENDS):
            values.append([])
        values[-1].append(word)
    return [line[:end], *values] if len(values) > 1 else cells


def _label_ends(line: Words) -> int:
    """Return how many words the leading label has, up to a colon or while bold; 0 if there is none."""
    colon = next((n for n, word in enumerate(line, start=1) if word["text"].endswith(":")), 0)
    bold = len(list(takewhile(lambda word: is_bold(word["fontname"]), line)))
    return colon if 0 < colon <= _MOST_OF_LABEL else bold


def _white(pair: tuple[Mapping[str, Any], Mapping[str, Any]]) -> float:
    """Return the white between two words, in letter heights."""
    before, word = pair
    return float(word["x0"] - before["x1"]) / (float(word["bottom"] - word["top"]) or 1.0)


def _cells(line: Words, begin: Sequence[float] = ()) -> list[Words]:
    """Return the cells of a line; `begin` has the left edges of cells nearby."""
    cells = [[line[0]]]
    for before, word in pairwise(line):
        white = _white((before, word))
        is_below = white > _NARROW and any(abs(word["x0"] - edge) <= SAME_EDGE for edge in begin)
        if white > _WIDE or is_below:
            cells.append([])
        cells[-1].append(word)
    return list(cells)


def _has_no_further_label(cells: Sequence[Words]) -> bool:
    """True if no cell but the first is bold alone, as a further label would be."""
    bold = [_is_bold(cell) for cell in cells]
    return all(bold) or not any(bold[1:])


def _is_pair(cells: Sequence[Words], others: Sequence[Sequence[Words]]) -> bool:
    """True for two cells whose second is aligned with another cell, if the first is neither its bold label nor a list
    marker.
    """
    if len(cells) != _LEAST_CELLS - 1 or _is_bold(cells[0]) != _is_bold(cells[1]):
        return False
    if len(cells[0]) == 1 and _ITEM.fullmatch(cells[0][0]["text"]):
        return False
    return any(_is_in_column(cells[1], cell) for other in others for cell in other[1:])


def _is_in_column(cell: Words, other: Words) -> bool:
    """True if two cells are aligned left or right."""
    edges = ((cell[0]["x0"], other[0]["x0"]), (cell[-1]["x1"], other[-1]["x1"]))
    return any(abs(one - two) <= SAME_EDGE for one, two in edges)


def _is_bold(cell: Words) -> bool:
    return any(is_bold(word["fontname"]) for word in cell)
