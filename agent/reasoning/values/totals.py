"""Tell a row that adds up the rows above it by its numbers, whatever it is called."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoning.values.quantities import number_of

_FEWEST_ROWS, _FEWEST_COLUMNS = 3, 2
"""The fewest rows that are added up, and the fewest columns in which they are."""
_NEARLY = 0.006
"""The share by which a rounded sum may differ."""


def is_total(rows: Sequence[Sequence[str]]) -> bool:
    """True if the last row is the sum of all others in every column with numbers.

    >>> is_total((("Reed", "3", "1"), ("Rush", "5", "2"), ("Tern", "4", "4"), ("All", "12", "7")))
    True
    >>> is_total((("Reed", "3", "1"), ("Rush", "5", "2"), ("Tern", "4", "4"), ("Wren", "12", "6")))
    False
    """
    *others, last = rows or ((),)
    if len(others) < _FEWEST_ROWS or any(len(row) != len(last) for row in others):
        return False
    told = [column for column in range(1, len(last)) if number_of(last[column]) is not None]
    return len(told) >= _FEWEST_COLUMNS and all(_adds_up([row[column] for row in rows]) for column in told)


def _adds_up(texts: Sequence[str]) -> bool:
    *others, last = map(number_of, texts)
    return last is not None and last != 0 and abs(sum(filter(None, others)) - last) <= _NEARLY * abs(last)
