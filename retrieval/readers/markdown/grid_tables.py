"""Grid tables of Pandoc and reStructuredText, drawn with `+---+` and `|`: each becomes HTML, one row a line.

A cell may have several lines and span columns. A table with a cell that spans rows is not supported and stays text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise

_BORDER = re.compile(r"[ \t]*\+(?:[-=:]+\+)+[ \t]*")

_BAR = re.compile(r"(?<!\\)\|")


def is_border(line: str) -> bool:
    """True for a line that separates the rows of such a table.

    >>> is_border("+---+===+"), is_border("+ one")
    (True, False)
    """
    return _BORDER.fullmatch(line) is not None


def grid_table(block: Sequence[str]) -> list[str] | None:
    """Return a table as HTML, line by line; `None` if it is no table or not supported.

    >>> grid_table(["+---+---+", "| A | B |", "+===+===+", "| 1 | 2 |", "+---+---+"])[1:4]
    ['<tr><th>A</th><th>B</th></tr>', '', '<tr><td>1</td><td>2</td></tr>']
    """
    rows = _rows(block, [place for place, sign in enumerate(block[0]) if sign == "+"])
    if not rows:
        return None
    written = [""] * len(block)
    head = next((place for place, line in enumerate(block) if "=" in line and is_border(line)), 0)
    for place, cells in rows:
        tag = "th" if place < head else "td"
        written[place] = "".join(("<tr>", *(_cell(tag, text, span) for text, span in cells), "</tr>"))
    written[0], written[-1] = "<table>", "</table>"
    return written


def _cell(tag: str, text: str, span: int) -> str:
    spans = f' colspan="{span}"' if span > 1 else ""
    return f"<{tag}{spans}>{escape(text, quote=False)}</{tag}>"


def grid_block(lines: Sequence[str]) -> list[str]:
    """Return the lines of the table that begins with the first line, a border, without their indent."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    block = []
    for line in lines:
        if line[:indent].strip() or line[indent : indent + 1] not in ("+", "|"):
            break
        block.append(line[indent:].rstrip())
    while block and not is_border(block[-1]):
        block.pop()
    return block


def _rows(block: Sequence[str], edges: Sequence[int]) -> list[tuple[int, list[tuple[str, int]]]] | None:
    """Return each row with its first line: the text of its cells, and how many columns each spans."""
    rows: list[tuple[int, list[tuple[str, int]]]] = []
    held: list[str] = []
    for place, line in enumerate(block):
        if not is_border(line):
            held.append(line)
        elif held:
            cells = _cells(held, edges)
            if cells is None:
                return None
            rows.append((place - len(held), cells))
            held = []
    return rows


def _cells(lines: Sequence[str], edges: Sequence[int]) -> list[tuple[str, int]] | None:
    """Return the cells of a row; if its lines miss the column edges, they must have one part for each column."""
    parts = [edge for edge in edges if all(line[edge : edge + 1] == "|" for line in lines)]
    keeps = parts[:1] == edges[:1] and parts[-1:] == edges[-1:] and all(len(line) == edges[-1] + 1 for line in lines)
    if keeps:
        order = {edge: place for place, edge in enumerate(edges)}
        spans = [order[right] - order[left] for left, right in pairwise(parts)]
        columns = [[line[left + 1 : right] for line in lines] for left, right in pairwise(parts)]
    else:
        split = [_BAR.split(line)[1:-1] for line in lines]
        if any(len(cells) != len(edges) - 1 for cells in split):
            return None
        spans = [1] * (len(edges) - 1)
        columns = [list(column) for column in zip(*split, strict=True)]
    return [(" ".join(map(str.strip, cells)).strip(), span) for cells, span in zip(columns, spans, strict=True)]
