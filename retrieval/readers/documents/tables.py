"""Turn a grid of cells into a table: heads become paths, and records are told from grids.

Real tables often lack a `thead`. The header is then the leading rows that are bold or `th`, or words above numbers.
Rows below it without a key, with years, units or words in place of values, are header rows too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.text.identifiers import is_identifier
from retrieval.text.spelling import fold
from retrieval.types import Table


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as found: its text, whether it looks like a head, whether it spans the whole row, its lines if the reader
    knows them, and whether its text is that of a picture.
    """

    text: str
    head: bool = False
    wide: bool = False
    lines: tuple[str, ...] = ()
    is_picture: bool = False


Grid = list[list[Cell]]
_MOST_HEADS = 3
"""The most rows that may continue the heads."""
_NEARLY_ALL = 0.8
"""The share of columns that have a text in a further header row."""
_LONGEST_UNIT = 8
"""The most characters of a unit in a row of its own below the heads."""
_MOSTLY = 0.5
"""The share of a column's cells below a unit that are numbers."""
_DEEPEST = 6
"""More header rows than any table has; so many bold rows belong to a form."""
_YEAR = re.compile(r"(?:19|20)\d\d(?:\W(?:19|20)?\d\d)?")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_DICE = re.compile(r"\d*d(?:\d+|%)", re.IGNORECASE)
"""A head over dice results: these are looked up and do not number the rows."""
_DITTO, _DOTS = frozenset('"″”〃'), frozenset({"...", "…"})
"""Marks that repeat the text above, in any column and in the column of keys."""
_PAIR = 2
"""Columns of a label and its value, of which one without a label may go on with the text above."""
_LONGEST_FRAME = 1_000
_LONGEST_HEAD = 40
_LONGEST_NAME = 100
"""The most characters of a row that is only a name and is prefixed to each row below it."""


def clean(text: str) -> str:
    """Collapse white space, undo escapes (`\\-3`), and use the plain minus sign before digits."""
    if "\\" in text:
        text = re.sub(r"\\([^\w\s])", r"\1", text)
    if "−" in text or "–" in text:
        text = re.sub(r"(?<![\w)])[−–](?=\d)", "-", text)
    return " ".join(text.split())


def build(grid: Grid, caption: str = "", header_rows: int | None = None) -> Table | None:
    """Turn a grid into a `Table`; None if it has no body. With `header_rows` None, the header rows are detected."""
    grid = [row for row in grid if any(cell.text for cell in row)]
    width = max((len(row) for row in grid), default=0)
    grid = [row + [Cell("")] * (width - len(row)) for row in grid]
    if grid and grid[0][0].wide and len(grid) > 2 and header_rows is None and width > 1:
        caption, grid = caption or grid[0][0].text, grid[1:]
    if _is_named_record(grid, width):
        caption, grid, header_rows = caption or grid[0][0].text, grid[1:], 0
    if header_rows is None:
        header_rows = 0 if _looks_like_record(grid, width) else _header_rows(grid)
    if header_rows and grid[header_rows - 1][0].text and _is_of_units(grid[header_rows:]):
        heads, units = grid[header_rows - 1 : header_rows + 1]
        grid[header_rows - 1 : header_rows + 1] = [list(map(_with_unit, heads, units))]
    header_rows += _more_heads(grid[header_rows:]) if header_rows else 0
    is_shown = _only_shows(grid[header_rows:])
    if is_shown or _counts_rows(grid[:header_rows], grid[header_rows:]):
        is_named = not is_shown and any(row[0].text for row in grid[:header_rows])
        grid = [[*row[1:], *row[: int(is_named)]] for row in grid]
        width = len(grid[0])
    body = _with_keys_repeated(_without_heads(grid[header_rows:], grid[:header_rows]))
    if not body:
        return None
    columns = tuple(_path([row[c].text for row in grid[:header_rows]]) for c in range(width))
    rows = tuple(tuple("" if cell.wide and c else cell.text for c, cell in enumerate(row)) for row in body)
    if width == 2 and header_rows == 0:
        rows = tuple((label.rstrip(": "), value) for label, value in rows)
    return Table(caption, columns, _named_in_full(rows) if width > 2 else rows)


def _without_heads(body: Grid, heads: Grid) -> Grid:
    """Return the rows without those that say the heads once more, as on a second page, and what stands alone above."""
    said = [[cell.text for cell in row] for row in heads]
    if not any(any(row) for row in said):
        return body
    again = {at for at, row in enumerate(body) if [cell.text for cell in row] in said}
    again |= {at - 1 for at in again if at and len({cell.text for cell in body[at - 1] if cell.text}) == 1}
    return [row for at, row in enumerate(body) if at not in again]


def _with_keys_repeated(body: Grid) -> Grid:
    """Return the rows with the text from above where a mark repeats it, *...* or *"*, and with the key from above where
    a row that is as full as the one above has none.

    A row of nothing but marks is no row of the table: it says that others are left out. If no key follows any row
    without one, the first column may be a list that ends before the others do.
    """
    found: Grid = []
    keys = [bool(row[0].text) for row in body]
    has_gaps = (False, True) in pairwise(keys)
    for row in body:
        above = found[-1] if found else []
        if above and any(cell.text and cell.text not in _DITTO | _DOTS for cell in row[1:]):
            row = [old if cell.text in _DITTO else cell for cell, old in zip(row, above, strict=True)]
            is_bare = has_gaps and not row[0].text and len(row) > _PAIR
            if row[0].text in _DOTS or (is_bare and _is_as_full(row[1:], above[1:])):
                row[0] = above[0]
        found.append(row)
    return found


def _is_as_full(row: Sequence[Cell], above: Sequence[Cell]) -> bool:
    return all(cell.text for cell, old in zip(row, above, strict=True) if old.text)


def stacked(table: Table) -> Table:
    """Stack a table whose heads repeat side by side into one set of columns; any other table stays as it is.

    >>> stacked(Table("", (("Boat",), ("Fee",)) * 2, (("Reed", "3", "Sedge", "5"), ("Rush", "4", "", "")))).rows
    (('Reed', '3'), ('Rush', '4'), ('Sedge', '5'))
    """
    width = len(table.columns)
    for own in range(2, width // 2 + 1):
        heads = table.columns[:own]
        if width % own == 0 and table.columns == heads * (width // own) and all(heads) and len(set(heads)) == own:
            starts = range(0, width, own)
            rows = tuple(row[start : start + own] for start in starts for row in table.rows)
            return replace(table, columns=heads, rows=tuple(row for row in rows if any(row)))
    return table


def _counts_rows(heads: Grid, body: Grid) -> bool:
    """True if the first column only numbers the rows from 0 or 1, with names in the next column.

    It has no head, as in exported data frames, or the rows are in no other order.
    """
    if not heads or len(body) < 2 or len(body[0]) < 3:
        return False
    counted = [row[0].text.rstrip(".") for row in body]
    are_named = all(row[1].text and not _numeric(row[1].text) for row in body)
    if not are_named or not any(counted == list(map(str, range(first, first + len(body)))) for first in (0, 1)):
        return False
    named = [row[0].text for row in heads if row[0].text]
    return not named or (not any(map(_DICE.fullmatch, named)) and _is_in_no_order(body))


def _only_shows(body: Grid) -> bool:
    """True if the first column has pictures that are all called the same, *image*: none of them names its row."""
    shown = [row[0] for row in body if row[0].text]
    is_alike = len(shown) > 1 and len({cell.text for cell in shown}) == 1
    return is_alike and all(cell.is_picture for cell in shown) and len(body[0]) > 1


def _is_in_no_order(body: Grid) -> bool:
    """True if the names differ and no complete column of numbers is sorted: the rows are in no order of level or
    rank.
    """
    if len({row[1].text for row in body}) < len(body):
        return False
    columns = [[_NUMBER.search(row[column].text) for row in body] for column in range(2, len(body[0]))]
    numbers = [[float(found[0].replace(",", "")) for found in column if found] for column in columns]
    whole = [told for told in numbers if len(told) == len(body)]
    return bool(whole) and not any(told in (sorted(told), sorted(told, reverse=True)) for told in whole)


def columns_of(grid: Grid, table: Table) -> list[int]:
    """Return the grid column of each table column: a column that only numbers the rows is dropped or moved last,
    one that only shows them is dropped.
    """
    width = len(grid[0])
    if len(table.columns) < width:
        return list(range(1, width))
    first, last = grid[-1][0].text, table.rows[-1]
    is_last = last[0] != first and last[-1] == first
    return [*range(1, width), 0] if is_last else list(range(width))


def _named_in_full(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Join group names to their members: *young* and *- old* under *Dragon, red*, a row that is only a name, become
    *Dragon, red, young* and *Dragon, red, old*.

    A name that begins with a capital stands for itself and ends the group; an identifier is never joined.
    """
    head = ""
    out = []
    for row in rows:
        name, member = row[0], _MEMBER.match(row[0])
        if not any(row[1:]):
            head = name.rstrip(" :") if len(name) <= _LONGEST_NAME else ""
        elif head and member and not is_identifier(fold(name).strip(" *†‡")):
            row = (f"{head}, {member['name']}", *row[1:])
        else:
            head = ""
        out.append(row)
    return tuple(out)


_MEMBER = re.compile(r"(?:[-–—•]\s*|(?=[a-z]))(?P<name>[^\W\d_].*)")


def _path(heads: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(head for head in heads if head))


def _looks_like_record(grid: Grid, width: int) -> bool:
    """True for two columns of label and value: labels end in a colon, or are bold beside values that are not.

    Rows that span both columns name groups and don't count.
    """
    grid = [row for row in grid if not row[0].wide]
    if width != 2 or len(grid) < 2:
        return False
    labels = sum(row[0].text.endswith(":") or (row[0].head and not row[1].head) for row in grid)
    return labels >= 0.8 * len(grid)


def _is_named_record(grid: Grid, width: int) -> bool:
    """True for two columns of label and value under a head above the labels alone, which names the whole record."""
    return width == 2 and len(grid) > 2 and bool(grid[0][0].text) and not grid[0][1].text and _has_values(grid[1:])


def _has_values(grid: Grid) -> bool:
    return all(row[1].text for row in grid)


def _header_rows(grid: Grid) -> int:
    """Return the number of leading rows of heads; a name over a whole row below them names the rows that follow."""
    marked = [_is_of_heads(row) and not (at and row[0].wide) for at, row in enumerate(grid)]
    count = marked.index(False) if False in marked else 0
    if count > _DEEPEST:
        return 0
    if count or len(grid) < 2:
        return count
    if not grid[0][0].text and all(cell.text for cell in grid[0][1:]):
        return 1
    first_is_words = not any(_numeric(cell.text) for cell in grid[0]) and all(cell.text for cell in grid[0])
    return int(first_is_words and any(_numeric(cell.text) for row in grid[1:] for cell in row))


def _is_of_heads(row: Sequence[Cell]) -> bool:
    return all(cell.head or not cell.text for cell in row)


def _is_of_units(body: Grid) -> bool:
    """True if the first row has no key and only short words without digits, several, all above numbers."""
    first, *rest = body or [[]]
    told = [at for at, cell in enumerate(first) if cell.text]
    if len(told) < _PAIR or 0 in told or not rest or not all(row[0].text for row in rest):
        return False
    are_short = all(len(first[at].text) <= _LONGEST_UNIT and not _DIGIT.search(first[at].text[:1]) for at in told)
    numbers = [sum(_numeric(row[at].text) for row in rest) for at in told]
    return are_short and min(numbers) >= _MOSTLY * len(rest)


def _with_unit(head: Cell, unit: Cell) -> Cell:
    unit_alone = unit.text.strip("()[] ")
    return replace(head, text=f"{head.text} ({unit_alone})") if head.text and unit_alone else head


def _more_heads(body: Grid) -> int:
    """Count the rows below the heads that continue them: years, units or words above the values, and no key."""
    count = 0
    for row in body[:_MOST_HEADS]:
        said = [cell.text for cell in row[1:]]
        told = list(filter(None, said))  # an empty column separates two groups
        is_head = len(told) > 1 and not row[0].text and len(told) >= _NEARLY_ALL * len(said)
        if not is_head or not (
            len(set(told)) == 1 or all(map(_YEAR.fullmatch, told)) or not any(map(_DIGIT.search, told))
        ):
            break
        count += 1
    return count if count < len(body) and all(row[0].text for row in body[count:]) else 0


def _numeric(text: str) -> bool:
    return bool(re.match(r"[+-]?\d", text))


def is_record_matrix(table: Table) -> bool:
    """True for several stat blocks side by side: an empty corner, names across, labels with colons down.

    >>> is_record_matrix(Table("", ((), ("Common",), ("Mage",)), (("Armor Class:", "5", "4"),)))
    True
    """
    corner = not table.columns[0] and all(table.columns[1:]) and len(table.columns) > 2
    if not corner or not is_briefly_framed(table):
        return False
    return sum(row[0].endswith(":") for row in table.rows) >= 0.8 * len(table.rows)


def is_briefly_framed(table: Table) -> bool:
    """True if caption, notes and heads are so short that each row or column can be a chunk that repeats them."""
    around = len(table.caption) + sum(map(len, table.notes))
    heads = sum(len(head) for path in table.columns for head in path)
    return around <= _LONGEST_FRAME and heads <= _LONGEST_FRAME + _LONGEST_HEAD * len(table.columns)
