"""CSV and TSV: one table with its values as written.

The delimiter is the character that makes most lines equally long (van den Burg, Nazábal and Sutton 2019, "Wrangling
messy CSV files by detecting row and type patterns", find the same); `csv.Sniffer` guesses from frequent letters.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from retrieval.errors import SourceError
from retrieval.readers.data.delimited_heads import Line, padded_rows, split_title_lines, table_of, without_notes
from retrieval.readers.documents.document import Document, Paragraph, Placed, text_of
from retrieval.readers.documents.sections import Block, grouped

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 200
"""Lines from which the delimiter is detected."""
_MOST_COLUMNS = 2_000

_rows = partial(csv.reader, skipinitialspace=True)
"""Parse the rows of a text; a quote after a delimiter and a blank also begins a cell: *"Body mass", "50 - 95"*."""


def read_delimited(path: Path) -> Document:
    """Read a file of values separated by commas, semicolons, tabs or bars; `SourceError` if it is not a table."""
    text = text_of(path)
    delimiter = delimiter_of(text)
    lines = _records(path, _with_dittos(text, delimiter), delimiter)
    if not lines:
        return Document(())
    width = Counter(len(line.cells) for line in lines).most_common(1)[0][0]
    above, below = split_title_lines(lines, width)
    below, notes = without_notes(below)
    blocks: list[Block] = [Paragraph(line.joined_text, line.line) for line in above]
    rows, ragged = padded_rows(below, width)
    table = table_of(rows, above, notes)
    if table is None:
        blocks += [Paragraph(row.joined_text, row.line) for row in (*rows, *notes)]
    else:
        blocks.append(Placed(table, rows[0].line))
    blocks += [Paragraph(row.joined_text, row.line) for row in ragged]
    message = f"a row with more or fewer cells than the table's {width}; kept as text"
    return Document(tuple(grouped(blocks)), tuple((row.line, message) for row in ragged))


def delimiter_of(text: str) -> str:
    r"""Return the delimiter of a text: the one by which most lines have the same number of cells, more than one.

    >>> delimiter_of("name;price\nrope;1,50\nlamp;12,00\n")
    ';'
    """
    sample = "\n".join(text.split("\n")[:_SAMPLE])
    return max(DELIMITERS, key=lambda delimiter: _consistency(sample, delimiter))


def _with_dittos(text: str, delimiter: str) -> str:
    r"""Return a text with each quote that is alone in its cell, which repeats the cell above, as another such mark.

    >>> _with_dittos('Reed,Hull\nSedge,"\nRush,"\nTern,York', ",").split("\n")
    ['Reed,Hull', 'Sedge,″', 'Rush,″', 'Tern,York']
    """
    ends = f'(?:^|(?<={re.escape(delimiter)}))[ ]*"[ ]*(?={re.escape(delimiter)}|$)'
    told, count = re.subn(ends, "″", text, flags=re.MULTILINE)
    return told if count and _consistency(told, delimiter) >= _consistency(text, delimiter) else text


def _consistency(sample: str, delimiter: str) -> tuple[float, int]:
    """Return the share of lines with the most common width, and that width; zeros if it is one cell."""
    try:
        widths = Counter(len(row) for row in _rows(io.StringIO(sample), delimiter=delimiter) if any(row))
    except csv.Error:
        return 0.0, 0
    if not widths:
        return 0.0, 0
    width, count = widths.most_common(1)[0]
    return (count / widths.total(), width) if width > 1 else (0.0, 0)


def _records(path: Path, text: str, delimiter: str) -> list[Line]:
    """Return the records that are not blank."""
    reader = _rows(io.StringIO(text, newline=""), delimiter=delimiter)
    csv.field_size_limit(sys.maxsize)
    found: list[Line] = []
    try:
        for cells in reader:
            if len(cells) > _MOST_COLUMNS:
                raise SourceError(
                    f"a row of {len(cells):,} cells; {_MOST_COLUMNS:,} are the most", f"{path}:{reader.line_num}"
                )
            if any(cell.strip() for cell in cells):
                found.append(Line(tuple(cells), reader.line_num))
    except csv.Error as error:
        raise SourceError(f"can't be read as a table: {error}", f"{path}:{reader.line_num}") from error
    return found
