"""Page marks such as `<!-- page 12 -->`, or those of a converter: on which page of the printed book a text stands.

The marks are removed before the text is parsed, so that they split neither tables nor sentences, and lines keep the
numbers of the file. Afterwards each block gets the page on which it begins, and how much of it precedes each page that
begins inside it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

WORD = re.compile(r"[^\W_]\S*")
"""The unit of prose; list bullets are not words."""
ROW = re.compile(r"^[\s>]*\||<tr\b", re.IGNORECASE | re.MULTILINE)
"""The unit of a table's source."""
_MARK = re.compile(r"<!--[ \t]*page(?:[ \t]*:)?[ \t]*(\d{1,6})[ \t]*-->[ \t]*", re.IGNORECASE)
_SLIDE = re.compile(r"<!--[ \t]*slide number:[ \t]*(\d{1,6})[ \t]*-->", re.IGNORECASE)
"""markitdown's mark at the start of a slide."""
_COUNTED_FROM_0 = re.compile(r"^\{(\d{1,6})\}-{48}[ \t]*$", re.MULTILINE)
"""marker's mark at the start of a page."""
_END = re.compile(r"^--- end of page(?P<from_1>\.page_number)?=(?P<page>\d{1,6}) ---[ \t]*$", re.MULTILINE)
"""PyMuPDF4LLM's mark at the end of a page; it counts from 0 unless it says otherwise."""
_BREAK = re.compile(r"<!--[ \t]*page[ _-]?break[ \t]*-->|\f", re.IGNORECASE)
"""A page break without a number: docling, Azure's Document Intelligence, and pdftotext."""
_LINE_END = re.compile(r"\r\n?|\n")
_SPACE = re.compile(r"\s*")
_BOLD_LINE = re.compile(r"\s*(\*\*|__)(?=\S)[^*_]*\1\s*")


@dataclass(frozen=True, slots=True)
class Pages:
    """The page on which a block begins, and each later page with the words or rows of the block before it.

    >>> pages = Pages(12, ((40, 13),))
    >>> pages.after(39), pages.after(40)
    (12, 13)
    """

    first: int | None = None
    later: tuple[tuple[int, int], ...] = ()

    def after(self, amount: int) -> int | None:
        """Return the page after so many words or rows of the block; `None` before the first mark."""
        return next((page for before, page in reversed(self.later) if before <= amount), self.first)


NO_PAGES = Pages()


@dataclass(frozen=True, slots=True)
class Unmarked:
    """A text without its marks, the file's lines without them, and the line of the file for each line of the text."""

    text: str
    lines: Sequence[str]
    places: Sequence[int]


class PageMarks:
    r"""The page marks of one file.

    >>> PageMarks("# Bears\n<!-- page 7 -->\nThey sleep.").pages(3, 4, 2, WORD)
    Pages(first=7, later=())
    """

    def __init__(self, text: str) -> None:
        self._text = text = _with_marks(text)
        self._marks = [(mark.start(), mark.end(), int(mark[1])) for mark in _MARK.finditer(text)]
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def unmarked(self) -> Unmarked:
        """Return the text without marks; a line with nothing but marks is dropped or empty."""
        lines = _LINE_END.split(self._text)
        if not self._marks:
            return Unmarked(self._text, lines, range(len(lines) + 1))
        bare = [_without_marks(line) for line in lines]
        kept: list[str] = []
        places: list[int] = []
        for place, (line, marked) in enumerate(zip(bare, lines, strict=True)):
            is_mark = line != marked and not line.strip()
            if not (is_mark and _go_together(kept[-1:], bare[place + 1 : place + 2])):
                kept.append(line)
                places.append(place)
        return Unmarked("\n".join(kept), bare, [*places, len(lines)])

    def pages(self, line: int, end: int, amount: int, unit: re.Pattern[str]) -> Pages:
        """Return the pages of a block that begins on this line, if the next one begins on line `end`.

        Lines count from 1. `amount` is the number of units, words or rows, in the block. They are counted from its end,
        since its start may hold other things, such as the heads of a table.
        """
        begins, until = self._start(line), self._start(max(line, end))
        first = bisect_left(self._marks, (begins,))
        while first < len(self._marks) and self._marks[first][0] == self._next_word(begins):
            begins, first = self._marks[first][1], first + 1
        later = []
        for start, after, page in reversed(self._marks[first : bisect_left(self._marks, (until,))]):
            amount -= len(unit.findall(self._text, after, until))
            later.append((max(0, amount), page))
            until = start
        return Pages(self._marks[first - 1][2] if first else None, tuple(reversed(later)))

    def _next_word(self, place: int) -> int:
        space = _SPACE.match(self._text, place)
        return space.end() if space else place

    def _start(self, line: int) -> int:
        return self._starts[line - 1] if line <= len(self._starts) else len(self._text)


def _with_marks(text: str) -> str:
    r"""Convert the marks of other programs to ours; the line numbers stay.

    >>> _with_marks("Oak\fElm")
    '<!-- page 1 -->Oak<!-- page 2 -->Elm'
    """
    if _MARK.search(text):
        return text
    if _SLIDE.search(text):
        return _SLIDE.sub(lambda mark: _mark(int(mark[1])), text)
    if _COUNTED_FROM_0.search(text):
        return _COUNTED_FROM_0.sub(lambda mark: _mark(int(mark[1]) + 1), text)
    if first := _END.search(text):
        return _mark(_ended(first)) + _END.sub(lambda mark: _mark(_ended(mark) + 1), text)
    if not _BREAK.search(text):
        return text
    numbers = count(2)
    return _mark(1) + _BREAK.sub(lambda _: _mark(next(numbers)), text)


def _mark(page: int) -> str:
    return f"<!-- page {page} -->"


def _ended(mark: re.Match[str]) -> int:
    """Return the number, from 1, of the page that a mark ends."""
    return int(mark["page"]) + (0 if mark["from_1"] else 1)


def words_in(text: str) -> int:
    """Return the number of words in a text, as pages count them.

    >>> words_in("- a long-sword, +1")
    3
    """
    return len(WORD.findall(text))


def _without_marks(line: str) -> str:
    def space(mark: re.Match[str]) -> str:
        return " " if line[max(0, mark.start() - 1) : mark.start()].strip() else ""

    return _MARK.sub(space, line)


def _go_together(before: Sequence[str], after: Sequence[str]) -> bool:
    """True if the lines around a mark belong to one table, or neither is of a table and the first is no bold
    heading.
    """
    rows = {"".join(line).lstrip(" \t>").startswith("|") for line in (before, after)}
    return len(rows) == 1 and not _BOLD_LINE.fullmatch("".join(before))
