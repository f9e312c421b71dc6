"""The pages of a PDF as Markdown, with a mark at the start of each page and the position of each block.

The Markdown is parsed as any other; its blocks are found again by line and get their boxes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.readers.documents.document import Document, Paragraph, Placed
from retrieval.readers.html.tables import INFERRED
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.pdf.paragraphs import body_size, heading_sizes, is_hyphenated_word, paragraphs, runs_over
from retrieval.readers.pdf.tables import PageTable, html_rows
from retrieval.readers.pdf.text import Line
from retrieval.tabular import Box, Boxes

Page = Sequence[Line | PageTable]


@dataclass(frozen=True, slots=True)
class _Spot:
    """The position of the block that begins on a line of the Markdown; `goes_on` if it continues the one above."""

    line: int
    page: int
    box: Box
    goes_on: bool


def document_of_pages(pages: Sequence[Page], odd: Sequence[tuple[int, str]]) -> Document:
    """Return the document of these pages; `odd` lists the file's oddities as (line, message)."""
    writing = _Writing(heading_sizes(pages, body_size(pages)))
    for number, blocks in enumerate(pages, start=1):
        writing.add_page(number, blocks)
    found = document_of(writing.text(), odd=odd)
    _set_boxes(found, writing.spots)
    return found


class _Writing:
    """The Markdown so far, and the open table at the end of its last page, which may continue on the next one."""

    def __init__(self, ranks: Sequence[float]) -> None:
        self.spots: list[_Spot] = []
        self._ranks = ranks
        self._lines: list[str] = []
        self._count = 0
        self._page = 0
        self._open: PageTable | None = None
        self._before: list[Line] = []
        """The lines of the previous page, if it ends with a paragraph."""

    def text(self) -> str:
        """Return the whole Markdown."""
        self._close()
        return "\n".join(self._lines)

    def add_page(self, number: int, blocks: Page) -> None:
        """Write the lines and tables of a page."""
        self._page = number
        first = blocks[0] if blocks else None
        if self._open is not None and not (isinstance(first, PageTable) and first.continues(self._open)):
            self._close()
        lines = [block for block in blocks if isinstance(block, Line)]
        is_on = isinstance(first, Line) and runs_over(self._before, lines, self._ranks)
        if not is_on:
            self._add(f"<!-- page {number} -->")
        if self._open is None and not is_on:
            self._add("")
        self._before = lines if blocks and isinstance(blocks[-1], Line) else []
        held: list[Line] = []
        for place, block in enumerate(blocks):
            if isinstance(block, Line):
                self._close()
                held.append(block)
                continue
            self._add_paragraphs(held, is_on=is_on)
            held, is_on = [], False
            self._add_table(block, may_go_on=not place)
        self._add_paragraphs(held, is_on=is_on)

    def _add_paragraphs(self, lines: Sequence[Line], *, is_on: bool) -> None:
        """Write lines; with `is_on` the first paragraph continues the one above."""
        for place, (text, box) in enumerate(paragraphs(lines, self._ranks)):
            if is_on and not place:
                self._go_on(text, box)
            else:
                self._add(text, box, goes_on=text.startswith("- "))
            self._add("")

    def _go_on(self, text: str, box: Box) -> None:
        """Append a text to the last paragraph, with the page mark between them, or before a word divided by the page
        break.
        """
        self._lines.pop()  # the blank line
        above = self._lines.pop()
        self._count -= above.count("\n") + 2
        if is_hyphenated_word(above, text):
            above, _, begun = above[:-1].rpartition(" ")
            text = begun + text
        self._add(f"{above} <!-- page {self._page} -->{text}")
        self.spots.append(_spot(self._count - text.count("\n"), self._page, box, goes_on=True))

    def _add_table(self, table: PageTable, *, may_go_on: bool) -> None:
        if self._open is not None and may_go_on and table.continues(self._open):
            rows = list(html_rows(table.without_heads_of(self._open)))
            self._add("\n".join(rows), table.box, goes_on=True) if rows else None
            return
        self._close()
        self._add(f"<table {INFERRED}>" if table.is_inferred else "<table>", table.box)
        for row in html_rows(table.rows):
            self._add(row)
        self._open = table

    def _close(self) -> None:
        if self._open is not None:
            self._open = None
            self._add("</table>")
            self._add("")

    def _add(self, text: str, box: Box | None = None, *, goes_on: bool = False) -> None:
        if box is not None:
            self.spots.append(_spot(self._count + 1, self._page, box, goes_on=goes_on))
        self._lines.append(text)
        self._count += text.count("\n") + 1


def _spot(line: int, page: int, box: Box, *, goes_on: bool) -> _Spot:
    left, top, right, bottom = (round(float(edge), 1) for edge in box)
    return _Spot(line, page, (left, top, right, bottom), goes_on)


def _set_boxes(document: Document, spots: Sequence[_Spot]) -> None:
    """Set the boxes of each block of the document. What has no block, such as a heading, has none."""
    lines = sorted({block.line for section in document.sections for block in section.blocks})
    found = dict(_by_line(lines, spots))
    for section in document.sections:
        section.blocks = [_with_boxes(block, found.get(block.line, ())) for block in section.blocks]


def _by_line(lines: Sequence[int], spots: Sequence[_Spot]) -> Iterator[tuple[int, Boxes]]:
    own: dict[int, list[tuple[int, Box]]] = {}
    for spot in spots:
        at = bisect_right(lines, spot.line) - 1
        if at >= 0 and (lines[at] == spot.line or spot.goes_on):
            own.setdefault(lines[at], []).append((spot.page, spot.box))
    yield from ((line, tuple(boxes)) for line, boxes in own.items())


def _with_boxes(block: Paragraph | Placed, boxes: Boxes) -> Paragraph | Placed:
    if isinstance(block, Paragraph):
        return replace(block, boxes=boxes)
    return replace(block, table=replace(block.table, boxes=boxes))
