"""Alternatives in a question, by where they stand: what *or*, *vs* and commas join, be it a name here or not.

>>> from agent.understanding.tagged import tagged
>>> [" ".join(each) for each in words_of(tagged("Which of the Reed, the Kite or the Wren is faster?"))]
['reed', 'kite', 'wren']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.understanding.clauses import COMMA
from agent.understanding.tagged import Tagged


def alternatives(question: Tagged) -> Iterator[list[range]]:
    """The places of each of the things that are asked about side by side: all of a list, then always one less, for
    a comma may also end what leads up to them. Nothing where nothing is joined.
    """
    for joint in _joints(question):
        items = [_before(question, joint), _behind(question, joint)]
        if not all(items):
            continue
        while _comma_before(question, items[0].start) is not None and (item := _before(question, items[0].start)):
            items.insert(0, item)
        while len(items) > 1:
            yield list(items)
            del items[0]


def are_exclusive(question: Tagged) -> bool:
    """True where what is joined is asked about apart: *a or b*, and not *a and b*."""
    tokens, both = question.tokens, question.language.between
    return any(tokens[joint] not in both for joint in _joints(question))


def words_of(question: Tagged) -> Iterator[Sequence[str]]:
    """The words of each of the alternatives."""
    for places in next(alternatives(question), []):
        yield question.tokens[places.start : places.stop]


def _joints(question: Tagged) -> list[int]:
    """The places of the words that join."""
    tokens, language = question.tokens, question.language
    return [i for i, token in enumerate(tokens) if token in language.joining and 0 < i < len(tokens) - 1]


def _before(question: Tagged, end: int) -> range:
    """The last name before a place, or the words up to it that are none."""
    tokens, language = question.tokens, question.language
    while end and (tokens[end - 1] == COMMA or tokens[end - 1] in language.articles):
        end -= 1
    named = next((each for each in question.names if each.end == end), None)
    if named is not None:
        return range(named.start, named.end)
    start = end
    while start and _is_word(question, start - 1):
        start -= 1
    return range(start, end)


def _behind(question: Tagged, joint: int) -> range:
    """The first name behind a place, or the words from it on that are none."""
    tokens, language = question.tokens, question.language
    start = joint + 1
    while start < len(tokens) and tokens[start] in language.articles:
        start += 1
    named = next((each for each in question.names if each.start == start), None)
    if named is not None:
        return range(named.start, named.end)
    end = start
    while end < len(tokens) and _is_word(question, end):
        end += 1
    return range(start, end)


def _comma_before(question: Tagged, start: int) -> int | None:
    """The place of the comma before a thing of a list; None where there is none."""
    place = start - 1
    while place >= 0 and question.tokens[place] in question.language.articles:
        place -= 1
    return place if place > 0 and question.tokens[place] == COMMA else None


def _is_word(question: Tagged, place: int) -> bool:
    token, language = question.tokens[place], question.language
    return token != COMMA and token not in language.small and token not in language.asking
