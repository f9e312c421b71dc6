"""HTML and pipe tables become data: spans filled in, heads as paths, records told from grids.

Tables in the wild have no `thead`: the header is whichever leading rows are bold, or are `th`, or are words above
numbers. A spanning cell counts for every row and column that it covers, so each column's head is a path.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bs4 import BeautifulSoup, Tag

from retrieval.identifiers import is_identifier
from retrieval.spelling import fold
from retrieval.types import Table

ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
"""What may stand raised and belongs to the number; anything else in `<sup>` is the mark of a footnote."""

_MAX_SPAN = 200
_BREAKING = "br p li ul ol dl dt dd div td th tr table caption h1 h2 h3 h4 h5 h6 pre blockquote".split()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as found: its text, whether it looks like a head, and whether it spans the whole row."""

    text: str
    head: bool = False
    wide: bool = False


Grid = list[list[Cell]]


def clean(text: str) -> str:
    """Collapse white space, undo escapes (`\\-3`), and use the plain minus sign before digits."""
    text = re.sub(r"\\([^\w\s])", r"\1", text).replace("\u00a0", " ")
    text = re.sub(r"(?<![\w)])[−–](?=\d)", "-", text)
    return re.sub(r"\s+", " ", text).strip()


def html_blocks(html: str) -> list[Table | str]:
    """Read a piece of HTML: its outermost tables, and the text around them, in their order.

    Rowspan, colspan and a missing `thead` are understood. A table that has no body is text.
    """
    soup = BeautifulSoup(html.replace("\0", " ").encode("utf-8", "replace").decode(), "lxml")
    outer = [t for t in soup.find_all("table") if isinstance(t, Tag) and t.find_parent("table") is None]
    tables = []
    for tag in outer:
        if (table := _html_table(tag)) is not None:
            tables.append(table)
            tag.replace_with("\0")
    found: list[Table | str] = []
    for table, text in zip_longest((None, *tables), _text(soup).split("\0")):
        found += [part for part in (table, (text or "").strip()) if part]
    return found


def _html_table(tag: Tag) -> Table | None:
    caption = tag.find("caption")
    grid = _fill([_html_row(tr) for tr in tag.find_all("tr") if isinstance(tr, Tag) and tr.find_parent("table") is tag])
    return build(_trimmed(grid), _text(caption) if isinstance(caption, Tag) else "")


@dataclass(frozen=True, slots=True)
class _Span:
    cell: Cell
    rows: int
    columns: int


def _html_row(tr: Tag) -> list[_Span]:
    cells = [c for c in tr.find_all(["td", "th"]) if isinstance(c, Tag) and c.find_parent("tr") is tr]
    in_head = tr.find_parent("thead") is not None
    return [
        _Span(Cell(_text(c), in_head or c.name == "th" or _is_bold(c)), _span(c, "rowspan"), _span(c, "colspan"))
        for c in cells
    ]


def _span(cell: Tag, name: str) -> int:
    digits = re.match(r"\s*(\d{1,9})", str(cell.get(name) or "1"))
    return min(max(int(digits[1]), 1), _MAX_SPAN) if digits else 1


def _text(tag: Tag) -> str:
    for mark in tag.find_all("sup"):
        if mark.get_text().strip().lower() not in ORDINAL_ENDINGS:
            mark.extract()  # to decompose it would destroy a cell that wrong HTML has inside it
    for line in tag.find_all(_BREAKING):
        line.insert_before(" ")
        line.insert_after(" ")
    return clean(tag.get_text())


def _is_bold(cell: Tag) -> bool:
    text = "".join(cell.get_text().split())
    bold = "".join(
        "".join(b.get_text().split()) for b in cell.find_all(["strong", "b"]) if not b.find_parent(["strong", "b"])
    )
    return bool(bold) and len(bold) >= len(text) - 1


def _fill(rows: Sequence[Sequence[_Span]]) -> Grid:
    """Lay spanning cells out over every position that they cover."""
    grid: Grid = []
    below: dict[int, tuple[Cell, int]] = {}
    for spans in rows:
        row: list[Cell] = []
        waiting = list(spans)
        alone = len(spans) == 1 and not below
        while waiting or any(column >= len(row) for column in below):
            column = len(row)
            if column in below:
                cell, left = below.pop(column)
                row.append(cell)
                if left > 1:
                    below[column] = (cell, left - 1)
            elif waiting:
                span = waiting.pop(0)
                cell = Cell(span.cell.text, span.cell.head, wide=alone and span.columns > 1)
                for offset in range(span.columns):
                    row.append(cell)
                    if span.rows > 1:
                        below[column + offset] = (cell, span.rows - 1)
            else:
                row.append(Cell(""))
        grid.append(row)
    return grid


def _trimmed(grid: Grid) -> Grid:
    """Leave out columns that exist only because cells claim to span them."""
    width = max(map(len, grid), default=0)
    own = [c for c in range(width) if any(c < len(row) and (not c or row[c] is not row[c - 1]) for row in grid)]
    return [[row[c] for c in own if c < len(row)] for row in grid]


def build(grid: Grid, caption: str = "", header_rows: int | None = None) -> Table | None:
    """Turn a grid into a `Table`; None when it has no body. `header_rows` None means: find out."""
    grid = [row for row in grid if any(cell.text for cell in row)]
    width = max((len(row) for row in grid), default=0)
    grid = [row + [Cell("")] * (width - len(row)) for row in grid]
    if grid and grid[0][0].wide and len(grid) > 2 and header_rows is None and width > 1:
        caption, grid = caption or grid[0][0].text, grid[1:]
    if header_rows is None:
        header_rows = 0 if _looks_like_record(grid, width) else _header_rows(grid)
    body = grid[header_rows:]
    if not body:
        return None
    columns = tuple(_path([row[c].text for row in grid[:header_rows]]) for c in range(width))
    rows = tuple(tuple("" if cell.wide and c else cell.text for c, cell in enumerate(row)) for row in body)
    if width == 2 and header_rows == 0:
        rows = tuple((label.rstrip(": "), value) for label, value in rows)
    return Table(caption, columns, _named_in_full(rows) if width > 2 else rows)


def _named_in_full(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """*young* and *- old* under *Dragon, red*, a row of nothing but a name, are *Dragon, red, young* and *..., old*.

    A name that stands for itself, and ends the group, begins with a capital; an identifier is whole as it is.
    """
    head = ""
    out = []
    for row in rows:
        name, member = row[0], _MEMBER.match(row[0])
        if not any(row[1:]):
            head = name.rstrip(" :")
        elif head and member and not is_identifier(fold(name).strip(" *†‡")):
            row = (f"{head}, {member['name']}", *row[1:])
        else:
            head = ""
        out.append(row)
    return tuple(out)


_MEMBER = re.compile(r"(?:[-–—•]\s*|(?=[a-z]))(?P<name>[^\W\d_].*)")


def _path(heads: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(head for head in heads if head))


def _looks_like_record(grid: Grid, width: int) -> bool:
    """Two columns of label and value: labels end in a colon, or are bold beside values that are not."""
    if width != 2 or len(grid) < 2:
        return False
    labels = sum(row[0].text.endswith(":") or (row[0].head and not row[1].head) for row in grid)
    return labels >= 0.8 * len(grid)


def _header_rows(grid: Grid) -> int:
    count = 0
    for row in grid[:-1]:
        if not all(cell.head or not cell.text for cell in row):
            break
        count += 1
    if count or len(grid) < 2:
        return count
    if not grid[0][0].text and all(cell.text for cell in grid[0][1:]):
        return 1
    first_is_words = not any(_numeric(cell.text) for cell in grid[0]) and all(cell.text for cell in grid[0])
    return int(first_is_words and any(_numeric(cell.text) for row in grid[1:] for cell in row))


def _numeric(text: str) -> bool:
    return bool(re.match(r"[+-]?\d", text))


def is_record_matrix(table: Table) -> bool:
    """Several stat blocks side by side: an empty corner, names across, labels with colons down.

    >>> is_record_matrix(Table("", ((), ("Common",), ("Mage",)), (("Armor Class:", "5", "4"),)))
    True
    """
    corner = not table.columns[0] and all(table.columns[1:]) and len(table.columns) > 2
    return corner and sum(row[0].endswith(":") for row in table.rows) >= 0.8 * len(table.rows)
