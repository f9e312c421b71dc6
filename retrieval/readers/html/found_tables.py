"""A table or list found in plain text, and its HTML, one row a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from retrieval.readers.html.tables import HEADS
from retrieval.readers.labels.hanging_terms import BLANK
from retrieval.readers.labels.label_marks import without_bullet
from retrieval.readers.labels.running_text import pair_in


@dataclass(slots=True)
class Row:
    """The line on which a row begins, its cells, and the lines that continue its last cell, blank ones included."""

    line: int
    cells: list[str]
    more: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    """A table: its lines, from the first to the one behind it, its rows, heads and caption."""

    start: int
    end: int
    rows: list[Row]
    heads: list[str] = field(default_factory=list)
    caption: str = ""


def table_html(table: Found) -> list[str]:
    """Return a table as HTML, its rows on their own lines."""
    written = [""] * (table.end - table.start)
    for row in table.rows:
        cells = [*row.cells[:-1], " ".join(filter(None, (row.cells[-1], *row.more)))]
        written[row.line - table.start] = _row_html("td", cells)
    heads = _row_html("th", table.heads) if table.heads else ""
    caption = f"<caption>{escape(table.caption, quote=False)}</caption>" if table.caption else ""
    written[0] = f'<table {HEADS}="{int(bool(heads))}">{caption}{heads}{written[0]}'
    written[-1] += "</table>"
    return written


def _row_html(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell, quote=False)}</{tag}>' for cell in cells)}</tr>"


def list_html(table: Found) -> list[str]:
    """Return a definition list as HTML, with paragraphs in its meanings."""
    written = [BLANK] * (table.end - table.start)
    for row in table.rows:
        term = " ".join(filter(None, row.cells[:-1]))
        told = "".join(f"<p>{escape(text, quote=False)}</p>" for text in _paragraphs([row.cells[-1], *row.more]))
        written[row.line - table.start] = f"<dt>{escape(term, quote=False)}</dt><dd>{told}</dd>"
    written[0], written[-1] = "<dl>" + written[0], written[-1] + "</dl>"
    return written


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Yield the paragraphs of a meaning; a label begins a new one."""
    held: list[str] = []
    for line in map(without_bullet, lines):
        if held and (not line or pair_in(line)):
            yield " ".join(held)
            held = []
        held += [line] if line else []
    if held:
        yield " ".join(held)
