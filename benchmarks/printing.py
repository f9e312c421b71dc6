"""A book in Markdown as others would have made it: a PDF printed by a browser, a Word document, a workbook, HTML."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Container, Iterator, Sequence
from html import escape
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import docx
import openpyxl
from openpyxl.styles import Font

from retrieval.readers.markdown.reader import read_markdown
from versus import Paragraph, Section, Table

STYLES = {
    "ruled": "td, th {border: 1px solid}",
    "zebra": "td, th {border: 1px solid #ccc} tr:nth-child(even) {background: #eee}",
    "booktabs": "table {border-top: 2px solid; border-bottom: 2px solid} thead {border-bottom: 1px solid}",
    "unruled": "",
}
"""How tables are drawn."""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_PAGE = """<meta charset="utf-8"><style>@page {{size: A4; margin: 2cm}} body {{font-size: 10pt}} th {{text-align: left}}
table {{border-collapse: collapse; margin: 6pt 0}} td, th {{padding: 2px 5px}} {style}</style>{body}"""
_NOT_OF_SHEETS = re.compile(r"[\[\]:*?/\\]")
_LONGEST_SHEET = 31
"""Characters of a sheet's name."""


def browser() -> str | None:
    """The browser that prints, where there is one."""
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def print_pdf(book: Path, path: Path, *, style: str) -> None:
    """Print a book with its tables in one of `STYLES`."""
    page = path.with_suffix(".html")
    page.write_text(_PAGE.format(style=STYLES[style], body="\n".join(_html(sections_of(book)))), encoding="utf-8")
    program = browser()
    assert program is not None
    flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-pdf-header-footer"]
    subprocess.run([program, *flags, f"--print-to-pdf={path}", str(page)], capture_output=True, check=True)
    page.unlink()


def sections_of(book: Path) -> list[Section]:
    """The sections of a book in Markdown."""
    return list(read_markdown(book).sections)


def write_html(book: Path, path: Path) -> None:
    """Write a page of HTML."""
    path.write_text(_PAGE.format(style="", body="\n".join(_html(sections_of(book)))), encoding="utf-8")


def write_word(book: Path, path: Path) -> None:
    """Write a Word document."""
    document = docx.Document()
    for section, depth, title in _titled(sections_of(book)):
        if title:
            document.add_heading(title, depth)
        for block in section.blocks:
            if isinstance(block, Paragraph):
                for line in block.text.split("\n"):
                    document.add_paragraph(line)
                continue
            if block.table.caption and block.table.caption != title:
                document.add_paragraph(f"Table: {block.table.caption}")
            rows = _rows(block.table)
            table = document.add_table(rows=len(rows), cols=len(block.table.columns))
            for place in chain.from_iterable(rows):
                cell = table.cell(place.row, place.column).merge(table.cell(place.last_row, place.last_column))
                cell.paragraphs[0].add_run(place.text).bold = place.is_bold
    document.save(str(path))


def write_workbook(book: Path, path: Path) -> None:
    """Write a workbook with a sheet for each section: its tables, and its text in cells above and below them; where its
    title can't be the name of a sheet, that stands above all.
    """
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for section, _, title in _titled(sections_of(book)):
        if not section.blocks:
            continue
        sheet = workbook.create_sheet(_sheet_name(title, {name.casefold() for name in workbook.sheetnames}))
        at = 1 if sheet.title == title else _write_lines(sheet, 1, [title])
        for block in section.blocks:
            if isinstance(block, Paragraph):
                at = _write_lines(sheet, at, block.text.split("\n")) + 1
            else:
                caption = [block.table.caption] if block.table.caption not in ("", title) else []
                at = _write_table(sheet, _write_lines(sheet, at, caption), block.table) + 2
    if workbook.worksheets:
        workbook.save(path)


def _sheet_name(title: str, taken: Container[str]) -> str:
    """A title as a sheet may be called, and as no other one is; their names have no upper and lower case."""
    plain = _NOT_OF_SHEETS.sub(" ", title).strip(" '") or "Sheet"
    names = chain([plain[:_LONGEST_SHEET]], (f"{plain[: _LONGEST_SHEET - 5]} {number}" for number in count(2)))
    return next(name for name in names if name.casefold() not in taken)


def _write_lines(sheet: Any, at: int, lines: Sequence[str]) -> int:
    """Write each line into a cell; the row behind them."""
    for row, line in enumerate(lines, start=at):
        cell = sheet.cell(row, 1)
        cell.value, cell.data_type = line, "s"  # no formula, however it begins
    return at + len(lines)


def _write_table(sheet: Any, at: int, table: Table) -> int:
    """Write a table; the row behind it."""
    rows = _rows(table)
    for place in chain.from_iterable(rows):
        top, left = at + place.row, 1 + place.column
        sheet.cell(top, left, place.text).font = Font(bold=place.is_bold)
        if place.last_row > place.row or place.last_column > place.column:
            sheet.merge_cells(None, top, left, at + place.last_row, 1 + place.last_column)
    return at + len(rows)


class _Cell(NamedTuple):
    """A cell with the last row and column that it covers."""

    text: str
    is_bold: bool
    row: int
    column: int
    last_row: int
    last_column: int


def _rows(table: Table) -> list[list[_Cell]]:
    """The cells of a table, its heads first. A head that stands over several columns, or rows of heads, is one cell."""
    depth = max(map(len, table.columns))
    heads = [_heads(table, depth, level) for level in range(depth)]
    body = [
        [_Cell(text, not depth and not c, r, c, r, c) for c, text in enumerate(row)]
        for r, row in enumerate(table.rows, start=depth)
    ]
    return [*heads, *body]


def _heads(table: Table, depth: int, level: int) -> list[_Cell]:
    """The heads that begin on a level: a column with fewer of them than others has its last one down to the rows."""
    heads: list[_Cell] = []
    for column, path in enumerate(table.columns):
        if level >= max(len(path), 1):
            continue
        is_last = len(path) <= level + 1
        before = heads[-1] if heads and heads[-1].last_column == column - 1 and not is_last else None
        if before and before.last_row == level and table.columns[column - 1][: level + 1] == path[: level + 1]:
            heads[-1] = before._replace(last_column=column)
        else:
            text = path[level] if path else ""
            heads.append(_Cell(text, True, level, column, depth - 1 if is_last else level, column))
    return heads


def _titled(sections: Sequence[Section]) -> Iterator[tuple[Section, int, str]]:
    for section in sections:
        yield section, min(len(section.headings), 6), section.title


def _html(sections: Sequence[Section]) -> Iterator[str]:
    for section, depth, title in _titled(sections):
        yield f"<h{depth}>{escape(title)}</h{depth}>" if title else ""
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield "".join(f"<p>{escape(line)}</p>" for line in block.text.split("\n"))
                continue
            if block.table.caption and block.table.caption != title:
                yield f"<p><b>{escape(block.table.caption)}</b></p>"
            heads = max(map(len, block.table.columns))
            rows = [_row(row) for row in _rows(block.table)]
            yield f"<table><thead>{''.join(rows[:heads])}</thead><tbody>{''.join(rows[heads:])}</tbody></table>"


def _row(row: Sequence[_Cell]) -> str:
    """A row of heads or cells; the labels of a record, which has no heads, are bold."""
    return f"<tr>{''.join(map(_html_cell, row))}</tr>"


def _html_cell(cell: _Cell) -> str:
    tag = "th" if cell.is_bold else "td"
    rows, columns = cell.last_row - cell.row + 1, cell.last_column - cell.column + 1
    spans = f' rowspan="{rows}"' if rows > 1 else ""
    spans += f' colspan="{columns}"' if columns > 1 else ""
    return f"<{tag}{spans}>{escape(cell.text)}</{tag}>"
