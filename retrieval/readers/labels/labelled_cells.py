"""Tables whose cells are labels with their values, laid out beside each other to save room: *Rank: Mage 0* beside
*Casting time: 1 action*. They are the record of what they stand below, read row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from retrieval.readers.labels.label_marks import clean_label, is_label
from retrieval.types import Table

_CELL = re.compile(r"(?P<label>[^\W\d_][^:]*):\s+(?P<value>\S.*)", re.DOTALL)
_FEWEST = 3
"""Cells with a label; fewer are a coincidence."""


def as_record(table: Table) -> Table:
    """The record that a table of such cells is, with heads that are such cells too; any other table as it is.

    >>> rows = (("Crew: 3", "Built: 1912"), ("Home: Hull", "Fee: 9 crowns"))
    >>> as_record(Table("", ((), ()), rows)).rows
    (('Crew', '3'), ('Built', '1912'), ('Home', 'Hull'), ('Fee', '9 crowns'))
    """
    heads = tuple(" ".join(path) for path in table.columns)
    found = [_CELL.fullmatch(text) for row in (heads, *table.rows) for text in row if text]
    pairs = tuple(_pairs(found))
    is_record = len(found) == len(pairs) >= _FEWEST and len({label for label, _ in pairs}) == len(pairs)
    return replace(table, columns=((), ()), rows=pairs) if is_record else table


def _pairs(found: list[re.Match[str] | None]) -> Iterator[tuple[str, str]]:
    """The labels with their values; nothing of a cell that has none."""
    for match in found:
        if match is not None and is_label(match["label"]):
            yield clean_label(match["label"]), match["value"].strip()
