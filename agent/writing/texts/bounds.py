"""Whether the words around a number make it a lower or an upper bound: *at least 9*, *a maximum of 9*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from agent.languages.language import english
from retrieval.text.normal import STOP_WORDS, is_number

_NEAR = 5
"""Most tokens between a number and a word that makes it a bound."""
OTHER_SIDE = {"least": "most", "most": "least"}
_THAN = ("than",)
Phrase = tuple[str, ...]


@cache
def bounding() -> frozenset[str]:
    """Return the words that make a number a bound; they are not what the number is about."""
    return frozenset(word for side in ("before", "behind") for each in _phrases(side) for word in each)


@cache
def _phrases(side: str) -> Mapping[Phrase, str]:
    """Return the phrases that make a number a bound from one side, each with its bound, *least* or *most*."""
    return {each: bound for bound in ("least", "most") for each in english().bounds[f"{bound}_{side}"]}


def bound_of(tokens: Sequence[str], place: int) -> str:
    """Return *least* or *most* if the words around a number make it a lower or an upper bound, else an empty string.

    >>> bound_of(("at", "least", "a", "9", "foot", "rope"), 3), bound_of(("9", "gp", "at", "most"), 0)
    ('least', 'most')
    >>> bound_of(("not", "bear", "more", "than", "9"), 4), bound_of(("no", "more", "than", "9"), 3)
    ('most', 'most')
    """
    start, passing = place, english().indefinite | english().about
    while start and tokens[start - 1] in passing:
        start -= 1
    for size in (3, 2, 1):
        before = tuple(tokens[max(0, start - size) : start])
        if bound := _phrases("before").get(before) or _phrases("limiting").get(before):
            return OTHER_SIDE[bound] if before[-1:] == _THAN and is_denied(tokens, start - size) else bound
    return next(_ends_behind(tokens, place), "") or _and_more(tokens[place + 1 : place + 1 + _NEAR])


def is_denied(tokens: Sequence[str], place: int) -> bool:
    """True if a negation stands closely before a place."""
    return not english().negations.isdisjoint(tokens[max(0, place - _NEAR) : place])


def _ends_behind(tokens: Sequence[str], place: int) -> Iterator[str]:
    """Yield the bound by the words behind a number or its unit, if no other number follows them."""
    small = STOP_WORDS - {"of", "is", *english().indefinite} | {""}
    for i in (place + 1, place + 2):
        first, second = ("".join(tokens[at : at + 1]) for at in (i + 1, i + 2))
        bound = _phrases("behind").get(tuple(tokens[i : i + 2]))
        if bound and not is_number(second) and second not in english().indefinite:
            yield bound
        if first in small and "".join(tokens[i : i + 1]) in _named_ends():
            yield _named_ends()[tokens[i]]


def _and_more(behind: Sequence[str]) -> str:
    """Return the bound by a comparative behind a number: *65 years of age and older*."""
    for joined, word in pairwise(behind):
        adjective = english().adjectives.get(word)
        if joined in ("and", "or") and adjective is not None and adjective.degree == "comparative":
            return "least" if adjective.up else "most"
        if is_number(joined):
            break
    return ""


def end_of(tokens: Sequence[str], place: int) -> str:
    """Return the bound that a word before a number names: *a maximum of 9*, *the minimum size is 4*; else an empty
    string.

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
    """Return the words for a minimum or a maximum, each with its bound."""
    ranges = english().ranges
    return dict.fromkeys(ranges.low, "least") | dict.fromkeys(ranges.high, "most")
