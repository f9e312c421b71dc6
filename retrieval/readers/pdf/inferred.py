"""Tables of a PDF without lines: camelot's *network* infers rows and columns from the white between words.

Half of such tables come out wrong somewhere. So only areas around the ruled tables whose words stand in columns are
searched; anything unlike a table is left alone, and each table kept is marked as inferred.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from retrieval.errors import MissingExtra
from retrieval.readers.documents.extras import require
from retrieval.readers.pdf.areas import Area, areas_around
from retrieval.readers.pdf.tables import WORD_GAP, Letters, PageTable, table_of_boxes
from retrieval.tabular import Box

_WIDE = 1.5
"""The white between two words of a line, in letter heights, that may separate columns."""
_NEAR = 0.5
"""The white between two words of a phrase, likewise."""
_REACH = 2.0
"""The points by which a phrase must extend on both sides of a border to cross it."""
_OVERHANG = 12.0
"""The points by which a table's line may cross its outer edges; prose extends farther."""
_PITCH = 1.25
"""The largest distance between lines of one cell, in line heights."""
_FARTHEST = 1.5
"""How much farther than the largest row distance the heads may be from the first row."""
_LEAST_LINES = 3
_LEAST_ROWS = 3
_LEAST_COLUMNS = 2
_MOST_WORDS = 6
"""The most words of a cell on average; columns of prose have more."""
Span = tuple[float, float]
"""Left and right, in points."""
_ACCURACY = 90.0
"""The least per cent of words that lie well inside their cells, as camelot reports it."""


class Inferring:
    """Infers the tables of one file if camelot is installed; else records which pages may have some."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._missing = ""
        self._pages: list[int] = []

    def tables(self, page: Any, ruled: Sequence[Box]) -> list[PageTable]:
        """Return the tables of a pdfplumber page around its ruled ones, from the top down."""
        words = page.extract_words(x_tolerance_ratio=WORD_GAP)
        left, top, right, bottom = map(float, page.bbox)
        found = [] if page.rotation else areas_around((left, top, right, bottom), ruled, words)
        areas = [area for area in found if stands_in_columns(area.words)]
        if not areas:
            return []
        try:
            camelot = require("camelot", "tables", str(self._path))
        except MissingExtra as error:
            self._missing = error.message
            self._pages.append(page.page_number)
            return []
        tables = [table for area in areas for table in self._inferred(camelot, page, area, is_alone=not ruled)]
        return sorted(tables, key=lambda table: table.box[1])

    def _inferred(self, camelot: Any, page: Any, area: Area, *, is_alone: bool) -> Iterator[PageTable]:
        """Yield the tables of an area; `is_alone` if its page has no ruled tables."""
        left, top, right, bottom = area.box
        foot = float(page.bbox[3])
        place = {} if is_alone else {"table_areas": [f"{left},{foot - top},{right},{foot - bottom}"]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = camelot.read_pdf(
                str(self._path), pages=str(page.page_number), flavor="network", suppress_stdout=True, **place
            )
        for table in found:
            if table.accuracy >= _ACCURACY and (read := _read(page, table, area.words)) is not None:
                yield read

    def odd(self) -> list[tuple[int, str]]:
        """Return the warning for a file that needs camelot, if it is not installed."""
        if not self._pages:
            return []
        pages = ", ".join(map(str, self._pages[:5])) + (", …" if len(self._pages) > 5 else "")
        noun = "page" if len(self._pages) == 1 else "pages"
        return [
            (1, f"tables without lines stay text ({noun} {pages}); to infer their rows and columns, it {self._missing}")
        ]


def stands_in_columns(words: Sequence[dict[str, Any]]) -> bool:
    """True if several lines have white between words that is wider than any space.

    >>> line = [{"x0": 0, "x1": 9, "top": 0, "bottom": 10}, {"x0": 90, "x1": 99, "top": 0, "bottom": 10}]
    >>> stands_in_columns([word | {"bottom": at} for at in (10, 30, 50) for word in line])
    True
    """
    ordered = sorted(words, key=lambda word: (round(word["bottom"]), word["x0"]))
    found = set()
    for before, word in pairwise(ordered):
        is_on_line = round(before["bottom"]) == round(word["bottom"])
        if is_on_line and word["x0"] - before["x1"] > _WIDE * (word["bottom"] - word["top"]):
            found.add(round(word["bottom"]))
    return len(found) >= _LEAST_LINES


def _read(page: Any, table: Any, words: Sequence[dict[str, Any]]) -> PageTable | None:
    """Return the table of these words that camelot found; None if it does not look like one."""
    foot = float(page.bbox[3])
    top, bottom = foot - float(table.rows[0][0]), foot - float(table.rows[-1][1])
    lines = _with_heads([_Line(run) for run in _runs(words)], top, bottom)
    columns = _columns(lines, [(float(left), float(right)) for left, right in table.cols])
    kept = _within(lines, columns)
    if len(kept) < _LEAST_ROWS:
        return None
    rows = _rows(kept)
    borders = [rows[0][0].top, *((a[-1].bottom + b[0].top) / 2 for a, b in pairwise(rows)), rows[-1][-1].bottom]
    boxes = [
        (left, above, right, below)
        for row, (above, below) in zip(rows, pairwise(borders), strict=True)
        for left, right in _joined(columns, row)
    ]
    found = table_of_boxes(Letters(page), boxes, is_inferred=True)
    if found is None or not found.is_whole:
        return None
    filled = [cell.text for row in found.rows for cell in row if cell.text]
    is_prose = sum(len(text.split()) for text in filled) > _MOST_WORDS * len(filled)
    return None if is_prose or len(found.rows) < _LEAST_ROWS else found


class _Line:
    """Adjacent words and the phrases that they form: words as near as in a sentence."""

    def __init__(self, words: Sequence[dict[str, Any]]) -> None:
        self.top = min(float(word["top"]) for word in words)
        self.bottom = max(float(word["bottom"]) for word in words)
        self.phrases: list[Span] = []
        for word in words:
            near = _NEAR * (word["bottom"] - word["top"])
            if self.phrases and word["x0"] - self.phrases[-1][1] <= near:
                self.phrases[-1] = (self.phrases[-1][0], max(self.phrases[-1][1], word["x1"]))
            else:
                self.phrases.append((word["x0"], word["x1"]))

    def reaches_over(self, border: float, reach: float = _REACH) -> bool:
        """True if a phrase extends on both sides of a border."""
        return any(left < border - reach and right > border + reach for left, right in self.phrases)


def _runs(words: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the words by line, each line from left to right."""
    runs: list[list[dict[str, Any]]] = []
    for word in sorted(words, key=lambda word: word["bottom"]):
        if runs and word["bottom"] - runs[-1][-1]["bottom"] < _REACH:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [sorted(run, key=lambda word: word["x0"]) for run in runs]


def _with_heads(lines: Sequence[_Line], top: float, bottom: float) -> list[_Line]:
    """Return the lines between two heights, and lines directly above with several phrases, as heads have."""
    inside = [place for place, line in enumerate(lines) if top <= (line.top + line.bottom) / 2 < bottom]
    if len(inside) < _LEAST_ROWS:
        return []
    first, last = inside[0], inside[-1]
    farthest = _FARTHEST * max(lines[at + 1].bottom - lines[at].bottom for at in range(first, last))
    while (
        first
        and len(lines[first - 1].phrases) >= _LEAST_COLUMNS
        and lines[first].bottom - lines[first - 1].bottom <= farthest
    ):
        first -= 1
    return list(lines[first : last + 1])


def _columns(lines: Sequence[_Line], guessed: Sequence[Span]) -> list[Span]:
    """Return the columns from the lines with a phrase in each; the guessed ones if these lines disagree."""
    whole = [line.phrases for line in lines if len(line.phrases) == len(guessed)]
    if not whole:
        return list(guessed)
    spans = [(min(left for left, _ in own), max(right for _, right in own)) for own in zip(*whole, strict=True)]
    if _overlap(spans):
        return list(guessed)
    wider = _widened(spans, [phrase for line in lines for phrase in line.phrases])
    spans = spans if _overlap(wider) else wider
    inner = [(before[1] + after[0]) / 2 for before, after in pairwise(spans)]
    left, right = min(spans[0][0], guessed[0][0]), max(spans[-1][1], guessed[-1][1])
    return list(pairwise([left, *inner, right]))


def _overlap(spans: Sequence[Span]) -> bool:
    return any(before[1] >= after[0] for before, after in pairwise(spans))


def _widened(spans: Sequence[Span], phrases: Sequence[Span]) -> list[Span]:
    """Widen the column spans to include each phrase that touches exactly one of them."""
    wider = list(spans)
    for left, right in phrases:
        touched = [place for place, span in enumerate(spans) if span[0] < right and left < span[1]]
        if len(touched) == 1:
            own = wider[touched[0]]
            wider[touched[0]] = (min(own[0], left), max(own[1], right))
    return wider


def _within(lines: Sequence[_Line], columns: Sequence[Span]) -> Sequence[_Line]:
    """Return the lines between prose above and below, which crosses the edges; none if prose stands between them.

    A lone phrase above is not a head unless it stands over other columns than the first.
    """
    (left, first), right = columns[0], columns[-1][1]
    over = [line.reaches_over(left, _OVERHANG) or line.reaches_over(right, _OVERHANG) for line in lines]
    kept = [place for place, is_over in enumerate(over) if not is_over]
    while kept and len(lines[kept[0]].phrases) < _LEAST_COLUMNS and lines[kept[0]].phrases[0][0] < first:
        kept = kept[1:]
    if not kept or any(over[kept[0] : kept[-1]]):
        return ()
    return lines[kept[0] : kept[-1] + 1]


def _rows(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Group lines into rows: if some are farther apart than lines of one text, close lines continue a cell."""
    gaps = [below.bottom - above.bottom for above, below in pairwise(lines)]
    height = sorted(line.bottom - line.top for line in lines)[len(lines) // 2]
    close = [gap <= _PITCH * height for gap in gaps]
    apart = [gap for gap, is_close in zip(gaps, close, strict=True) if not is_close]
    if len(apart) < _LEAST_ROWS - 1:
        return [[line] for line in lines]
    rows = [[lines[0]]]
    for line, is_close in zip(lines[1:], close, strict=True):
        if is_close:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _joined(columns: Sequence[Span], row: Sequence[_Line]) -> list[Span]:
    """Return the edges of a row's cells: columns whose border a phrase crosses form one cell."""
    cells: list[Span] = []
    for left, right in columns:
        if cells and any(line.reaches_over(left) for line in row):
            cells[-1] = (cells[-1][0], right)
        else:
            cells.append((left, right))
    return cells
