"""A book in Markdown as others would have made it: a PDF printed by a browser, a Word document, a workbook, HTML."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import docx
import openpyxl
from openpyxl.styles import Font

from retrieval.readers.markdown import parse
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
table {{border-collapse: collapse}} td, th {{padding: 2px 5px}} {style}</style>{body}"""
_LONGEST_SHEET = 31
"""Characters of a sheet's name."""


def browser() -> str | None:
    """The browser that prints, where there is one."""
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def print_pdf(book: Path, path: Path, *, style: str) -> None:
    """Print a book with its tables in one of `STYLES`."""
    page = path.with_suffix(".html")
    page.write_text(_PAGE.format(style=STYLES[style], body="".join(_html(sections_of(book)))), encoding="utf-8")
    program = browser()
    assert program is not None
    flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-pdf-header-footer"]
    subprocess.run([program, *flags, f"--print-to-pdf={path}", str(page)], capture_output=True, check=True)
    page.unlink()


def sections_of(book: Path) -> list[Section]:
    """The sections of a book in Markdown."""
    return parse(book.read_text(encoding="utf-8"), [])


def write_html(book: Path, path: Path) -> None:
    """Write a page of HTML."""
    path.write_text(_PAGE.format(style="", body="".join(_html(sections_of(book)))), encoding="utf-8")


def write_word(book: Path, path: Path) -> None:
    """Write a Word document, with merged heads."""
    document = docx.Document()
    for section, depth, title in _titled(sections_of(book)):
        if title:
            document.add_heading(title, depth)
        for block in section.blocks:
            if isinstance(block, Paragraph):
                for line in block.text.split("\n"):
                    document.add_paragraph(line)
                continue
            grid, heads = _grid(block.table)
            if block.table.caption and block.table.caption != title:
                document.add_paragraph(f"Table: {block.table.caption}")
            table = document.add_table(rows=len(grid), cols=len(grid[0]))
            for r, row in enumerate(grid):
                for c, text in enumerate(row):
                    table.cell(r, c).paragraphs[0].add_run(text).bold = r < heads or (not heads and not c)
    document.save(str(path))


def write_workbook(book: Path, path: Path) -> None:
    """Write a workbook with a sheet for each section that has tables; prose has no place in it."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for number, (section, _, title) in enumerate(_titled(sections_of(book))):
        tables = [block.table for block in section.blocks if not isinstance(block, Paragraph)]
        if not tables:
            continue
        name = "".join(letter if letter.isalnum() or letter in " -" else " " for letter in title)
        sheet = workbook.create_sheet(f"{number} {name}"[:_LONGEST_SHEET])
        at = 1
        for table in tables:
            at = _write_table(sheet, at, table, table.caption or title) + 2
    if workbook.worksheets:
        workbook.save(path)


def _write_table(sheet: Any, at: int, table: Table, title: str) -> int:
    """Write a table below its caption; the row behind it."""
    sheet.cell(at, 1, title)
    grid, heads = _grid(table)
    for r, row in enumerate(grid, start=at + 1):
        for c, text in enumerate(row, start=1):
            sheet.cell(r, c, text).font = Font(bold=r - at <= heads or (not heads and c == 1))
    return at + 1 + len(grid)


def _grid(table: Table) -> tuple[list[list[str]], int]:
    """The cells of a table with its rows of heads, and how many these are; none of a record, whose labels are bold."""
    depth = max(map(len, table.columns))
    heads = [[_head(path, depth, level) for path in table.columns] for level in range(depth)]
    return [*heads, *map(list, table.rows)], depth


def _head(path: Sequence[str], depth: int, level: int) -> str:
    """The head of a column on a level; one with fewer levels covers the upper ones."""
    at = level - (depth - len(path))
    return path[max(at, 0)] if path else ""


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
            grid, heads = _grid(block.table)
            if block.table.caption and block.table.caption != title:
                yield f"<p><b>{escape(block.table.caption)}</b></p>"
            rows = [_row(row, is_head=number < heads, is_record=not heads) for number, row in enumerate(grid)]
            yield f"<table><thead>{''.join(rows[:heads])}</thead><tbody>{''.join(rows[heads:])}</tbody></table>"


def _row(row: Sequence[str], *, is_head: bool, is_record: bool) -> str:
    """A row of heads or cells; the labels of a record, which has no heads, are bold."""
    tags = ["th" if is_head or (is_record and not place) else "td" for place in range(len(row))]
    return f"<tr>{''.join(f'<{tag}>{escape(text)}</{tag}>' for tag, text in zip(tags, row, strict=True))}</tr>"
