"""Cells over several rows of MediaWiki's tables. Pandoc forgets them, so that what stands beside them moves to another
column, and which rows below the first are heads. Both are put back into what it writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lxml import html

_ROW = re.compile(r"^[ \t:]*\|-.*$", re.MULTILINE)
_LINE = re.compile(r"[ \t:]*(?P<mark>[|!])(?![-+}])(?P<cells>.*)")
_BETWEEN = re.compile(r"\|\||!!")
_ROWSPAN = re.compile(r"rowspan\s*=\s*[\"']?\s*(\d{1,3})[^|]*\|")


class _Cell(NamedTuple):
    is_head: bool
    rows: int


def with_spans(page: str, wiki: str) -> str:
    """Return the page with the spans of its tables; unchanged if none has any, or if it has other tables than the text.

    >>> wiki = "{|\\n! rowspan=2 | Boat\\n! colspan=2 | Sails\\n|-\\n! fore !! aft\\n|-\\n| Reed || 1 || 2\\n|}"
    >>> page = "<table><tr><th>Boat</th><th colspan='2'>Sails</th></tr><tr><td>fore</td><td>aft</td><td></td></tr>"
    >>> told = with_spans(page + "<tr><td>Reed</td><td>1</td><td>2</td></tr></table>", wiki)
    >>> '<th rowspan="2">Boat</th>' in told, "<th>fore</th><th>aft</th></tr><tr><td>Reed" in told
    (True, True)
    """
    told = [rows for table in _tables(wiki) if (rows := list(_rows(table)))]
    if not any(cell.rows > 1 for rows in told for row in rows for cell in row):
        return page
    root = html.fromstring(page)
    tables = list(root.iter("table"))
    if [len(rows) for rows in told] != [len(list(table.iter("tr"))) for table in tables]:
        return page
    for table, rows in zip(tables, told, strict=True):
        for shown, row in zip(table.iter("tr"), rows, strict=True):
            _restore(shown, row)
    return str(html.tostring(root, encoding="unicode"))


def _tables(wiki: str) -> Iterator[str]:
    """Yield the lines of each table, without those that open and close it."""
    table: list[str] | None = None
    for line in wiki.split("\n"):
        mark = line.lstrip()[:2]
        if table is None:
            table = [] if mark == "{|" else None
        elif mark == "|}":
            yield "\n".join(table)
            table = None
        else:
            table.append(line)


def _rows(table: str) -> Iterator[list[_Cell]]:
    """Yield the cells of each row that has any."""
    for part in _ROW.split(table):
        lines = (found for line in part.split("\n") if (found := _LINE.match(line)))
        cells = [
            _Cell(found["mark"] == "!", int(span[1]) if (span := _ROWSPAN.search(text)) else 1)
            for found in lines
            for text in _BETWEEN.split(found["cells"])
        ]
        if cells:
            yield cells


def _restore(shown: html.HtmlElement, row: Sequence[_Cell]) -> None:
    """Give the cells of a row their spans, and drop those with which it was filled up."""
    for cell, told in zip(list(shown), row, strict=False):
        cell.tag = "th" if told.is_head else "td"
        if told.rows > 1:
            cell.set("rowspan", str(told.rows))
    for cell in list(shown)[len(row) :]:
        shown.remove(cell)
