"""Tables that are turned: their columns are things, and their rows what is told of each, as in a comparison of models.

What stands in one row of such a table is alike, all lengths or all years, and what stands in one column is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from retrieval.tables.cells import Grid

_FEWEST = 2
"""Things, and facts of each."""
_MOSTLY = 0.6
"""The share of the rows in which all values are alike."""
_NUMBER = re.compile(r"\d[\d.,]*")


@lru_cache(maxsize=4096)
def is_turned(grid: Grid) -> bool:
    """True for a table whose rows have values of one form each, and whose columns have none."""
    rows = [row[1:] for row in grid.table.rows if any(row[1:])]
    if grid.table.is_record or len(rows) <= _FEWEST or len(rows[0]) < _FEWEST:
        return False
    columns = list(zip(*rows, strict=True))
    across, down = (sum(map(_are_alike, some)) for some in (rows, columns))
    return across >= _MOSTLY * len(rows) and not down and len({_form(row[0]) for row in rows}) > _FEWEST


def _are_alike(texts: Sequence[str]) -> bool:
    return len({_form(text) for text in texts if text}) == 1


def _form(text: str) -> str:
    """What a value looks like: its unit and what else stands around its number, or a word."""
    return _NUMBER.sub("0", text) if _NUMBER.search(text) else ""
