"""Tables of a PDF page: ruled tables are exact if their lines are.

On sixty printed tables with known cells, pdfplumber's line detection got every cell right, and its gap detection none.
Tables without lines are inferred elsewhere and marked.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from typing import Any

from retrieval.readers.documents.extras import require
from retrieval.readers.pdf.open_ends import lines_of_open_rows, outside, without_other_rows
from retrieval.readers.pdf.stacks import with_split_rows
from retrieval.readers.pdf.touching import split_touching
from retrieval.tabular import Box

_LEAST = 2
"""The fewest rows and columns with text; a box around a paragraph is no table."""
_FILLED = 0.5
_LONG_CELL, _LONG_SHARE = 300, 0.2
"""If more than this share of the cells is longer than this, in characters, the lines frame prose."""
WORD_GAP = 0.15
"""The white between two letters that separates words, in letter sizes."""
_LONG_PART = 0.5
"""If more than this share of the letters is in cells that long, the lines frame prose too."""
_WRAPPED = re.compile(r"(?<=\w)-\n(?=\w)")
"""A hyphen at the end of a line in a cell; it is kept, since *half-orc* breaks there too."""
_LEADERS = re.compile(r"(?:\s?\.){4,}")
"""A dot leader to the next cell."""
_SAME_COLUMN = 6.0
"""The points by which a column's edges may differ from page to page."""
_SAME_LINE = 0.5
"""The distance, in letter sizes, up to which letters are on one line."""
_SAME_EDGE = 3.0
"""The points within which edges are one."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell with the rows and columns that it covers."""

    text: str
    is_bold: bool
    row: int
    column: int
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page: its box in points from the upper left, the edges of its columns, and its cells by row."""

    box: Box
    edges: tuple[float, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    is_whole: bool = True
    """False for a strip that is a table only if it continues across a page end."""
    is_inferred: bool = False
    """True if rows and columns come from gaps and not from lines."""

    def continues(self, before: PageTable) -> bool:
        """True if its columns match those of a table on the page before."""
        if len(self.edges) != len(before.edges) or self.is_inferred != before.is_inferred:
            return False
        if self._has_other_heads(before):
            return False
        pairs = zip(self.edges, before.edges, strict=True)
        return all(abs(own - other) <= _SAME_COLUMN for own, other in pairs)

    def _has_other_heads(self, before: PageTable) -> bool:
        """True if both begin with bold heads that share the first one but differ in others."""
        own, other = ([(cell.text, cell.is_bold) for cell in rows[0]] for rows in (self.rows, before.rows))
        return own[:1] == other[:1] and own != other and len(own) > 1 and all(is_bold for _, is_bold in (*own, *other))

    def without_heads_of(self, before: PageTable) -> tuple[tuple[TableCell, ...], ...]:
        """Return the rows without the leading ones that repeat those of the table on the page before."""
        repeated = 0
        for own, other in zip(self.rows, before.rows, strict=False):
            if [cell.text for cell in own] != [cell.text for cell in other]:
                break
            repeated += 1
        return self.rows[repeated:]

    def with_end_of_row(self, after: PageTable) -> tuple[PageTable, PageTable]:
        """Join a row cut by the page end: return this table with the rest of its last row, and the next one without it.

        The rest of a row has no name and few cells with text, each of which continues a cell with text.
        """
        rest = after.without_heads_of(self)
        if not rest or not self.rows or not _goes_on(self.rows[-1], rest[0]):
            return self, after
        more = {cell.column: cell.text for cell in rest[0]}
        last = tuple(replace(cell, text=f"{cell.text} {more.get(cell.column, '')}".strip()) for cell in self.rows[-1])
        at = len(after.rows) - len(rest)
        left = after.rows[:at] + after.rows[at + 1 :]
        return replace(self, rows=(*self.rows[:-1], last)), replace(after, rows=left)


def _goes_on(row: Sequence[TableCell], part: Sequence[TableCell]) -> bool:
    filled = {cell.column: cell.text for cell in part if cell.text}
    begun = {cell.column for cell in row if cell.text}
    is_part = 0 < len(filled) <= len(part) / 2 and set(filled) <= begun and 0 not in filled
    return is_part and len(begun) > len(filled) and all(text[0].islower() for text in filled.values())


def ruled_tables(page: Any) -> list[PageTable]:
    """Return the tables of a pdfplumber page, from the top down: plausible ones, and strips of several columns."""
    grids = _grids(page)
    if not grids:
        return []
    letters = Letters(page)
    drawn = [cells for grid in grids for cells in split_touching(grid, letters.content)]
    found = [table_of_boxes(letters, cells) for cells in drawn]
    return sorted((table for table in found if table is not None), key=lambda table: table.box[1])


def _grids(page: Any) -> list[list[Box]]:
    """Return the cells of each ruled table, including rows that the page end cuts."""
    drawn = page.find_tables()
    added = outside(lines_of_open_rows(page.edges), [table.bbox for table in drawn])
    if not added:
        return [table.cells for table in drawn]
    found = page.find_tables({"explicit_horizontal_lines": added})
    return [without_other_rows(table.cells, added) for table in found]


def html_rows(rows: Sequence[Sequence[TableCell]]) -> Iterator[str]:
    """Yield each row as HTML, on a line of its own."""
    for row in rows:
        yield f"<tr>{''.join(map(_html_cell, row))}</tr>"


def _html_cell(cell: TableCell) -> str:
    tag = "th" if cell.is_bold else "td"
    spans = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    spans += f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<{tag}{spans}>{escape(cell.text, quote=False)}</{tag}>"


def table_of_boxes(letters: Letters, cells_of: Sequence[Box], *, is_inferred: bool = False) -> PageTable | None:
    """Return the table whose cells are these boxes on a page; `None` if fewer than two columns have text."""
    boxes = [] if is_inferred else with_split_rows(cells_of, letters.lines)
    is_inferred = is_inferred or len(boxes) > len(cells_of)
    boxes = sorted(boxes or cells_of, key=lambda box: (box[1], box[0]))
    told = [letters.content(box) for box in boxes]
    across = _edges([x for box in boxes for x in (box[0], box[2])])
    across = _without_empty(across, [box for box, (text, _) in zip(boxes, told, strict=True) if text])
    down = _edges([y for box in boxes for y in (box[1], box[3])])
    rows: list[list[TableCell]] = [[] for _ in down[1:]]
    for box, (text, is_bold) in zip(boxes, told, strict=True):
        left, right = _nearest(across, box[0]), _nearest(across, box[2])
        top, bottom = _nearest(down, box[1]), _nearest(down, box[3])
        if text or right > left:
            rows[top].append(TableCell(text, is_bold, top, left, max(1, bottom - top), max(1, right - left)))
    cells = [cell for row in rows for cell in row]
    ordered = tuple(tuple(sorted(row, key=lambda cell: cell.column)) for row in rows)
    filled = [cell for cell in cells if cell.text]
    if len({cell.column for cell in filled}) < _LEAST:
        return None
    around = (across[0], down[0], across[-1], down[-1])
    return PageTable(around, tuple(across), ordered, _makes_sense(cells, filled), is_inferred)


def _makes_sense(cells: Sequence[TableCell], filled: Sequence[TableCell]) -> bool:
    """True for at least two rows with text, with most cells filled, and few of them as long as prose."""
    if len({cell.row for cell in filled}) < _LEAST or len(filled) < _FILLED * len(cells):
        return False
    sizes = [len(cell.text) for cell in filled]
    long = [size for size in sizes if size > _LONG_CELL]
    return len(long) <= _LONG_SHARE * len(filled) and sum(long) <= _LONG_PART * sum(sizes)


def _without_empty(edges: list[float], filled: Sequence[Box]) -> list[float]:
    """Return the column edges without those of empty columns, which are the white around the next one."""
    kept = edges[:1]
    for left, right in pairwise(edges):
        if any(box[0] <= left + _SAME_EDGE and box[2] >= right - _SAME_EDGE for box in filled):
            kept.append(right)
        else:
            kept[-1] = right if len(kept) == 1 else kept[-1]
    return kept


class Letters:
    """The letters of a page sorted by height, to find those of a cell without a full scan."""

    def __init__(self, page: Any) -> None:
        self._text: Callable[..., str] = require("pdfplumber", "pdf", "").utils.extract_text
        self._chars = sorted(_without_overlapping_spaces(page.chars), key=_height)
        self._heights = [_height(char) for char in self._chars]

    def content(self, box: Box) -> tuple[str, bool]:
        """Return the text of a cell in one line, and whether all of it is bold."""
        inside = self._inside(box)
        if not inside:
            return "", False
        said = _LEADERS.sub(" ", self._text(_turned(inside), x_tolerance_ratio=WORD_GAP))
        text = " ".join(_WRAPPED.sub("-", said).replace("\u00ad\n", "").split())
        letters = [char for char in inside if char["text"].strip()]
        return text, bool(letters) and all(is_bold(char["fontname"]) for char in letters)

    def lines(self, box: Box) -> list[tuple[float, str]]:
        """Return the lines of a cell from the top down, each with its height and its letters without spaces."""
        found: list[tuple[float, str]] = []
        for char in self._inside(box):
            if not char["text"].strip():
                continue
            if not found or _height(char) - found[-1][0] > _SAME_LINE * float(char["size"]):
                found.append((_height(char), ""))
            found[-1] = (found[-1][0], found[-1][1] + char["text"])
        return found

    def _inside(self, box: Box) -> list[Mapping[str, Any]]:
        left, top, right, bottom = box
        beside = self._chars[bisect_left(self._heights, top) : bisect_left(self._heights, bottom)]
        return [char for char in beside if left <= (char["x0"] + char["x1"]) / 2 < right]


def _without_overlapping_spaces(chars: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the letters of a page without spaces that overlap letters before them, as padding of a column may."""
    spaces: list[Mapping[str, Any]] = []
    row, right = 0, -1.0
    for char in sorted(chars, key=lambda char: (round(_height(char)), char["x0"])):
        if round(_height(char)) != row:
            yield from spaces
            row, right, spaces = round(_height(char)), -1.0, []
        middle = (char["x0"] + char["x1"]) / 2
        if char["text"].strip():
            yield from (space for space in spaces if (space["x0"] + space["x1"]) / 2 <= char["x0"])
            yield char
            right, spaces = char["x1"], []
        elif middle >= right:
            spaces.append(char)
    yield from spaces


def turned_text(chars: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of letters rotated by a right angle."""
    text: Callable[..., str] = require("pdfplumber", "pdf", "").utils.extract_text
    return text(_turned(chars), x_tolerance_ratio=WORD_GAP)


def _turned(chars: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return letters rotated by a right angle, as those of heads often are, in upright position."""
    if any(char["upright"] for char in chars):
        return chars
    is_upwards = chars[0]["matrix"][1] > 0
    return [_upright(char, -1 if is_upwards else 1) for char in chars]


def _upright(char: Mapping[str, Any], sign: int) -> Mapping[str, Any]:
    left, right = sorted((sign * char["top"], sign * char["bottom"]))
    top, bottom = sorted((-sign * char["x0"], -sign * char["x1"]))
    return {**char, "upright": True, "x0": left, "x1": right, "top": top, "bottom": bottom, "doctop": top}


def _height(char: Mapping[str, Any]) -> float:
    return float(char["top"] + char["bottom"]) / 2


def is_bold(font: str) -> bool:
    """True for the name of a bold font.

    >>> is_bold("ABCDEF+DejaVuSans-Bold"), is_bold("Times-Roman")
    (True, False)
    """
    name = font.rpartition("+")[2].casefold()
    return any(weight in name for weight in ("bold", "black", "heavy", "demi"))


def _edges(values: Sequence[float]) -> list[float]:
    """Return the distinct coordinates, in order."""
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > _SAME_EDGE:
            edges.append(value)
    return edges


def _nearest(edges: Sequence[float], value: float) -> int:
    place = bisect_left(edges, value)
    around = [at for at in (place - 1, place) if 0 <= at < len(edges)]
    return min(around, key=lambda at: abs(edges[at] - value))
