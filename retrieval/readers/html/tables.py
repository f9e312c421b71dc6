"""HTML tables as grids: a spanning cell is repeated in every row and column that it covers.

Spans are only numbers, so a few bytes can claim millions of cells. A table that would repeat its text too often is kept
as text, and so is text in a table outside its cells.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.readers.documents.tables import Cell, Grid, build, clean, stacked
from retrieval.readers.html.definitions import definition_lines, shared_labels
from retrieval.readers.html.layout import has_tables, without_layout_tables
from retrieval.readers.html.tree import Element, read_html, strings
from retrieval.readers.labels.cell_lines import with_label_columns
from retrieval.readers.labels.labelled_cells import as_record
from retrieval.readers.labels.paired_cells import unpaired
from retrieval.types import Table

INFERRED = "data-inferred"
"""The attribute that marks a table whose rows and columns a reader inferred."""
HEADS = "data-head-rows"
"""The attribute with a table's number of header rows, if a reader knows it."""
_LINE_END = "\v"
"""A line-end mark that no page contains."""
_MAX_SPAN = 200
MOST_REPEATED = 30
"""The most times, on average, that spans and missing cells may repeat each character of a table."""
_ALWAYS_REPEATED = 20_000
"""The characters that any table may fill in, however short it is."""


@dataclass(frozen=True, slots=True)
class _Span:
    cell: Cell
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class _FoundCell:
    element: Element
    in_head: bool


@dataclass(slots=True)
class _Found:
    """The parts of a table: its rows of cells, without those of inner tables, and its caption."""

    rows: list[list[_FoundCell]]
    caption: Element | None
    apart: set[int]

    def is_apart(self, element: Element) -> bool:
        """True for cells and the caption, whose text is read separately."""
        return id(element) in self.apart


def html_blocks(html: str, warn: list[tuple[int, str]]) -> list[Table | str]:
    """Read a piece of HTML: its outermost tables and the text around them, in order.

    Rowspan, colspan and a missing `thead` are handled. A table without a body becomes text. A list becomes lines, *-
    item* or *term* and *: meaning*, as in Markdown. Oddities are added to `warn` as (line, message), counted from 0.
    """
    root, odd = read_html(html)
    root = without_layout_tables(root)
    warn += odd
    found: list[Table | str] = []
    around: list[str] = []
    holds_tables = has_tables(root)
    for part in strings(root.children, _is_table if holds_tables else _is_list):
        if isinstance(part, str):
            around.append(part)
            continue
        if not holds_tables:
            found += [clean("".join(around)), *_listed(part)]
            around = []
            continue
        table, rest = _read_table(part, warn)
        if table is None:
            around += [" ", rest, " "]
        else:
            found += [clean("".join(around)), table]
            around = [rest]
    found.append(clean("".join(around)))
    return [part for part in found if part]


def _is_table(element: Element) -> bool:
    return element.tag == "table"


def _is_list(element: Element) -> bool:
    return element.tag in ("dl", "ol", "ul")


def _listed(element: Element) -> Iterator[Table | str]:
    """Yield a list as text and, for definitions, the table of labels that its terms share."""
    if element.tag != "dl":
        yield "\n".join(_items(element))
        return
    yield "\n".join(definition_lines(element))
    if (shared := shared_labels(element)) is not None:
        yield shared


def _items(element: Element) -> Iterator[str]:
    """Yield the lines of a list; other text in it is a line of its own."""
    beside: list[str] = []
    for part in strings(element.children, lambda inner: inner.tag == "li"):
        if isinstance(part, str):
            beside.append(part)
        elif text := clean("".join(each for each in strings(part.children, _never) if isinstance(each, str))):
            yield f"- {text}"
    if text := clean("".join(beside)):
        yield text


def _never(_: Element) -> bool:
    return False


def _read_table(element: Element, warn: list[tuple[int, str]]) -> tuple[Table | None, str]:
    """Return the table and its text outside cells; without a body, None and all its text."""
    found = _find(element)
    rows = [[_spanning(cell, found) for cell in row] for row in found.rows]
    caption = _text(found.caption.children, found) if found.caption else ""
    grid = _laid_out(rows)
    if grid is None:
        warn.append(
            (0, f"a table that its spans and missing cells repeat more than {MOST_REPEATED} times; kept as text")
        )
    elif (table := _built(_trimmed(grid), caption, _rows_of_heads(element, found))) is not None:
        return replace(stacked(as_record(table)), is_inferred=INFERRED in element.attributes), _text(
            element.children, found
        )
    cells = " ".join(span.cell.text for row in rows for span in row)
    return None, " ".join([caption, cells, _text(element.children, found)])


def _built(grid: Grid, caption: str, header_rows: int | None) -> Table | None:
    pairs = unpaired(grid)
    return build(with_label_columns(grid), caption, header_rows) if pairs is grid else build(pairs, caption)


def _ruled_heads(rows: Sequence[Sequence[_FoundCell]]) -> int | None:
    """Return 1 if the first of several two-cell rows is the only one with `th` cells: *Source*, *What it has*.

    Bold names below it then don't make it a record. None leaves it to the cells.
    """
    ruled = [[cell.element.tag == "th" for cell in row] for row in rows if row]
    is_head = len(ruled) > 1 and ruled[0] == [True, True] and not any(map(any, ruled[1:]))
    return 1 if is_head and all(len(row) == 2 for row in ruled) else None


def _rows_of_heads(element: Element, found: _Found) -> int | None:
    """Return the number of header rows that a table declares."""
    said = element.attributes.get(HEADS, "")
    return int(said) if said.isdecimal() else _ruled_heads(found.rows)


def _find(table: Element) -> _Found:
    found = _Found([], None, set())
    loose: list[_FoundCell] | None = None
    stack: list[tuple[Element | str, list[_FoundCell] | None, bool]] = [(c, None, False) for c in table.children[::-1]]
    while stack:
        item, row, in_head = stack.pop()
        if isinstance(item, str) or item.tag == "table":
            continue
        if item.tag == "tr":
            row, loose = [], None
            found.rows.append(row)
        elif item.tag in ("td", "th"):
            if row is None and loose is None:
                loose = []  # cells without a row form one row, as in a browser
                found.rows.append(loose)
            row = loose if row is None else row
            assert row is not None
            row.append(_FoundCell(item, in_head))
            found.apart.add(id(item))
        elif item.tag == "caption" and found.caption is None:
            found.caption = item
            found.apart.add(id(item))
        inside = in_head or item.tag == "thead"
        stack += [(child, row, inside) for child in reversed(item.children)]
    return found


def _text(nodes: Sequence[Element | str], found: _Found) -> str:
    return clean("".join(part for part in strings(nodes, found.is_apart) if isinstance(part, str)))


def _spanning(cell: _FoundCell, found: _Found) -> _Span:
    element = cell.element
    head = cell.in_head or element.tag == "th" or _is_bold(element, found)
    text = _listed_text(element) or _text(element.children, found)
    told = Cell(text, head, lines=tuple(_lines(element.children, found)))
    return _Span(told, _span(element, "rowspan"), _span(element, "colspan"))


def _listed_text(cell: Element) -> str:
    """Return the items of a list that is all there is in a cell, with commas between them; else empty."""
    inner = [child for child in cell.children if not isinstance(child, str) or child.strip()]
    if len(inner) != 1 or isinstance(inner[0], str) or inner[0].tag not in ("ol", "ul"):
        return ""
    items = [line.removeprefix("- ") for line in _items(inner[0])]
    return "" if any("," in item for item in items) else ", ".join(items)


def _lines(nodes: Sequence[Element | str], found: _Found) -> Iterator[str]:
    """Yield the lines of a cell as a page shows them."""
    said = "".join(part for part in strings(nodes, found.is_apart, _LINE_END) if isinstance(part, str))
    yield from filter(None, map(clean, said.split(_LINE_END)))


def _span(cell: Element, name: str) -> int:
    digits = re.match(r"\s*(\d{1,9})", cell.attributes.get(name) or "1")
    return min(max(int(digits[1]), 1), _MAX_SPAN) if digits else 1


def _is_bold(cell: Element, found: _Found) -> bool:
    """True if all but one character is bold."""
    bold, other = False, 0
    for part in strings(cell.children, lambda element: element.tag in ("strong", "b") or found.is_apart(element)):
        if isinstance(part, str):
            other += len("".join(part.split()))
        elif not found.is_apart(part):
            bold = bold or bool(_text(part.children, found))
    return bold and other <= 1


def _laid_out(rows: Sequence[Sequence[_Span]]) -> Grid | None:
    """Repeat spanning cells at every position that they cover; None if that repeats the text too often."""
    most = _ALWAYS_REPEATED + MOST_REPEATED * sum(_size(span.cell) for row in rows for span in row)
    grid: Grid = []
    below: dict[int, tuple[Cell, int]] = {}
    width = size = 0
    for spans in rows:
        row = _laid_out_row(spans, below, most - size)
        if row is None:
            return None
        size += sum(map(_size, row))
        if size > most:
            return None
        width = max(width, len(row))
        grid.append(row)
    return grid if width * len(grid) <= most else None


def _laid_out_row(spans: Sequence[_Span], below: dict[int, tuple[Cell, int]], most: int) -> list[Cell] | None:
    """Return one row; `below` holds the cells that span into it and, afterwards, into the next row."""
    row: list[Cell] = []
    waiting = deque(spans)
    alone = len(spans) == 1 and not below
    last = max(below, default=-1)
    while waiting or len(row) <= last:
        column = len(row)
        if column in below:
            cell, left = below.pop(column)
            row.append(cell)
            if left > 1:
                below[column] = (cell, left - 1)
        elif waiting:
            span = waiting.popleft()
            cell = replace(span.cell, wide=alone and span.columns > 1)
            most -= _size(cell) * span.columns
            if most < 0:
                return None
            row += [cell] * span.columns
            if span.rows > 1:
                below.update((column + offset, (cell, span.rows - 1)) for offset in range(span.columns))
        else:
            row.append(Cell(""))
    return row


def _size(cell: Cell) -> int:
    return len(cell.text) + 1


def _trimmed(grid: Grid) -> Grid:
    """Drop columns that exist only because cells claim to span them, and blank ones."""
    width = max(map(len, grid), default=0)
    own = [c for c in range(width) if any(c < len(row) and (not c or row[c] is not row[c - 1]) for row in grid)]
    own = [c for c in own if any(c < len(row) and row[c].text for row in grid)]
    return [[row[c] for c in own if c < len(row)] for row in grid]
