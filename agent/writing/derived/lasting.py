"""Durations that a source gives by a beginning and an end: *1915-1927* are 12 years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from agent.languages.language import english
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import text_of
from agent.writing.texts.numbers import may_be_year
from agent.writing.texts.plain import plain
from retrieval.text.normal import normal
from retrieval.types import Chunk

_YEAR = "year"
_LEAST, _LEAST_BARE = 2, 10
"""The fewest years that count: with their unit, and without it, as in *she lived to 87*."""
_RANGE = re.compile(r"\b(\d{4}) to (\d{4})\b")

Date = tuple[int, int, int]
"""A year, a month and a day."""


def durations_between_dates(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of numbers of years in a sentence that lie between two years or dates of its sources.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> ada = Chunk("1", "Born: 1815-12-10\\nDied: 1852-11-27\\nAt work: 1833-1843", "Ada")
    >>> said = map(parse_sentence, ("she worked for 10 years", "she lived to 36", "to 37"))
    >>> [sorted(durations_between_dates(each, [ada])) for each in said]
    [[3], [3], []]
    """
    years = {years for chunk in cited for years in _years_of(chunk)}
    ages = {years for chunk in cited for years in _between_dates(chunk)}
    found = set()
    for each in (one[0] for one in sentence.numbers if one[0].value.isdecimal()):
        many, is_bare = int(each.value[:4]), not each.unit and not each.measure
        is_length = each.unit == _YEAR and many >= _LEAST and many in years | ages
        if is_length or (is_bare and many >= _LEAST_BARE and many in ages):
            found.add(each.place)
    return frozenset(found)


@lru_cache(maxsize=512)
def _years_of(chunk: Chunk) -> frozenset[int]:
    """Return the durations of the ranges of years in a text."""
    ranges = _RANGE.findall(plain(text_of(chunk)))
    return frozenset(int(last) - int(first) for first, last in ranges if may_be_year(first) and may_be_year(last))


@lru_cache(maxsize=512)
def _between_dates(chunk: Chunk) -> frozenset[int]:
    """Return the whole years between each two dates of a text."""
    dates = sorted(set(_dates(normal(plain(text_of(chunk))))))
    return frozenset(last[0] - first[0] - (last[1:] < first[1:]) for first, last in combinations(dates, 2))


def _dates(tokens: Sequence[str]) -> Iterator[Date]:
    """Yield the dates that have a day: *10 december 1815*."""
    months = english().months
    for day, month, year in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if month in months and day.isdecimal() and may_be_year(year):
            yield int(year), months.index(month), int(day)
