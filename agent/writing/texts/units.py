"""The units of amounts in texts, by one name each: *ft* is a *foot*."""

from __future__ import annotations

from functools import cache

from agent.languages.language import english
from retrieval.text.normal import STOP_WORDS

_UNITS = {
    "gold": "gp", "silver": "sp", "copper": "cp", "electrum": "ep", "platinum": "pp", "ft": "foot", "lb": "pound",
    "lbs": "pound", "in": "inch", "min": "minute", "hr": "hour",
} | {unit: unit for unit in (
    "gp", "sp", "cp", "ep", "pp", "foot", "yard", "mile", "inch", "pound", "percent", "round", "turn", "segment",
    "minute", "hour", "day", "week", "month", "year",
)}  # fmt: skip
PERCENT = "percent"
TIMES = "time"
"""The unit of a factor: *10 times his income*."""
_LONG_UNIT = 5
"""Fewest letters of a unit that is not a word besides."""


def unit_of_word(token: str) -> str:
    """Return the name of the unit that a token is; empty if it is none.

    >>> unit_of_word("ft"), unit_of_word("cup")
    ('foot', '')
    """
    return _UNITS.get(token, "")


@cache
def known_units() -> frozenset[str]:
    """Return all known units."""
    return frozenset().union(*(each.units for each in english().dimensions))


def unit_named(token: str) -> str:
    """Return the unit that a token is short for, else the token.

    >>> unit_named("lb"), unit_named("cup")
    ('pound', 'cup')
    """
    return _UNITS.get(token, token)


def is_unit(token: str) -> bool:
    """True for *gp*, *ft* and *metre*."""
    return (token in _UNITS and token not in STOP_WORDS) or token in _long_units()


@cache
def _long_units() -> frozenset[str]:
    """Return the units of the language that are no other words."""
    return frozenset(unit for unit in known_units() if len(unit) >= _LONG_UNIT) - frozenset(english().months)
