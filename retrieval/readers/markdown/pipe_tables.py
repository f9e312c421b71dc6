"""Tables of lines with bars between their cells become tables; what has more cells than heads stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from retrieval.readers.documents.sections import Block, Paragraph, Placed
from retrieval.readers.documents.tables import Cell, build, clean, stacked
from retrieval.readers.labels.cell_lines import spread
from retrieval.readers.labels.labelled_cells import as_record
from retrieval.readers.labels.paired_cells import unpaired
from retrieval.readers.markdown.inline import is_bold, plain_text
from retrieval.types import Table

_TRAIL = re.compile(r"[^>›»]+(?:\s[>›»]\s[^>›»]+){2,}")
"""Where a page stands in its site: *Home > Boats > Reed*."""
_DASHES = re.compile(r":?-+:?")
"""A cell of the line below heads."""
_RULE = re.compile(r":?-{2,}:?")
"""A cell of a line that only parts the rows above it from those below; a single dash is a value that nobody has."""
_AMOUNT = re.compile(r"[^\w\s]{0,3}\d")
_BAR = re.compile(r"(?<!\\)\|")
_BULLET = re.compile(r"[\s>]*+(?:(?:[-*+]|\d+[.)])\s*+)?(?=\|)")


@dataclass(frozen=True, slots=True)
class _Torn:
    """A row of more or fewer cells than its table has heads: its place among the rows, its line, and its cells."""

    at: int
    line: int
    cells: tuple[str, ...]

    @property
    def text(self) -> str:
        return " | ".join(self.cells)


def pipe_table(
    tokens: Sequence[Token], lines: Sequence[str], line: int, warn: list[tuple[int, str]]
) -> Iterator[Block]:
    """A table, and what of its rows stays text."""
    rows: list[list[Cell]] = []
    torn: list[_Torn] = []
    header = 0
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
            if (cells := _torn_cells(token, lines, len(rows[0]))) and token.map:
                torn.append(_Torn(len(rows) - 1, token.map[0] + 1, cells))
        elif token.type == "inline":
            rows[-1].append(_cell(token))
        elif token.type == "thead_close":
            header = len(rows)
        elif token.type == "tr_close" and header and _only_parts(rows[-1]):
            rows.pop()
            torn = [each for each in torn if each.at < len(rows)]
    if not _is_trail(rows):
        yield from _read(rows, header, torn, line, warn)


def mended(text: str) -> str:
    r"""Lines of bars that are a table to Jekyll and wikis, and none to GitHub, as one for both: rows of as many cells
    each, below blank heads; heads above a line of more or fewer dashes. Empty where they are none.

    >>> mended("| Reed | 9 m |\n| Sedge | 12 m |").splitlines()[:2]
    ['|||', '|-|-|']
    >>> mended("| Boat | Length |\n|-|-|-|\n| Reed | 9 m |").splitlines()[:2]
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
    """True for a row of nothing but dashes."""
    return any(cell.text for cell in row) and all(not cell.text or _RULE.fullmatch(cell.text) for cell in row)


def _cell(token: Token) -> Cell:
    text = plain_text(token, is_cell=True, line_end="\n")
    return Cell(clean(text), is_bold(token), lines=tuple(filter(None, map(clean, text.split("\n")))))


def _read(
    rows: list[list[Cell]], header: int, torn: Sequence[_Torn], line: int, warn: list[tuple[int, str]]
) -> Iterator[Block]:
    """The table of some rows, and the text of those that are torn; all text where there is no table."""
    if wide := _widened(rows, torn):
        rows, torn, header = wide, (), 2 if len(rows[0]) > 1 and _are_heads(wide[1]) else header
    whole = [row for at, row in enumerate(rows[1:], 1) if at not in {each.at for each in torn}]
    ragged = [each for each in torn if not _lacks_remarks(each, whole)]
    table = _built([row for at, row in enumerate(rows) if at not in {each.at for each in ragged}], header)
    if table is not None:
        yield Placed(stacked(as_record(table)), line)
    if ragged:
        warn.append(_told(ragged, len(rows[0])))
        heads = " | ".join(cell.text for cell in rows[0])
        yield Paragraph("\n".join([heads, *(each.text for each in ragged)]), ragged[0].line)
    elif table is None:
        warn.append((line, "a table without rows; kept as text"))
        if text := " | ".join(cell.text for row in rows for cell in row if cell.text):
            yield Paragraph(text, line)


def _widened(rows: Sequence[list[Cell]], torn: Sequence[_Torn]) -> list[list[Cell]]:
    """The rows where all but names have as many cells, more than there are heads: those stand over several columns,
    or over the first alone. Empty where nobody can tell over which.
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
    """True for words without a digit, in each column."""
    return all(cell.text and not any(map(str.isdigit, cell.text)) for cell in row)


def _is_trail(rows: Sequence[Sequence[Cell]]) -> bool:
    """True for nothing but a line of links that leads to a page, as in a table without a head above it."""
    told = [[cell.text for cell in row if cell.text] for row in rows]
    (first, *rest) = [row for row in told if row] or [[]]
    return not rest and bool(first) and _TRAIL.fullmatch(first[0]) is not None


def _built(rows: list[list[Cell]], header: int) -> Table | None:
    rows = _without_gaps(rows)
    blank = header == 1 and not any(cell.text for cell in rows[0])
    pairs = unpaired(rows)
    if pairs is not rows:
        return build(pairs)
    return build(rows[1:] if blank else spread(rows), header_rows=None if blank else header)


def _without_gaps(rows: list[list[Cell]]) -> list[list[Cell]]:
    """The rows of more than two cells without the columns in which nothing stands: they part two halves of a table."""
    told = [column for column in range(len(rows[0])) if any(row[column].text for row in rows)]
    return rows if len(rows[0]) <= len(told) or len(told) <= 2 else [[row[column] for column in told] for row in rows]


def _torn_cells(token: Token, lines: Sequence[str], width: int) -> tuple[str, ...]:
    """The cells of a row that has neither as many as the table has heads, nor a single one; none of any other row.

    A row of one name names those below it.
    """
    if not token.map or not width or token.map[0] >= len(lines):
        return ()
    row = lines[token.map[0]]
    bullet = _BULLET.match(row)
    cells = _cells_of(row[bullet.end() if bullet else 0 :].strip())
    while len(cells) > width and not cells[-1].strip():
        cells.pop()  # bars without need
    is_group = len(cells) == 1 and any(map(str.isalpha, row))
    if is_group or len(cells) == width or not any(map(str.strip, cells)):
        return ()
    return tuple(clean(cell.replace("**", "")) for cell in cells)


def _cells_of(row: str) -> list[str]:
    """What stands between the bars of a line; one before the first cell and one behind the last may be left out."""
    cells = _BAR.split(row)
    if not row.startswith("|"):
        return cells
    return cells[1:] if cells[-1].strip() else cells[1:-1]


def _lacks_remarks(row: _Torn, whole: Sequence[Sequence[Cell]]) -> bool:
    """True for a row whose last cells are missing where others have words, and those it has are like theirs: only so
    can anybody tell under which head these belong.
    """
    own, width = len(row.cells), len(whole[0]) if whole else 0
    if not 1 < own < width:
        return False
    kinds = [{_is_number(other[column].text) for other in whole if other[column].text} for column in range(width)]
    alike = all(not cell or _is_number(cell) in kind for cell, kind in zip(row.cells, kinds, strict=False))
    return alike and all(kind == {False} for kind in kinds[own:])


def _is_number(text: str) -> bool:
    return len(text.split()) == 1 and _AMOUNT.match(text) is not None


def _told(ragged: Sequence[_Torn], width: int) -> tuple[int, str]:
    """What to tell of the ragged rows of one table."""
    first, last = ragged[0].line, ragged[-1].line
    lines = f"; the last in line {last}" if last != first else ""
    have, stay = ("row has", "stays") if last == first else ("rows have", "stay")
    return first, f"{len(ragged)} {have} more or fewer cells than the table's {width} heads, and {stay} text{lines}"
