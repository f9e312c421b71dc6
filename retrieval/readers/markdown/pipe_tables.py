"""Pipe tables; rows with more or fewer cells than heads stay text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from retrieval.readers.documents.sections import Block, Paragraph, Placed
from retrieval.readers.documents.tables import Cell, build, clean, stacked
from retrieval.readers.labels.cell_lines import with_label_columns
from retrieval.readers.labels.labelled_cells import as_record
from retrieval.readers.labels.paired_cells import unpaired
from retrieval.readers.markdown.inline import is_bold, plain_text
from retrieval.types import Table

_PAIR = 2
"""The columns of a label and its value."""
_STARTS_WITH_NUMBER = re.compile(r"[+-]?\d")
_TRAIL = re.compile(r"[^>›»]+(?:\s[>›»]\s[^>›»]+){2,}")
"""A breadcrumb trail: *Home > Boats > Reed*."""
_DASHES = re.compile(r":?-+:?")
"""A cell of the line below the heads."""
_RULE = re.compile(r":?-{2,}:?")
"""A cell of a line that only separates rows; a single dash is a missing value."""
_AMOUNT = re.compile(r"[^\w\s]{0,3}\d")
_BAR = re.compile(r"(?<!\\)\|")
_BULLET = re.compile(r"[\s>]*+(?:(?:[-*+]|\d+[.)])\s*+)?(?=\|)")


@dataclass(frozen=True, slots=True)
class _RaggedRow:
    """A row whose cells are more or fewer than its table's heads: its index, line, and cells."""

    at: int
    line: int
    cells: tuple[str, ...]

    @property
    def text(self) -> str:
        return " | ".join(self.cells)


def pipe_table(
    tokens: Sequence[Token], lines: Sequence[str], line: int, warn: list[tuple[int, str]]
) -> Iterator[Block]:
    """Yield a table, and the rows of it that stay text."""
    rows: list[list[Cell]] = []
    torn: list[_RaggedRow] = []
    header = 0
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
            if (cells := _torn_cells(token, lines, len(rows[0]))) and token.map:
                torn.append(_RaggedRow(len(rows) - 1, token.map[0] + 1, cells))
        elif token.type == "inline":
            rows[-1].append(_cell(token))
        elif token.type == "thead_close":
            header = len(rows)
        elif token.type == "tr_close" and header and _only_parts(rows[-1]):
            rows.pop()
            torn = [each for each in torn if each.at < len(rows)]
    if not _is_trail(rows):
        yield from _read(rows, header, torn, line, warn)


def normalized_pipe_table(text: str) -> str:
    r"""Rewrite bar-separated lines that are a table in Jekyll and wikis, but not on GitHub, as a table for both.

    They are rows of equal length, which get blank heads, or heads above a line with the wrong number of dashes. Empty
    if they are neither.

    >>> normalized_pipe_table("| Reed | 9 m |\n| Sedge | 12 m |").splitlines()[:2]
    ['|||', '|-|-|']
    >>> normalized_pipe_table("| Boat | Length |\n|-|-|-|\n| Reed | 9 m |").splitlines()[:2]
    ['| Boat | Length |', '|-|-|']
    """
    first, *rest = rows = [row.strip() for row in text.split("\n")]
    if not all(row.startswith("|") and row.endswith("|") and row.count("|") > 2 for row in rows):
        return ""
    count = len(_cells_of(first))
    dashes = "|-" * count + "|"
    if all(_DASHES.fullmatch(cell.strip()) for cell in _cells_of(rest[0])):
        return "\n".join((first, dashes, *rest[1:]))
    if any(len(_cells_of(row)) != count for row in rest):
        return ""
    return "\n".join(("|" * (count + 1), dashes, text))


def _only_parts(row: Sequence[Cell]) -> bool:
    """True for a row of dashes only."""
    return any(cell.text for cell in row) and all(not cell.text or _RULE.fullmatch(cell.text) for cell in row)


def _cell(token: Token) -> Cell:
    text = plain_text(token, is_cell=True, line_end="\n")
    lines = tuple(filter(None, map(clean, text.split("\n"))))
    shown = {child.type for child in token.children or () if child.type != "text" or child.content.strip()}
    return Cell(clean(text), is_bold(token), lines=lines, is_picture=shown == {"image"})


def _read(
    rows: list[list[Cell]], header: int, torn: Sequence[_RaggedRow], line: int, warn: list[tuple[int, str]]
) -> Iterator[Block]:
    """Yield the table of some rows and the text of ragged ones; only text if there is no table."""
    if wide := _widened(rows, torn):
        rows, torn, header = wide, (), 2 if len(rows[0]) > 1 and _are_heads(wide[1]) else header
    whole = [row for at, row in enumerate(rows[1:], 1) if at not in {each.at for each in torn}]
    ragged = [each for each in torn if not _lacks_remarks(each, whole)]
    table = _built([row for at, row in enumerate(rows) if at not in {each.at for each in ragged}], header)
    if table is not None:
        yield Placed(stacked(as_record(table)), line)
    if ragged:
        warn.append(_ragged_warning(ragged, len(rows[0])))
        heads = " | ".join(cell.text for cell in rows[0])
        yield Paragraph("\n".join([heads, *(each.text for each in ragged)]), ragged[0].line)
    elif table is None:
        warn.append((line, "a table without rows; kept as text"))
        if text := " | ".join(cell.text for row in rows for cell in row if cell.text):
            yield Paragraph(text, line)


def _widened(rows: Sequence[list[Cell]], torn: Sequence[_RaggedRow]) -> list[list[Cell]]:
    """Return the rows with the heads extended, if all rows but group names have the same, greater number of cells.

    The last head spans the extra columns, or the first column alone has one. Empty if the assignment is ambiguous.
    """
    cells, heads = {each.at: each.cells for each in torn}, rows[0]
    widths = {len(each.cells) for each in torn}
    others = [row for at, row in enumerate(rows[1:], 1) if at not in cells and sum(bool(cell.text) for cell in row) > 1]
    if len(widths) != 1 or others or len(torn) < 2 or max(widths) <= len(heads):
        return []
    if len(heads) > 2 or (len(heads) == 2 and heads[0].text):
        return []
    more = max(widths) - len(heads)
    above = [*heads, *([heads[-1]] if len(heads) == 2 else [Cell("")]) * more]
    return [above, *([*map(Cell, cells[at])] if at in cells else [*row] for at, row in enumerate(rows[1:], 1))]


def _are_heads(row: Sequence[Cell]) -> bool:
    """True for words without digits in every column."""
    return all(cell.text and not any(map(str.isdigit, cell.text)) for cell in row)


def _is_trail(rows: Sequence[Sequence[Cell]]) -> bool:
    """True for a single row that is a breadcrumb trail."""
    told = [[cell.text for cell in row if cell.text] for row in rows]
    (first, *rest) = [row for row in told if row] or [[]]
    return not rest and bool(first) and _TRAIL.fullmatch(first[0]) is not None


def _built(rows: list[list[Cell]], header: int) -> Table | None:
    rows = _without_gaps(rows)
    blank = header == 1 and not any(cell.text for cell in rows[0])
    pairs = unpaired(rows)
    if pairs is not rows:
        return build(pairs)
    if blank:
        return build(rows[1:], header_rows=0 if _are_labelled(rows[1:]) else None)
    return build(with_label_columns(rows), header_rows=header)


def _are_labelled(rows: Sequence[Sequence[Cell]]) -> bool:
    """True for labels with values below a blank header: two columns, of which neither has numbers only. *Type* and
    *giant* is one more line, while *Name* and *Price* are the heads of a table of prices.
    """
    if any(len(row) != _PAIR for row in rows) or all(cell.head for cell in rows[0]):
        return False
    return not any(
        all(_STARTS_WITH_NUMBER.match(cell.text) for cell in column) for column in zip(*rows[1:], strict=True)
    )


def _without_gaps(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Return rows of more than two cells without blank columns, which only separate two halves of a table."""
    told = [column for column in range(len(rows[0])) if any(row[column].text for row in rows)]
    return rows if len(rows[0]) <= len(told) or len(told) <= 2 else [[row[column] for column in told] for row in rows]


def _torn_cells(token: Token, lines: Sequence[str], width: int) -> tuple[str, ...]:
    """Return the cells of a row with the wrong number of cells; empty for other rows and for a single name.

    A single name is the group of the rows below it.
    """
    if not token.map or not width or token.map[0] >= len(lines):
        return ()
    row = lines[token.map[0]]
    bullet = _BULLET.match(row)
    cells = _cells_of(row[bullet.end() if bullet else 0 :].strip())
    while len(cells) > width and not cells[-1].strip():
        cells.pop()  # superfluous bars
    is_group = len(cells) == 1 and any(map(str.isalpha, row))
    if is_group or len(cells) == width or not any(map(str.strip, cells)):
        return ()
    return tuple(clean(cell.replace("**", "")) for cell in cells)


def _cells_of(row: str) -> list[str]:
    """Return the cells of a line; its outer bars may be missing."""
    cells = _BAR.split(row)
    if not row.startswith("|"):
        return cells
    return cells[1:] if cells[-1].strip() else cells[1:-1]


def _lacks_remarks(row: _RaggedRow, whole: Sequence[Sequence[Cell]]) -> bool:
    """True if only trailing cells are missing that hold words in other rows, and the cells present are like theirs.

    Only then is the assignment to heads certain.
    """
    own, width = len(row.cells), len(whole[0]) if whole else 0
    if not 1 < own < width:
        return False
    kinds = [{_is_number(other[column].text) for other in whole if other[column].text} for column in range(width)]
    alike = all(not cell or _is_number(cell) in kind for cell, kind in zip(row.cells, kinds, strict=False))
    return alike and all(kind == {False} for kind in kinds[own:])


def _is_number(text: str) -> bool:
    return len(text.split()) == 1 and _AMOUNT.match(text) is not None


def _ragged_warning(ragged: Sequence[_RaggedRow], width: int) -> tuple[int, str]:
    """Return the warning about the ragged rows of one table."""
    first, last = ragged[0].line, ragged[-1].line
    lines = f"; the last in line {last}" if last != first else ""
    have, stay = ("row has", "stays") if last == first else ("rows have", "stay")
    return first, f"{len(ragged)} {have} more or fewer cells than the table's {width} heads, and {stay} text{lines}"
