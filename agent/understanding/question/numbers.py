"""The numbers of a question: their places, and the limits that they form with the words around them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.understanding.words.clauses import COMMA
from retrieval.text.label_ranges import Span, may_limit, read_label
from retrieval.text.normal import is_number, number

_ONE = re.compile(r"\bones?\b", re.IGNORECASE)
_FIRST = re.compile(r"\bfirst\b", re.IGNORECASE)
_DIGIT_ONE = re.compile(r"(?<![\w.])[+]?1(?!\d)")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_DECADE = re.compile(r"\d{2,3}0")
_YEARS_OF_DECADE = 9
"""Years from the first to the last year of a decade."""
_REACH = 4
"""Tokens on either side of a number that may make it a limit: *no more than*."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a question: its place, its text, and the range of values it limits to, if it is a limit."""

    place: int
    value: str
    limit: Span | None = None


@dataclass(frozen=True, slots=True)
class Axes:
    """The measures and levels that the numbers of a question may belong to."""

    question: str
    tokens: Sequence[str]
    language: Language
    measures: Collection[str]

    def is_idle(self, each: Number, around: Collection[int], named: Collection[int]) -> bool:
        """True for a number that selects nothing: the 1 of *which one*, or a number in the context (`around`), such as
        *at 2 am*, without a measure or level beside it. Digits of a name, at the places `named`, are not idle.
        """
        is_one = each.value == "1" and bool(_ONE.search(self.question)) and not _DIGIT_ONE.search(self.question)
        is_part = each.place in named and not is_one
        if each.limit is not None or is_part or (each.value != "1" and each.place not in around):
            return False
        before = self.tokens[each.place - 1] if each.place else ""
        is_first = each.value == "1" and bool(_FIRST.search(self.question)) and not _ONE.search(self.question)
        if is_first and each.place not in around:
            return self.language.degree_of(before) == "superlative"  # *best first*; else it may be asked for
        if is_one:
            return before not in self.language.levels and " " not in before
        beside = (before, *self.tokens[each.place + 1 : each.place + 2])
        return not any(token in self.measures or token in self.language.levels for token in beside)


def numbers_in(
    tokens: Sequence[str], language: Language, names: Sequence[Collection[int]] = ()
) -> tuple[tuple[Number, ...], set[int]]:
    """Return the numbers, and the places of words that make them limits. A decade in one of the `names`, given by their
    places, is a key, and a name that has a whole limit is no limit: *the toll of Over 5 tons*.
    """
    named = set[int]().union(*names)
    numbers, limiting = [], set[int]()
    for i, token in enumerate(tokens):
        if not is_number(token) or i in limiting:
            continue
        limit, places = (
            _between(tokens, i, language)
            or _by_year(tokens, i, language)
            or (None if i in named else _by_decade(tokens, i, language))
            or _limit(tuple(tokens), i, language)
        )
        if limit is not None and any(places.union({i}).issubset(name) for name in names):
            limit, places = None, set()
        limiting |= places - {i}
        numbers.append(Number(i, token, limit))
    return tuple(numbers), limiting


def _between(tokens: Sequence[str], place: int, language: Language) -> tuple[Span, set[int]] | None:
    """Return the range of *between 5 and 10* and its places."""
    for gap in (0, 1):  # *between 5 kg and 10 kg*
        joint, last = place + 1 + gap, place + 2 + gap
        if not place or last >= len(tokens) or (tokens[place - 1], tokens[joint]) != language.between:
            continue
        if is_number(tokens[last]):
            low, high = sorted((number(tokens[place]), number(tokens[last])))
            return Span(low, high), {*range(place - 1, last + 1)}
    return None


def _by_year(tokens: Sequence[str], place: int, language: Language) -> tuple[Span, set[int]] | None:
    """Return the limit of *before 1910*, *since 2015* or *2015 or later*, and its places."""
    if not place or not _YEAR.fullmatch(tokens[place]):
        return None
    label = language.before_years.get(tokens[place - 1])
    if label is not None:
        span = read_label(label.format(tokens[place])).span
        return None if span is None else (span, {place - 1, place})
    joint, word = (*tokens[place + 1 : place + 3], "", "")[:2]
    adjective = language.adjectives.get(word)
    if joint not in language.joining or adjective is None or adjective.degree != "comparative":
        return None
    if language.years.isdisjoint(adjective.scale.measures):
        return None
    at, is_after = number(tokens[place]), adjective.up != (not language.years.isdisjoint(adjective.scale.low))
    return Span(at, math.inf) if is_after else Span(-math.inf, at), {place, place + 1, place + 2}


def _by_decade(tokens: Sequence[str], place: int, language: Language) -> tuple[Span, set[int]] | None:
    """Return the years of *the 1930s* and their places. *30 s* are seconds."""
    is_named = place > 0 and tokens[place - 1] in language.articles and _DECADE.fullmatch(tokens[place]) is not None
    if not is_named or tokens[place + 1 : place + 2] not in (("s",), ["s"]):
        return None
    first, before = number(tokens[place]), tokens[max(0, place - 2)]
    leading = language.statement_words("places") | language.statement_words("occasions") | language.partitive
    return Span(first, first + _YEARS_OF_DECADE), {place - 1 - (before in leading), place - 1, place, place + 1}


@lru_cache(maxsize=512)
def _limit(tokens: tuple[str, ...], place: int, language: Language) -> tuple[Span | None, frozenset[int]]:
    """Return the limit that a number forms with words around it, longest first: *at least 8*, *20 minutes or less*."""
    around = tokens[max(0, place - _REACH) : place + _REACH + 1]
    if not may_limit(" ".join(_with_label_limits(around, language))):
        return None, frozenset()
    for before in range(_REACH, -1, -1):
        for after in range(_REACH, -1, -1):
            start, end = place - before, place + after + 1
            if start < 0 or end > len(tokens) or before + after == 0 or COMMA in tokens[start:end]:
                continue
            if _is_list(tokens[start:end], language):
                continue
            read = read_label(" ".join(_with_label_limits(tokens[start:end], language)))
            if read.span is not None and read.span.width and not _is_named(tokens[start:end], read.name):
                return read.span, frozenset(i for i in range(start, end) if tokens[i] not in read.name)
    return None, frozenset()


def _with_label_limits(tokens: Sequence[str], language: Language) -> list[str]:
    """Return the tokens with limiting phrases as table labels write them."""
    out = list(tokens)
    for said, limit in language.limits.items():
        start = found(out, said)
        if start is not None:
            out[start : start + len(said)] = [limit]
    return out


def _is_list(stretch: Sequence[str], language: Language) -> bool:
    """True if a conjunction joins two numbers: *2 and 3*, which as a row label would be the range from 2 to 3."""
    threes = zip(stretch, stretch[1:], stretch[2:], strict=False)
    return any(is_number(one) and word in language.joining and is_number(other) for one, word, other in threes)


def _is_named(stretch: Sequence[str], name: Sequence[str]) -> bool:
    """True if words before the number are not part of the limit: *weapons over 5*."""
    return bool(name) and stretch[0] in name
