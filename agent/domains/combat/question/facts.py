"""Which measure a number of a question belongs to: each number has one measure or none.

The measures are terms of the vocabulary; `vocabulary.toml` beside this module has their other forms, and a test
compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from agent.understanding.words.clauses import ARTICLES, COMMA
from retrieval.text.english import FILLERS, JOINS
from retrieval.text.normal import is_number, number

ABILITIES = ("strength", "intelligence", "wisdom", "dexterity", "constitution", "charisma")
MEASURES = frozenset({*ABILITIES, "armor class", "hit points", "hit dice", "level"})
"""Measures that a number in a question can belong to."""
TERMS = frozenset({"armor class", "hit points", "hit dice", "experience points", *ABILITIES})
"""Measures that a question can ask for, without the level."""


_REACH = 5
"""Most tokens from a measure to its number."""
_BETWEEN = FILLERS | ARTICLES | {"also", "both"}
_LISTING = JOINS | {COMMA}


def measure_of(tokens: Sequence[str], place: int) -> str | None:
    """Return the measure of the number at a place: the one behind it, else the one before it or before its list.

    >>> tokens = ["an", "armor class", "of", "3", "and", "16", "strength"]
    >>> measure_of(tokens, 3), measure_of(tokens, 5)
    ('armor class', 'strength')
    """
    return _owners(tuple(tokens))[place]


@lru_cache(maxsize=256)
def _owners(tokens: tuple[str, ...]) -> tuple[str | None, ...]:
    """Return the measure of each number, from left to right; a listed number has the measure of the one before it."""
    owners: list[str | None] = []
    before: list[str | None] = []
    for place, token in enumerate(tokens):
        is_listed = place > 1 and tokens[place - 1] in _LISTING and is_number(tokens[place - 2])
        before.append(before[place - 2] if is_listed else measure_before(tokens, place))
        owners.append((_measure_behind(tokens, place) or before[place]) if is_number(token) else None)
    return tuple(owners)


def _measure_behind(tokens: Sequence[str], place: int) -> str | None:
    """Return the *strength* of *16 strength*, if it has no number of its own behind it."""
    behind = place + 1
    if behind < len(tokens) and tokens[behind] in MEASURES and not has_number_behind(tokens, behind):
        return tokens[behind]
    return None


def measure_before(tokens: Sequence[str], place: int) -> str | None:
    """Return the measure whose number stands at a place: *an armor class of 3*, *whose AC is also 9*.

    >>> measure_before(["armor class", "is", "also", "9"], 3)
    'armor class'
    """
    for i in range(place - 1, max(-1, place - _REACH), -1):
        if tokens[i] in MEASURES:
            return tokens[i]
        if tokens[i] not in _BETWEEN:
            return None
    return None


def has_number_behind(tokens: Sequence[str], place: int) -> bool:
    """Return True if the number of the measure at a place stands behind it."""
    for i in range(place + 1, min(len(tokens), place + _REACH)):
        if is_number(tokens[i]) and measure_before(tokens, i) == tokens[place]:
            return True
    return False


def values_of(tokens: Sequence[str], measure: str) -> list[str]:
    """Return the numbers of a measure, as written."""
    if measure not in tokens:
        return []
    owners = _owners(tuple(tokens))
    return [token for token, owner in zip(tokens, owners, strict=True) if owner == measure]


def numbers_of(tokens: Sequence[str], measure: str) -> list[float]:
    """Return the numbers of a measure."""
    return [number(value) for value in values_of(tokens, measure)]
