"""Dates and ranges count as one: the day of one date with the year of another stands nowhere in the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.languages.language import english
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import tokens_of
from agent.writing.texts.numbers import may_be_year
from retrieval.text.normal import is_number
from retrieval.types import Chunk

Whole = tuple[str, ...]
"""The ends of a range, or the parts of a date: its day, month and year."""


def recombined_dates_and_ranges(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the dates and ranges of a sentence that a chunk has only in pieces, each in another one.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> ada = Chunk("1", "Born 10 December 1815, died 27 November 1852. Age 30-40, 25-36 at first.", "Ada")
    >>> said = map(parse_sentence, ("born 27 December 1815", "died on 27 November", "aged 30 to 36"))
    >>> [sorted(recombined_dates_and_ranges(ada, each)) for each in said]
    [[1, 3], [], [1, 3]]
    """
    found: set[int] = set()
    for wholes_of, in_all in ((_dates, _dates_of(chunk)), (_ranges, _ranges_of(chunk))):
        for places, whole in wholes_of(sentence.tokens):
            is_known = all(any(part in each for each in in_all) for part in whole)
            if is_known and not any(_is_part(whole, each) for each in in_all):
                found.update(place for place in places if is_number(sentence.tokens[place]))
    return frozenset(found)


def _is_part(whole: Whole, other: Whole) -> bool:
    """True if a date or range is another, or, of a date, its month and year or its day and month."""
    return whole in (other, other[1:], other[:2])


@lru_cache(maxsize=512)
def _dates_of(chunk: Chunk) -> frozenset[Whole]:
    return frozenset(whole for _, whole in _dates(tokens_of(chunk)))


@lru_cache(maxsize=512)
def _ranges_of(chunk: Chunk) -> frozenset[Whole]:
    return frozenset(whole for _, whole in _ranges(tokens_of(chunk)))


def _dates(tokens: Sequence[str]) -> Iterator[tuple[Sequence[int], Whole]]:
    """Yield the dates of a text: a month with a day before it, a year behind it, or both; else a day behind it."""
    months = english().months
    for i, token in enumerate(tokens):
        if token not in months:
            continue
        before, behind = "".join(tokens[max(0, i - 1) : i]), "".join(tokens[i + 1 : i + 2])
        has_day, has_year = _is_day(before), may_be_year(behind)
        if has_day or has_year:
            places = range(i - has_day, i + 1 + has_year)
            yield places, tuple(tokens[place] for place in places)
        elif _is_day(behind):
            yield (i, i + 1), (behind, token)


def _is_day(token: str) -> bool:
    return token.isdecimal() and 0 < int(token[:4]) < 32


def _ranges(tokens: Sequence[str]) -> Iterator[tuple[Sequence[int], Whole]]:
    """Yield the ranges of a text, each as its two ends."""
    for i in range(len(tokens) - 2):
        first, to, last = tokens[i : i + 3]
        if to == "to" and is_number(first) and is_number(last):
            yield (i, i + 2), (first, last)
