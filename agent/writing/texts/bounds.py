"""Whether the words around a number make it the least or the most there may be: *at least 9*, *a maximum of 9*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from agent.languages.language import english
from retrieval.text.normal import STOP_WORDS, is_number

_NEAR = 5
"""Tokens before a number among which it is called an end."""
Phrase = tuple[str, ...]


@cache
def bounding() -> frozenset[str]:
    """Words that make a number the least or the most there may be; they are none of what it is said of."""
    return frozenset(word for side in ("before", "behind") for each in _phrases(side) for word in each)


@cache
def _phrases(side: str) -> Mapping[Phrase, str]:
    """What makes a number an end by standing on one side of it, with which end it makes it."""
    return {each: bound for bound in ("least", "most") for each in english().bounds[f"{bound}_{side}"]}


def bound_of(tokens: Sequence[str], place: int) -> str:
    """Whether the words around a number make it the least or the most there may be.

    >>> bound_of(("at", "least", "a", "9", "foot", "rope"), 3), bound_of(("9", "gp", "at", "most"), 0)
    ('least', 'most')
    """
    start, passing = place, english().indefinite | english().about
    while start and tokens[start - 1] in passing:
        start -= 1
    for size in (3, 2, 1):
        before = tuple(tokens[max(0, start - size) : start])
        if bound := _phrases("before").get(before) or _phrases("limiting").get(before):
            return bound
    return next(_ends_behind(tokens, place), "") or _and_more(tokens[place + 1 : place + 1 + _NEAR])


def _ends_behind(tokens: Sequence[str], place: int) -> Iterator[str]:
    """The end that a number is made by what stands behind it, or behind its unit, and before no other number."""
    small = STOP_WORDS - {"of", "is", *english().indefinite} | {""}
    for i in (place + 1, place + 2):
        first, second = ("".join(tokens[at : at + 1]) for at in (i + 1, i + 2))
        bound = _phrases("behind").get(tuple(tokens[i : i + 2]))
        if bound and not is_number(second) and second not in english().indefinite:
            yield bound
        if first in small and "".join(tokens[i : i + 1]) in _named_ends():
            yield _named_ends()[tokens[i]]


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
