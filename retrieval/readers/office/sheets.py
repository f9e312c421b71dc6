"""Excel: each sheet is a section, each block of cells surrounded by empty rows or columns a table.

Values are as the sheet shows them. A merged head counts for every cell that it covers. Hidden parts are left out and
reported, and so are formulas saved without a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from retrieval.readers.documents.document import Document, Paragraph, Placed
from retrieval.readers.documents.extras import require
from retrieval.readers.documents.sections import PSEUDO_DEPTH, Block, Heading, grouped
from retrieval.readers.documents.tables import Cell, Grid, build, clean, columns_of
from retrieval.readers.office.archives import require_sound
from retrieval.readers.office.number_formats import displayed_value
from retrieval.tabular import SheetPlace

_MOST_CELLS = 5_000_000
_LONGEST_CAPTION = 110
_UNNAMED = re.compile(r"(?:sheet|tabelle|feuil|hoja|foglio)\s*\d+", re.IGNORECASE)
"""Default names of sheets."""


def read_sheets(path: Path) -> Document:
    """Read an .xlsx file; `SourceError` if it is damaged, encrypted or claims far too many cells."""
    openpyxl = require("openpyxl", "office", str(path))
    blocks: list[Block] = []
    odd: list[tuple[int, str]] = []
    with require_sound(path) as file:
        shown = openpyxl.load_workbook(file, data_only=True)
        file.seek(0)
        formulas = openpyxl.load_workbook(file)
        named = [sheet for sheet in shown.worksheets if not _UNNAMED.fullmatch(sheet.title)]
        for sheet in shown.worksheets:
            if sheet.sheet_state != "visible":
                odd.append((1, f"the sheet {sheet.title!r} is hidden, and left out"))
                continue
            blocks += [Heading(sheet.title, 1, 1)] if named else []
            blocks += _with_captions(list(_Sheet(sheet, formulas[sheet.title], odd).blocks()))
    return Document(tuple(grouped(blocks)), tuple(odd))


class _Sheet:
    """The tables of a sheet."""

    def __init__(self, sheet: Any, formulas: Any, odd: list[tuple[int, str]]) -> None:
        if sheet.max_row * sheet.max_column > _MOST_CELLS:
            raise ValueError(f"the sheet {sheet.title!r} claims {sheet.max_row * sheet.max_column:,} cells")
        self._sheet, self._formulas, self._odd = sheet, formulas, odd
        self._merged = dict(self._covered())
        self._rows = self._without(range(1, sheet.max_row + 1), self._hidden(sheet.row_dimensions, "r"), "row")
        columns = range(1, sheet.max_column + 1)
        self._columns = self._without(columns, self._hidden(sheet.column_dimensions, "c"), "column")

    def blocks(self) -> Iterator[Paragraph | Placed]:
        """Yield the tables and lone cells from the top down."""
        texts = {place: self._text(*place) for place in ((r, c) for r in self._rows for c in self._columns)}
        for rows, columns in _regions(self._rows, self._columns, texts):
            yield from self._region(rows, columns, texts)

    def _region(
        self, rows: list[int], columns: list[int], texts: dict[tuple[int, int], str]
    ) -> Iterator[Paragraph | Placed]:
        while rows and len(columns) > 1 and (title := _title([texts[rows[0], column] for column in columns])):
            yield Paragraph(title, rows[0])
            rows = rows[1:]
        grid: Grid = [[self._cell(row, column, texts[row, column]) for column in columns] for row in rows]
        if len(columns) == 1:
            yield from (Paragraph(cells[0].text, row) for row, cells in zip(rows, grid, strict=True))
        elif rows and (table := build(grid)) is not None:
            letters = tuple(self._letter(columns[place]) for place in columns_of(grid, table))
            place = SheetPlace(self._sheet.title, tuple(rows[-len(table.rows) :]), letters)
            yield Placed(replace(table, place=place), rows[0])
        elif rows:
            yield Paragraph(" | ".join(cell.text for cells in grid for cell in cells if cell.text), rows[0])

    def _letter(self, column: int) -> str:
        """Return the letters of a column."""
        return str(require("openpyxl", "office", "").utils.get_column_letter(column))

    def _covered(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield each cell that a merged cell covers, with the place of the merged cell."""
        last_row, last_column = self._sheet.max_row, self._sheet.max_column
        for merged in self._sheet.merged_cells.ranges:
            for row in range(merged.min_row, min(merged.max_row, last_row) + 1):
                for column in range(merged.min_col, min(merged.max_col, last_column) + 1):
                    yield (row, column), (merged.min_row, merged.min_col)

    def _cell(self, row: int, column: int, text: str) -> Cell:
        return Cell(text, bool(self._sheet.cell(*self._merged.get((row, column), (row, column))).font.b))

    def _text(self, row: int, column: int) -> str:
        """Return the text that a cell shows; a covered cell shows that of its merged cell."""
        top, left = self._merged.get((row, column), (row, column))
        cell = self._sheet.cell(top, left)
        if cell.value is None and str(self._formulas.cell(top, left).value).startswith("="):
            self._odd.append((row, f"{self._sheet.title}!{cell.coordinate} has a formula without a value; left empty"))
        return clean(displayed_value(cell.value, cell.number_format))

    def _hidden(self, dimensions: Any, unit: str) -> set[int]:
        """Return the hidden rows or columns; columns are stored as ranges."""
        hidden = [each for each in dimensions.values() if each.hidden]
        if unit == "r":
            return {each.index for each in hidden}
        return {column for each in hidden for column in range(each.min, min(each.max, self._sheet.max_column) + 1)}

    def _without(self, places: range, hidden: set[int], noun: str) -> list[int]:
        if hidden:
            nouns = noun if len(hidden) == 1 else f"{noun}s"
            self._odd.append((1, f"{self._sheet.title}: {len(hidden)} hidden {nouns} left out"))
        return [place for place in places if place not in hidden]


def _title(row: Sequence[str]) -> str:
    """Return the only text of a row above a table; above the second of two columns it is a head and not a title."""
    alone = set(filter(None, row))
    is_head = len(row) == 2 and not row[0]
    return alone.pop() if len(alone) == 1 and not is_head else ""


def _with_captions(blocks: Sequence[Paragraph | Placed]) -> Iterator[Block]:
    """Turn a short line directly above a table into its caption.

    A line in brackets, *(in litres)*, is no caption: the caption is above it, or the table has the name of its sheet.
    """
    for place, block in enumerate(blocks):
        after = next((each for each in blocks[place + 1 :] if not _is_aside(each)), None)
        is_named = isinstance(after, Placed) and not _is_aside(block)
        if is_named and isinstance(block, Paragraph) and len(block.text) <= _LONGEST_CAPTION:
            yield Heading(block.text, PSEUDO_DEPTH, block.line)
        else:
            yield block


def _is_aside(block: Paragraph | Placed) -> bool:
    return isinstance(block, Paragraph) and block.text.startswith("(") and block.text.endswith(")")


def _regions(
    rows: list[int], columns: list[int], texts: Mapping[tuple[int, int], str]
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the blocks of cells between empty rows and columns, from the top down."""
    for own in _runs(rows, lambda row: any(texts[row, column] for column in columns)):
        parts = list(_runs(columns, lambda column, own=own: any(texts[row, column] for row in own)))
        if len(parts) == 1:
            yield own, parts[0]
            continue
        for part in parts:
            yield from _regions(own, part, texts)


def _runs(places: Sequence[int], holds: Any) -> Iterator[list[int]]:
    """Yield runs of places that hold something."""
    for is_held, run in groupby(places, key=holds):
        if is_held:
            yield list(run)
