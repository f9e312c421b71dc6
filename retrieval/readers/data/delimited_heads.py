"""The lines above the values of a CSV: what the file says of the whole table, and the heads of its columns.

Above the heads, a title is a line of one cell; spreadsheets pad such lines with empty cells. Heads may take two rows,
where an empty upper cell continues the one before it, and units may follow below in brackets. The heads of a scale
(*2008*, *2009*, *2010*) are numbers themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from retrieval.readers.documents.tables import Cell, build, clean
from retrieval.types import Table

_LONGEST_CAPTION = 200
_NUMBER = re.compile(r"[-+$€£¥]?\d[\d.,:/ -]*%?")
_UNIT = re.compile(r"\([^()]*\)|\[[^][]*\]")
_SHAPE = re.compile(r"(?P<digits>[\d.,]+)|(?P<letters>[^\W\d_]+)|\s+")
_NOTED = re.compile(r"[*†‡§]|\[\w{1,3}\]|\(\w{1,2}\)\s|[^\W\d_]+:\s")
"""The beginning of a note: a mark, or a word with a colon."""
_MARK = re.compile(r"(?<=[^\W_])\s?\[(?:\d{1,2}|[a-z])\]$")
_MOST_NOTED = 1_000
"""The most characters of a table's notes, which are repeated with each piece of it."""
_LONGEST_KEY = 6
"""The most words of a row's key; a longer text is a note."""
_NEARLY_ALL = 0.75
_PAIR = 2
_FEWEST_OF_SCALE = 3
_MOST_HEADS = 3


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of a record as written, and the line on which it ends."""

    cells: tuple[str, ...]
    line: int

    @property
    def filled(self) -> int:
        """The number of cells that are not blank."""
        return sum(bool(cell.strip()) for cell in self.cells)

    @property
    def joined_text(self) -> str:
        """Its text in one line."""
        return " | ".join(text for cell in self.cells if (text := clean(cell)))

    @property
    def first(self) -> str:
        """The first line of its text."""
        return next((text for cell in self.cells for row in cell.splitlines() if (text := clean(row))), "")


def split_title_lines(lines: Sequence[Line], width: int) -> tuple[list[Line], list[Line]]:
    """Split lines into those above a table of this width and its own; lines above have one cell or stand before the
    first line of full width.

    >>> lines = [Line(("Ferries of the north", ""), 1), Line(("Boat", "Crew"), 2), Line(("Reed", "4"), 3)]
    >>> [line.first for line in split_title_lines(lines, 2)[0]]
    ['Ferries of the north']
    """
    first = next(place for place, line in enumerate(lines) if len(line.cells) == width)
    alone = next((place for place, line in enumerate(lines[first:], first) if line.filled > 1), first)
    first = first if width == 1 or alone == len(lines) - 1 else alone
    return list(lines[:first]), list(lines[first:])


def without_notes(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Split the notes at the end of a table off its lines: they have one cell, with a mark or a sentence in it.

    >>> rows = [Line(("Boat", "Crew"), 1), Line(("Reed*", "4"), 2), Line(("* in winter 3", ""), 3)]
    >>> [line.first for line in without_notes(rows)[1]]
    ['* in winter 3']
    """
    ends = takewhile(lambda line: len(line.cells) > 1 and line.filled == 1 and _is_note(line), reversed(lines))
    found = list(ends)[::-1]
    is_brief = len(found) < len(lines) and sum(len(line.joined_text) for line in found) <= _MOST_NOTED
    return (list(lines[: len(lines) - len(found)]), found) if is_brief else (list(lines), [])


def _is_note(line: Line) -> bool:
    text = line.first
    return bool(_NOTED.match(text)) or len(text.split()) > _LONGEST_KEY


def padded_rows(lines: Sequence[Line], width: int) -> tuple[list[Line], list[Line]]:
    """Return the rows of a table and the lines that are not rows. A short line is padded with empty cells, as
    spreadsheet programs do, unless its numbers would then stand below words or its words below numbers.

    >>> cells = (("Reed", "4", "old"), ("Rush", "3", "new"), ("Wren", "8"), ("x", "y"))
    >>> rows, others = padded_rows([Line(row, at) for at, row in enumerate(cells, 1)], 3)
    >>> rows[-1].cells, [line.line for line in others]
    (('Wren', '8', ''), [4])
    """
    whole = [line for line in lines if len(line.cells) == width]
    begins = [[_begins(line.cells[column]) for line in whole if line.cells[column].strip()] for column in range(width)]
    rows: list[Line] = []
    others: list[Line] = []
    for line in lines:
        own = Line((*line.cells, *[""] * (width - len(line.cells))), line.line)
        fits = len(line.cells) == width or (
            _PAIR <= line.filled and len(line.cells) < width and _fits_columns(own, begins)
        )
        (rows if fits else others).append(own if fits else line)
    return rows, others


def _fits_columns(line: Line, begins: Sequence[Sequence[bool]]) -> bool:
    """True if each cell begins, with a digit or without, as most of its column do; mixed columns don't count."""
    told = zip(line.cells, begins, strict=True)
    shares = [(_begins(cell), sum(seen) / len(seen)) for cell, seen in told if cell.strip() and seen]
    telling = [(own, share) for own, share in shares if not 1 - _NEARLY_ALL < share < _NEARLY_ALL]
    is_even = all(own == (share >= _NEARLY_ALL) for own, share in telling)
    return is_even and len({own for own, _ in telling}) == _PAIR


def _begins(cell: str) -> bool:
    """True for a cell that begins with a digit."""
    return cell.strip().lstrip("-+$€£<>~ ")[:1].isdigit()


def table_of(rows: Sequence[Line], above: Sequence[Line], notes: Sequence[Line] = ()) -> Table | None:
    """Return the table of rows of equal length, with the first line above as caption; None if it has no body."""
    grid = _without_marks(_without_empty([[clean(cell) for cell in row.cells] for row in rows]))
    caption = next((line.first for line in above), "")
    caption = caption.rstrip(" :") if len(caption) <= _LONGEST_CAPTION else ""
    heads = _header_rows(grid)
    if heads and heads > 1 and not all(grid[0][1:]):
        grid[0] = _filled_on(grid[0])
    table = build([[Cell(cell) for cell in row] for row in grid], caption, heads)
    return replace(table, notes=tuple(line.first for line in notes)) if table is not None else None


def _without_marks(grid: list[list[str]]) -> list[list[str]]:
    """Remove footnote marks from the keys and the first head, *Reed[1]*, if at most half have one and no two become
    equal.
    """
    keys = [row[0] for row in grid]
    plain = [_MARK.sub("", key) for key in keys]
    marked = sum(before != after for before, after in zip(keys, plain, strict=True))
    if not marked or 2 * marked > len(keys) or len(set(plain)) < len(set(keys)):
        return grid
    return [[key, *row[1:]] for key, row in zip(plain, grid, strict=True)]


def _without_empty(grid: list[list[str]]) -> list[list[str]]:
    """Return the rows without blank columns."""
    own = [column for column in range(len(grid[0])) if any(row[column] for row in grid)] if grid else []
    return [[row[column] for column in own] for row in grid]


def _header_rows(grid: Sequence[Sequence[str]]) -> int | None:
    """Return the number of header rows; None leaves it to `build` to detect them."""
    if len(grid) < 2 or len(grid[0]) < 2:
        return None
    if _is_over_others(grid):
        heads = 2
    elif _are_heads(grid[0], grid[1:]):
        heads = 1
    else:
        return None
    return heads + (len(grid) > heads + 1 and _are_units(grid[heads], grid[heads + 1 :]))


def _are_units(row: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """True for words in brackets, or words without a key above numbers with one: *m*, *kg*."""
    units = [column for column, cell in enumerate(row) if cell]
    if not units or all(_UNIT.fullmatch(row[column]) for column in units):
        return bool(units)
    is_bare = not row[0] and not any(map(str.isdigit, "".join(row)))
    return is_bare and all(line[0] and _NUMBER.fullmatch(line[column]) for line in body[:1] for column in units)


def _are_heads(heads: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """True for a distinct word above each column. Numbers count only as a scale above a row that is none. Half the
    columns may lack a head if numbers stand below.
    """
    said = [head for head in heads if head]
    if not heads[0] or len(set(said)) < len(said) or _NUMBER.fullmatch(heads[0]):
        return False
    if len(said) < len(heads) and (2 * len(said) < len(heads) or not any(map(_NUMBER.fullmatch, body[0]))):
        return False
    numbers = [column for column, head in enumerate(heads) if _NUMBER.fullmatch(head)]
    if numbers and not (_is_scale([heads[c] for c in numbers]) and not _is_scale([body[0][c] for c in numbers])):
        return False
    begun = [column for column, head in enumerate(heads) if head[:1].isdigit() and column not in numbers]
    return not any(_shape(heads[column]) == _shape(row[column]) for column in begun for row in body[:_MOST_HEADS])


def _is_over_others(grid: Sequence[Sequence[str]]) -> bool:
    """True if the first row has heads that span those of the second and continue where it is empty."""
    upper, lower = grid[0], grid[1]
    if len(grid) < 3 or all(upper[1:]) or sum(map(bool, upper[1:])) < 1 or not all(lower[1:]):
        return False
    if any(map(_NUMBER.fullmatch, (*filter(None, upper), *lower))) and not _is_scale([*filter(None, upper[1:])]):
        return False
    if any(map(_NUMBER.fullmatch, lower)):
        return False
    paths = list(zip(_filled_on(upper), lower, strict=True))
    has_numbers = any(_NUMBER.fullmatch(cell) for row in grid[2:] for cell in row[1:])
    return len(set(paths)) == len(paths) and has_numbers


def _filled_on(heads: Sequence[str]) -> list[str]:
    """Repeat spanning heads over each of their columns; the first column has its own head."""
    found, last = [heads[0]], ""
    for head in heads[1:]:
        last = head or last
        found.append(last)
    return found


def _is_scale(texts: Sequence[str]) -> bool:
    """True for whole numbers at equal distances."""
    if len(texts) < _FEWEST_OF_SCALE or not all(map(str.isdecimal, texts)):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(texts)}
    return len(steps) == 1 and steps != {0}


def _shape(text: str) -> str:
    """Return the shape of a text: *48 kg* has that of *71 kg*.

    >>> _shape("48 kg") == _shape("71 kg"), _shape("2nd")
    (True, '9a')
    """
    return _SHAPE.sub(lambda found: "9" if found["digits"] else "a" if found["letters"] else " ", text)
