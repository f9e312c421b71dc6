"""Whether the words around a number make it the least or the most there may be: *at least 9*, *a maximum of 9*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from agent.languages.language import english
from retrieval.text.normal import is_number

_NEAR = 5
"""Tokens before a number among which it is called an end."""
_LEAST_BEFORE = (
    ("at", "least"),
    ("no", "less", "than"),
    ("not", "less", "than"),
    ("no", "fewer", "than"),
    ("more", "than"),
    ("over",),
    ("above",),
    ("beyond",),
)
_MOST_BEFORE = (
    ("at", "most"),
    ("no", "more", "than"),
    ("not", "more", "than"),
    ("never", "more", "than"),
    ("less", "than"),
    ("fewer", "than"),
    ("under",),
    ("below",),
    ("up", "to"),
    ("within",),
)
_LEAST_BEHIND = tuple(("or", word) for word in ("more", "higher", "better", "greater", "above"))
_MOST_BEHIND = tuple(("or", word) for word in ("less", "lower", "fewer", "below"))
BOUNDING = frozenset(word for each in (*_LEAST_BEFORE, *_MOST_BEFORE, *_LEAST_BEHIND, *_MOST_BEHIND) for word in each)
"""Words that make a number the least or the most there may be; they are none of what it is said of."""


def bound_of(tokens: Sequence[str], place: int) -> str:
    """Whether the words around a number make it the least or the most there may be."""
    before, behind = tuple(tokens[max(0, place - 3) : place]), tuple(tokens[place + 1 : place + 4])
    if any(before[-len(each) :] == each for each in _MOST_BEFORE if each[-2:] == ("more", "than")):
        return "most"
    for bound, starts, ends in (("least", _LEAST_BEFORE, _LEAST_BEHIND), ("most", _MOST_BEFORE, _MOST_BEHIND)):
        if any(before[-len(each) :] == each for each in starts):
            return bound
        if any(behind[i : i + 2] in ends for i in range(2)):
            return bound
    return _and_more(tokens[place + 1 : place + 1 + _NEAR])


def _and_more(behind: Sequence[str]) -> str:
    """Whether an adjective behind a number makes it an end: *65 years of age and older*."""
    for joined, word in pairwise(behind):
        adjective = english().adjectives.get(word)
        if joined in ("and", "or") and adjective is not None and adjective.degree == "comparative":
            return "least" if adjective.up else "most"
        if is_number(joined):
            break
    return ""


def end_of(tokens: Sequence[str], place: int) -> str:
    """Whether a number is called the least or the most there may be: *a maximum of 9*, *the minimum size is 4*.

    >>> end_of(("the", "minimum", "size", "is", "4"), 4), end_of(("maximum", "9", "or", "4"), 3)
    ('least', '')
    """
    for token in reversed(tokens[max(0, place - _NEAR) : place]):
        if is_number(token):
            break
        if token in _named_ends():
            return _named_ends()[token]
    return ""


@cache
def _named_ends() -> Mapping[str, str]:
    """Words for an end of what there may be."""
    ranges = english().ranges
    return dict.fromkeys(ranges.low, "least") | dict.fromkeys(ranges.high, "most")
