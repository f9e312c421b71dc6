"""Which measure a number of a question belongs to: each number has one, or none."""

from __future__ import annotations

from collections.abc import Sequence

from agent.domains.combat.words import MEASURES
from agent.understanding.clauses import ARTICLES, COMMA
from retrieval.text.english import FILLERS, JOINS
from retrieval.text.normal import is_number, number

_REACH = 5
"""Tokens from a measure to its number."""
_BETWEEN = FILLERS | ARTICLES | {"also", "both"}


def measure_of(tokens: Sequence[str], place: int) -> str | None:
    """The measure of the number at a place: the one behind it, else the one before, also through a list of numbers.

    >>> tokens = ["an", "armor class", "of", "3", "and", "16", "strength"]
    >>> measure_of(tokens, 3), measure_of(tokens, 5)
    ('armor class', 'strength')
    """
    behind = place + 1
    if behind < len(tokens) and tokens[behind] in MEASURES and not has_number_behind(tokens, behind):
        return tokens[behind]
    before = place
    while before > 1 and tokens[before - 1] in JOINS | {COMMA} and is_number(tokens[before - 2]):
        before -= 2
    return measure_before(tokens, before)


def measure_before(tokens: Sequence[str], place: int) -> str | None:
    """The measure whose number stands at a place: *an armor class of 3*, *whose AC is also 9*.

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
    """True where the number of the measure at a place stands behind it."""
    after = range(place + 1, min(len(tokens), place + _REACH))
    return any(is_number(tokens[i]) and measure_before(tokens, i) == tokens[place] for i in after)


def values_of(tokens: Sequence[str], measure: str) -> list[str]:
    """The numbers of a measure, as they stand."""
    places = [i for i, token in enumerate(tokens) if is_number(token)]
    return [tokens[i] for i in places if measure_of(tokens, i) == measure]


def numbers_of(tokens: Sequence[str], measure: str) -> list[float]:
    """The numbers of a measure."""
    return [number(value) for value in values_of(tokens, measure)]
