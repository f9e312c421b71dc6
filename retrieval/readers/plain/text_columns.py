"""Where the columns of plain text begin: blanks that stand below each other, or a rule drawn in pieces.

Nobody says that such lines are a table. What tells it is that no line has a letter where the others have a gap, and
that the gap is wider than one between words in most of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_RULED = re.compile(r"\s*(?:[-=_~]{2,}|[-=_~])(?:[ |+]+[-=_~]+)+[ |+]*")
_PIECE = re.compile(r"[-=_~]+")
_WIDE = 2
"""Blanks of a gap that is wider than one between words."""
_MOSTLY = 0.6
"""The share of the lines with something behind a gap that have to have it wide."""
_NEARLY_ALL = 0.8


def boundaries(lines: Sequence[str]) -> list[int]:
    """Where columns of lines begin, the first at 0; only that one where the lines have none.

    >>> boundaries(["reed    3  a boat", "sedge  12  a barge of oak", "rush    5  a punt"])
    [0, 7, 11]
    >>> boundaries(["It was a dark and", "stormy night; the", "rain fell down on"])
    [0]
    """
    width = max(map(len, lines), default=0)
    free = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(width)]
    ends = [at + 1 for at, (here, behind) in enumerate(pairwise(free)) if here and not behind]
    first = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [0, *(end for end in ends if end > first and _parts_columns(lines, end))]


def _parts_columns(lines: Sequence[str], at: int) -> bool:
    """True for a gap before this place that is wide in most of the lines with something on both sides."""
    having = [line for line in lines if line[at:].strip()]
    wide = sum(_blanks_around(line, at) >= _WIDE for line in having)
    return len(having) > 1 and wide >= _MOSTLY * len(having)


def _blanks_around(line: str, at: int) -> int:
    """How many blanks stand in a line around a place."""
    before, behind = line[:at], line[at:]
    return len(before) - len(before.rstrip()) + len(behind) - len(behind.lstrip())


def is_ruled(line: str) -> bool:
    """True for a rule that is drawn in pieces, one for each column.

    >>> is_ruled("----- ---"), is_ruled("---+----"), is_ruled("--------")
    (True, True, False)
    """
    return _RULED.fullmatch(line) is not None


def ruled(rule: str) -> list[int]:
    """Where the columns below a rule in pieces begin.

    >>> ruled("----- ---")
    [0, 6]
    """
    starts = [piece.start() for piece in _PIECE.finditer(rule)]
    return [0, *starts[1:]]


def keeps_to(lines: Sequence[str], starts: Sequence[int]) -> bool:
    """True where nearly all lines have a gap before each column."""
    edges = [line[start - 1 : start] in ("", " ", "|", "+") for line in lines for start in starts[1:]]
    return sum(edges) >= _NEARLY_ALL * len(edges)


def cut(line: str, starts: Sequence[int]) -> list[str]:
    """The cells of a line.

    >>> cut("reed    3 | a boat", [0, 7, 10])
    ['reed', '3', 'a boat']
    """
    ends = [*starts[1:], len(line)]
    return [line[start:end].strip(" |") for start, end in zip(starts, ends, strict=True)]


def extents(rows: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """For each column where the text of its cells begins and ends."""
    ends = [*starts[1:], max(map(len, rows), default=0)]
    for start, end in zip(starts, ends, strict=True):
        cells = [row[start:end] for row in rows if row[start:end].strip()]
        left = min((len(cell) - len(cell.lstrip()) for cell in cells), default=0)
        right = max((len(cell.rstrip()) for cell in cells), default=end - start)
        yield start + left, start + right
