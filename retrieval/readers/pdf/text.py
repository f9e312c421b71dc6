"""The words of a PDF page as lines, and lines as headings, paragraphs and items.

The order is that of the page's content stream, which follows its columns. Larger text is a heading, bold stays bold, a
row of a table without lines becomes a line with bars between cells, and a line that recurs at the same place of most
pages is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from retrieval.readers.pdf.rows import rows_among
from retrieval.readers.pdf.tables import WORD_GAP, PageTable, is_bold, turned_text

SAME_LINE = 0.5
"""The share of the smaller height by which words of one line overlap vertically; raised words overlap less."""
_EDGE = 0.12
"""The share of a page, at top and bottom, for running heads and feet."""
_REPEATED, _LEAST_PAGES = 0.6, 3
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page: its words in order, each with its weight, its place in points, and its letter size."""

    words: tuple[tuple[str, bool], ...]
    left: float
    top: float
    bottom: float
    size: float
    right: float = 0.0
    height: float = 0.0
    """The height of the page."""
    cells: tuple[str, ...] = ()
    """The cells of a row without ruled lines; its bold words are neither a heading nor a label."""

    @property
    def text(self) -> str:
        """The words as text."""
        return " ".join(word for word, _ in self.words)

    @property
    def is_row(self) -> bool:
        """True for a row of a table without lines."""
        return bool(self.cells)

    @property
    def is_bold(self) -> bool:
        """True if every word is bold and the line is no row."""
        return not self.is_row and all(bold for _, bold in self.words)

    @property
    def is_at_edge(self) -> bool:
        """True for the place of running heads and feet."""
        return self.bottom < _EDGE * self.height or self.top > (1 - _EDGE) * self.height


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of a table that is implausible alone, and its words as lines in case no table continues it."""

    table: PageTable
    lines: tuple[Line, ...]


Part = Line | PageTable | Strip


def lines_of(page: Any, tables: Sequence[PageTable]) -> Iterator[Part]:
    """Yield the lines of a page and its tables, each table at its first word, but after the lines directly above it."""
    parts: list[Part] = []
    places: list[int] = []
    for part in _written(page, tables):
        if not isinstance(part, Line):
            places.append(len(parts))
            parts.append(part)
            continue
        later = next((n for n, at in enumerate(places) if _is_above(part, parts[at])), len(places))
        parts.insert(places[later] if later < len(places) else len(parts), part)
        places = [at + (n >= later) for n, at in enumerate(places)]
    yield from parts


def _is_above(line: Line, part: Part) -> bool:
    table = part.table if isinstance(part, Strip) else part
    if isinstance(table, Line):
        return False
    left, top, right, _ = table.box
    return line.bottom <= top + SAME_LINE * line.size and line.left < right and line.right > left


def _written(page: Any, tables: Sequence[PageTable]) -> Iterator[Part]:
    """Yield the lines and tables of a page in the order of its content stream, each table at its first word."""
    every_word = page.extract_words(
        use_text_flow=True, x_tolerance_ratio=WORD_GAP, extra_attrs=["fontname", "size"], return_chars=True
    )
    words = [word for word in every_word if word["upright"]] or every_word
    aside = [word for word in every_word if not word["upright"]] if len(words) < len(every_word) else []
    told: set[int] = set()
    for at, run in groupby(words, key=lambda word: _table_at(word, tables)):
        inside = list(run)
        if at is None:
            yield from _lines(inside, page)
        elif at not in told:
            told.add(at)
            every = [word for word in words if _is_inside(word, tables[at].box)]
            yield tables[at] if tables[at].is_whole else Strip(tables[at], tuple(_lines(every, page)))
    yield from _turned_lines([word for word in aside if _table_at(word, tables) is None], page)


def _turned_lines(words: Sequence[dict[str, Any]], page: Any) -> Iterator[Line]:
    """Yield rotated text along the edge of a page as running lines at its foot."""
    if not words:
        return
    text = turned_text([char for word in words for char in word["chars"]])
    sizes = Counter(round(word["size"] * 2) / 2 for word in words)
    for row in filter(None, map(str.split, text.split("\n"))):
        height = float(page.height)
        said = tuple((word, False) for word in row)
        yield Line(said, words[0]["x0"], height, height, sizes.most_common(1)[0][0], words[0]["x1"], height)


def _table_at(word: dict[str, Any], tables: Sequence[PageTable]) -> int | None:
    return next((n for n, table in enumerate(tables) if _is_inside(word, table.box)), None)


def _lines(words: Sequence[dict[str, Any]], page: Any) -> Iterator[Line]:
    told: list[list[dict[str, Any]]] = []
    for word in words:
        if not told or not _is_on(word, told[-1][-1]):
            told.append([])
        told[-1].append(word)
    for line, cells in zip(told, rows_among(told), strict=True):
        yield _line(line, page, cells)


def with_strips_resolved(pages: Sequence[Sequence[Part]]) -> list[list[Line | PageTable]]:
    """Turn each strip into a table if one continues it across the page end, else into lines."""
    found: list[list[Line | PageTable]] = []
    for number, page in enumerate(pages):
        before = _table_of(pages[number - 1][-1:]) if number else None
        after = _table_of(pages[number + 1][:1]) if number + 1 < len(pages) else None
        parts: list[Line | PageTable] = []
        for place, part in enumerate(page):
            if not isinstance(part, Strip):
                parts.append(part)
            elif _joins(part, before if not place else None, after if place == len(page) - 1 else None):
                parts.append(part.table)
            else:
                parts += part.lines
        found.append(parts)
    for upper, lower in pairwise(found):
        last, first = _table_of(upper[-1:]), _table_of(lower[:1])
        if last is not None and first is not None and first.continues(last):
            upper[-1], lower[0] = last.with_end_of_row(first)
    return found


def _table_of(parts: Sequence[Part]) -> PageTable | None:
    part = parts[0] if parts else None
    return part.table if isinstance(part, Strip) else part if isinstance(part, PageTable) else None


def _joins(strip: Strip, before: PageTable | None, after: PageTable | None) -> bool:
    return any(other is not None and strip.table.continues(other) for other in (before, after))


def running_lines(pages: Sequence[Sequence[Part]]) -> set[tuple[str, int]]:
    """Return what recurs at the same place of most pages, apart from numbers: heads, feet and page numbers."""
    seen = Counter(key for page in pages for key in {running_key(line) for line in page if isinstance(line, Line)})
    least = max(_LEAST_PAGES, _REPEATED * len(pages) / 2)
    return {key for key, count in seen.items() if key is not None and count >= least}


def running_key(line: Line) -> tuple[str, int] | None:
    """Return the identity of a running head or foot: its words without numbers, and its place; `None` elsewhere."""
    return (_DIGITS.sub("#", line.text), round(line.top / 4)) if line.is_at_edge else None


def _line(words: Sequence[dict[str, Any]], page: Any, cells: tuple[str, ...]) -> Line:
    sizes = Counter(round(word["size"] * 2) / 2 for word in words for _ in word["text"])
    return Line(
        tuple((word["text"], is_bold(word["fontname"])) for word in words),
        words[0]["x0"], min(word["top"] for word in words), max(word["bottom"] for word in words),
        sizes.most_common(1)[0][0], words[-1]["x1"], float(page.height), cells,
    )  # fmt: skip


def _is_on(word: dict[str, Any], before: dict[str, Any]) -> bool:
    """True if a word is on the line of the one before, to its right."""
    height = min(word["bottom"] - word["top"], before["bottom"] - before["top"])
    beside = min(word["bottom"], before["bottom"]) - max(word["top"], before["top"])
    return bool(beside > SAME_LINE * height and word["x0"] >= before["x0"])


def _is_inside(word: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
    across, down = (word["x0"] + word["x1"]) / 2, (word["top"] + word["bottom"]) / 2
    return bool(box[0] <= across <= box[2] and box[1] <= down <= box[3])
