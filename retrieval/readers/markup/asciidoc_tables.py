"""AsciiDoc tables as HTML: cells behind bars or values as in CSV, with row and column spans."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.readers.html.tables import HEADS
from retrieval.readers.markup.asciidoc_inline import inline_html

_BAR = re.compile(
    r"(?:(?<=\s)|^)(?:(?P<times>\d{1,3})\*|(?P<columns>\d{1,3})?(?:\.(?P<rows>\d{1,4}))?\+)?"
    r"(?:[<^>](?:\.[<^>])?|\.[<^>])?(?P<style>[adehlmsv])?(?<!\\)\|",
    re.MULTILINE,
)
_BARE_BAR = re.compile(r"(?<!\\)\|")
_TIMES = re.compile(r"^(\d{1,3})\*")
_SEPARATORS = {"csv": ",", "dsv": ":", "tsv": "\t"}
MOST_COLUMNS = 200


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    columns: int = 1
    rows: int = 1
    is_head: bool = False


def table_html(
    lines: Sequence[str], options: Mapping[str, str], title: str, line: int, attributes: Mapping[str, str]
) -> str:
    """Return the lines between `|===` and `|===` as a table; `options` are those of the line above."""
    kind = options.get("format", "psv")
    separator = options.get("separator", _SEPARATORS.get(kind, "|")).replace("\\t", "\t")
    if kind == "psv" and separator == "|":
        cells, first = list(_barred("\n".join(lines))), _first_row(lines)
    else:
        values = list(csv.reader([each for each in lines if each.strip()], delimiter=separator[:1]))
        cells, first = [_Cell(text.strip()) for row in values for text in row], len(values[0]) if values else 0
    styles = _styles(options.get("cols", ""))
    width = len(styles) or first
    if not cells or not 0 < width <= MOST_COLUMNS:
        return f'<p data-line="{line}">{" ".join(inline_html(each, attributes) for each in lines)}</p>'
    heads = _has_heads(lines, options, first == width)
    rows = _rows(cells, width, styles, heads, attributes)
    caption = f"<caption>{inline_html(title, attributes)}</caption>" if title else ""
    is_bare = kind == "psv" and styles and not heads and not any(cell.is_head for cell in cells[:width])
    told = f' {HEADS}="0"' if is_bare else ""
    return f'<table data-line="{line}"{told}>{caption}{"".join(rows)}</table>'


def _barred(text: str) -> Iterator[_Cell]:
    """Yield the cells of a text, each behind its bar and cell specifier."""
    bars = list(_BAR.finditer(text))
    starts = {each.end() for each in bars}
    plain = [each for each in _BARE_BAR.finditer(text) if each.end() not in starts]
    edges = sorted([*((each.start(), each.end(), each) for each in bars), *((b.start(), b.end(), None) for b in plain)],
                   key=lambda edge: edge[1])  # fmt: skip
    for place, (_, end, bar) in enumerate(edges):
        until = edges[place + 1][0] if place + 1 < len(edges) else len(text)
        said = text[end:until].strip().replace("\\|", "|")
        if bar is None:
            yield _Cell(said)
            continue
        cell = _Cell(said, int(bar["columns"] or 1), int(bar["rows"] or 1), bar["style"] == "h")
        yield from [cell] * int(bar["times"] or 1)


def _first_row(lines: Sequence[str]) -> int:
    """Return the number of columns that the cells of the first non-blank line cover."""
    first = next((each for each in lines if each.strip()), "")
    return sum(cell.columns for cell in _barred(first))


def _styles(cols: str) -> list[bool]:
    """Return for each column in `cols` whether its cells are heads."""
    styles: list[bool] = []
    for each in filter(None, re.split(r"[,;]", cols.replace(" ", ""))):
        times = _TIMES.match(each)
        styles += [each.endswith("h")] * min(int(times[1]) if times else 1, MOST_COLUMNS)
    return styles


def _has_heads(lines: Sequence[str], options: Mapping[str, str], is_row: bool) -> bool:
    """True if the options declare a header row, or the first line has one and a blank line follows."""
    told = options.get("options", "")
    if "header" in told or "noheader" in told:
        return "noheader" not in told
    return is_row and len(lines) > 1 and bool(lines[0].strip()) and not lines[1].strip()


def _rows(
    cells: Sequence[_Cell], width: int, styles: Sequence[bool], heads: bool, attributes: Mapping[str, str]
) -> Iterator[str]:
    """Yield the cells in rows of this width; a cell that spans rows takes up room in the next ones."""
    covered = [0] * width
    row: list[str] = []
    column = 0
    is_first = True
    for cell in cells:
        while column < width and covered[column]:
            covered[column] -= 1
            column += 1
        if column >= width:
            yield f"<tr>{''.join(row)}</tr>"
            row, column, is_first = [], 0, False
            while column < width and covered[column]:
                covered[column] -= 1
                column += 1
        is_head = cell.is_head or (heads and is_first) or (column < len(styles) and styles[column])
        row.append(_html(cell, is_head, attributes))
        for place in range(column, min(column + cell.columns, width)):
            covered[place] = cell.rows - 1
        column += cell.columns
    if row:
        yield f"<tr>{''.join(row)}</tr>"


def _html(cell: _Cell, is_head: bool, attributes: Mapping[str, str]) -> str:
    tag = "th" if is_head else "td"
    spans = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    spans += f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    return f"<{tag}{spans}>{inline_html(cell.text, attributes)}</{tag}>"
