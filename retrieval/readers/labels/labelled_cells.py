"""Tables whose cells are labels with values, laid out side by side: *Rank: Mage 0* beside *Casting time: 1 action*.
They are the record of their section, read row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from retrieval.readers.labels.label_marks import clean_label, is_label
from retrieval.types import Table

_CELL = re.compile(r"(?P<label>[^\W\d_][^:]*):\s+(?P<value>\S.*)", re.DOTALL)
_FEWEST = 3
"""The fewest cells with a label; fewer are a coincidence."""


def as_record(table: Table) -> Table:
    """Return the record in a table of such cells, its heads included; any other table unchanged.

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
    """Yield the labels with their values; cells without a label are skipped."""
    for match in found:
        if match is not None and is_label(match["label"]):
            yield clean_label(match["label"]), match["value"].strip()
