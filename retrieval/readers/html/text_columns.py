"""Find the columns of plain text: aligned blanks, or a rule drawn in pieces.

Lines form columns if no line has a letter in the gap of the others, and the gap is wider than a space in most of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_RULED = re.compile(r"\s*(?:[-=_~]{2,}|[-=_~])(?:[ |+]+[-=_~]+)+[ |+]*")
_PIECE = re.compile(r"[-=_~]+")
WIDE_GAP = re.compile(r"\S {2,}\S")
"""A gap between two columns, in one line."""
_WIDE = 2
"""The blanks of a gap wider than a space."""
_MOSTLY = 0.6
"""The share of the lines with text behind a gap in which it must be wide."""
_NEARLY_ALL = 0.8


def boundaries(lines: Sequence[str]) -> list[int]:
    """Return where the columns of lines begin, the first at 0; only 0 if the lines have no columns.

    >>> boundaries(["reed    3  a boat", "sedge  12  a barge of oak", "rush    5  a punt"])
    [0, 7, 11]
    >>> boundaries(["It was a dark and", "stormy night; the", "rain fell down on"])
    [0]
    """
    width = max(map(len, lines), default=0)
    free = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(width)]
    ends = [at + 1 for at, (here, behind) in enumerate(pairwise(free)) if here and not behind]
    first = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    starts = [end for end in ends if end > first and _parts_columns(lines, end)]
    columns = pairwise([*starts, width])
    return [0, *(start for start, end in columns if not _are_last_words([line[:end] for line in lines], start))]


def _are_last_words(lines: Sequence[str], at: int) -> bool:
    """True if few lines have something behind this place, and all of these a single space before it: *0.5 V* above
    *Link 1.1* are no two columns.
    """
    having = [line for line in lines if line[at:].strip()]
    are_joined = all(line[at : at + 1].strip() and _blanks_around(line, at) < _WIDE for line in having)
    return are_joined and len(having) < _MOSTLY * len(lines)


def _parts_columns(lines: Sequence[str], at: int) -> bool:
    """True if the gap before this place is wide in most of the lines with text behind it."""
    having = [line for line in lines if line[at:].strip()]
    wide = sum(_blanks_around(line, at) >= _WIDE for line in having)
    return len(having) > 1 and wide >= _MOSTLY * len(having)


def _blanks_around(line: str, at: int) -> int:
    """Count the blanks around a place in a line."""
    before, behind = line[:at], line[at:]
    return len(before) - len(before.rstrip()) + len(behind) - len(behind.lstrip())


def is_ruled(line: str) -> bool:
    """True for a rule drawn in pieces, one for each column.

    >>> is_ruled("----- ---"), is_ruled("---+----"), is_ruled("--------")
    (True, True, False)
    """
    return _RULED.fullmatch(line) is not None


def ruled(rule: str, rows: Sequence[str] = ()) -> list[int]:
    """Return where the columns below a rule in pieces begin. Names that stand before its first piece in most `rows` are
    a column of their own.

    >>> ruled("----- ---"), ruled("      ---  ---", ["Reed    3   12"])
    ([0, 6], [0, 6, 11])
    """
    first, *starts = [piece.start() for piece in _PIECE.finditer(rule)]
    told = [row for row in rows if row.strip()]
    named = sum(bool(row[:first].strip()) and row[first - 1 : first] in ("", " ") for row in told) if first else 0
    return [0, *([first] if told and named >= _NEARLY_ALL * len(told) else []), *starts]


def is_title(line: str, starts: Sequence[int]) -> bool:
    """True for running words across columns, *Fees of the year 2024*, above the line of heads.

    >>> is_title("Fees of the year 2024", [0, 9, 15]), is_title("Max Min", [0, 4])
    (True, False)
    """
    crossed = [start for start in starts[1:] if line[start:].strip()]
    is_running = WIDE_GAP.search(line.strip()) is None
    return is_running and any(line[start - 1] != " " or line[start] == " " for start in crossed)


def keeps_to(lines: Sequence[str], starts: Sequence[int]) -> bool:
    """True if nearly all lines have a gap before each column."""
    edges = [line[start - 1 : start] in ("", " ", "|", "+") for line in lines for start in starts[1:]]
    return sum(edges) >= _NEARLY_ALL * len(edges)


def cut(line: str, starts: Sequence[int]) -> list[str]:
    """Return the cells of a line.

    >>> cut("reed    3 | a boat", [0, 7, 10])
    ['reed', '3', 'a boat']
    """
    ends = [*starts[1:], len(line)]
    return [line[start:end].strip(" |") for start, end in zip(starts, ends, strict=True)]


def extents(rows: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield for each column where its text begins and ends."""
    ends = [*starts[1:], max(map(len, rows), default=0)]
    for start, end in zip(starts, ends, strict=True):
        cells = [row[start:end] for row in rows if row[start:end].strip()]
        left = min((len(cell) - len(cell.lstrip()) for cell in cells), default=0)
        right = max((len(cell.rstrip()) for cell in cells), default=end - start)
        yield start + left, start + right
