"""Columns with several values in each cell, *Rooms / Beds* over *4 / 9*, and columns that name rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from agent.writing.texts.notations import in_common_notation, with_decimal_point
from agent.writing.texts.plain import in_singular
from agent.writing.texts.units import known_units
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import normal
from retrieval.types import Chunk, Table

DIE_IN_HEAD = re.compile(r"\bd(\d{1,3})\b")
_BETWEEN = " / "
_DIGITS = re.compile(r"[\d.,]+")
_AFTER_NAME = re.compile(r"[,(]")
_LONG = 4
"""Fewest letters of a word that may stand for its whole name."""
_PATH = re.compile(r"(?:[a-z]\w*\.)+([a-z]\w*)", re.IGNORECASE)
"""A dotted path of names: *door.wait_time*."""


def tables_of(chunk: Chunk) -> list[Table]:
    """Return the tables of a chunk that have headers and are no records."""
    return [table for table in chunk.tables if table.columns and not table.is_record]


@lru_cache(maxsize=256)
def with_divided_columns(table: Table) -> Table:
    """Return the table with each column divided whose header and cells all have the same number of parts, with
    points for decimal commas, and headers in the notation in which sentences are compared.

    >>> inns = Table("", (("Inn",), ("Rooms / Beds",)), (("Elk", "4 / 9"), ("Fox", "2 / 3")))
    >>> with_divided_columns(inns).columns, with_divided_columns(inns).rows[0]
    ((('Inn',), ('Rooms',), ('Beds',)), ('Elk', '4', '9'))
    """
    if not table.rows:
        return table
    columns: list[tuple[str, ...]] = []
    cells: list[list[str]] = []
    for own, column in zip(table.columns, zip(*table.rows, strict=True), strict=True):
        path = tuple(in_common_notation(in_singular(part)) for part in own)
        for head, values in _divided(path, column) if columns else [(path, column)]:
            columns.append(head)
            cells.append(list(map(with_decimal_point, values)))
    return replace(table, columns=tuple(columns), rows=tuple(zip(*cells, strict=True)))


def _divided(path: tuple[str, ...], column: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Sequence[str]]]:
    heads = "".join(path[-1:]).split(_BETWEEN)
    values = [cell.split(_BETWEEN) for cell in column]
    if any(len(each) != len(heads) for each in values):
        yield path, column
        return
    for i, head in enumerate(heads):
        yield (*path[:-1], head.strip()), [each[i].strip() for each in values]


def naming_columns(table: Table) -> Iterator[int]:
    """Yield the columns, besides the first, whose cells name their rows: all differ, and not only by their numbers.

    >>> list(naming_columns(Table("", (("",),) * 3, (("1", "Elk", "$4"), ("2", "Fox", "$7")))))
    [1]
    """
    for c, column in enumerate(zip(*table.rows, strict=True)):
        worded = {_DIGITS.sub("", cell) for cell in column}
        if c and len(set(column)) == len(column) and 2 * len(worded) > len(column) and all(map(_is_worded, column)):
            yield c


def _is_worded(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def is_code(cell: str) -> bool:
    """True for one word of letters and digits that are joined: *5iops-tier*."""
    has_both = any(map(str.isdecimal, cell)) and any(map(str.isalpha, cell))
    return has_both and " " not in cell and any(mark in cell[1:-1] for mark in "-_.")


def row_names(label: str, table: Table) -> list[str]:
    """Return the names of a row: its label, and the parts of it that no other row has.

    The parts are its beginning, *pump3* of *pump3_8xb_eu*, the text before brackets, the end of a path, *wait* of
    *door.wait*, and its last word, *pump* of *heavy pump*.
    """
    own = [part for part in _parts(label) if sum(part in (row[0], *_parts(row[0])) for row in table.rows) == 1]
    *before, last = normal(_AFTER_NAME.split(label)[0]) or ("",)
    is_alone = len(last) >= _LONG and last.isalpha() and sum(last in normal(row[0]) for row in table.rows) == 1
    return [label, *own, *([last] if before and is_alone else ())]


def _parts(label: str) -> tuple[str, ...]:
    """Return the parts of a label that may stand for it.

    >>> _parts("pump3_8xb"), _parts("Smith (Bellows)"), _parts("door.wait_time"), _parts("half plate")
    (('pump3',), ('Smith',), ('wait time', 'door.wait'), ())
    """
    path = _PATH.fullmatch(label)
    begin, underscore, _ = label.partition("_")
    before, bracket, _ = label.partition("(")
    found = (path[1].replace("_", " ") if path else "", begin if underscore else "", before.strip() if bracket else "")
    return tuple(part for part in found if part)


def units_of_rows(table: Table) -> dict[int, str]:
    """Return the units of rows from a column of units: *kg* of *Mass | 50 - 95 | kg*."""
    found: dict[int, str] = {}
    for column in list(zip(*table.rows, strict=True))[1:]:
        units = {r: unit for r, cell in enumerate(column) if (unit := "".join(normal(cell))) in known_units()}
        found |= units if 2 * len(units) > len(column) else {}
    return found


def is_span(head: str) -> bool:
    """True for a header that has a number or a range, but no die.

    >>> is_span("Level 4-6"), is_span("Damage (d8)")
    (True, False)
    """
    return read_label(head).span is not None and DIE_IN_HEAD.search(head) is None
