"""Questions for all that meet a condition: *which plans cost less than €15*, *how many towns are in zone B*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.understanding.attributes import is_negated, preference
from agent.understanding.clauses import ARTICLES, NEGATIONS
from retrieval.text.normal import is_number

_ABOVE = frozenset({"over", "above", "exceeding", "exceed"})
_BELOW = frozenset({"under", "below"})
_NOT = NEGATIONS | {"no"}
OVER_OR_UNDER = _ABOVE | _BELOW | _NOT
_AT = {("at", "least"): False, ("at", "most"): True, ("up", "to"): True}
_NOT_BEFORE = 2
"""How many words before a threshold *not* may stand: *does not cost more than 15*."""
_LEADING = frozenset({"of", "these", "those", "all", *ARTICLES})


@dataclass(frozen=True, slots=True)
class Threshold:
    """A number that values are held against; `low` asks for those below it, `exact` counts the number itself in.

    `start` and `end` are the places of its words, `number` that of the number.
    """

    low: bool
    exact: bool
    start: int
    number: int


def threshold(tokens: Sequence[str]) -> Threshold | None:
    """The threshold of a question; None where there is none, or more than one.

    >>> threshold(("which", "plan", "cost", "less", "than", "15"))
    Threshold(low=True, exact=False, start=3, number=5)
    >>> threshold(("which", "plan", "doe", "not", "cost", "less", "than", "15"))
    Threshold(low=False, exact=True, start=3, number=7)
    """
    found = [one for i, token in enumerate(tokens) if is_number(token) if (one := _before(tokens, i)) is not None]
    if len(found) != 1:
        return None
    (one,) = found
    start = next((i for i in range(max(0, one.start - _NOT_BEFORE), one.start) if tokens[i] in _NOT), None)
    return one if start is None else Threshold(not one.low, not one.exact, start, one.number)


def _before(tokens: Sequence[str], i: int) -> Threshold | None:
    pair = (*tokens[max(0, i - 2) : i],)
    if pair in _AT:
        return Threshold(_AT[pair], True, i - 2, i)
    if pair[-1:] == ("than",) and len(pair) == 2 and (end := preference(pair[:1])) in ("low", "high"):
        return Threshold(end == "low", False, i - 2, i)
    if pair[-1:] and pair[-1] in _ABOVE | _BELOW:
        return Threshold(pair[-1] in _BELOW, False, i - 1, i)
    return None


def kind_asked(tokens: Sequence[str]) -> int | None:
    """Where the kind stands that a question asks all or the number of: behind *which* or *how many*."""
    for i, token in enumerate(tokens):
        start = i + 1 if token == "which" else i + 2 if tuple(tokens[i : i + 2]) == ("how", "many") else 0
        while 0 < start < len(tokens) and tokens[start] in _LEADING:
            start += 1
        if start:
            return start if start < len(tokens) else None
    return None


def is_conditional(tokens: Sequence[str]) -> bool:
    """True where all of a kind are asked for, or their number, and not the best of them."""
    if kind_asked(tokens) is None:
        return False
    return threshold(tokens) is not None or not preference(tokens)


def is_negated_choice(tokens: Sequence[str]) -> bool:
    """True where all but some of a kind are asked for: *which classes do not …*."""
    return is_negated(tokens) and kind_asked(tokens) is not None


def asks_number(tokens: Sequence[str]) -> bool:
    """True for *how many*."""
    return ("how", "many") in pairwise(tokens)
