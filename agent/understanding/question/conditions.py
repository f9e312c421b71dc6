"""The conditions of a question: its negation, what an entity must have, and its numeric limits."""

from __future__ import annotations

import math
from dataclasses import replace

from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from retrieval.text.label_ranges import Span
from retrieval.text.normal import number

_YEAR = 4
"""The digits of a year."""
_JUST = 0.001
"""The distance of the limit *less than 5* from 5."""


def negation_in(question: Tagged) -> int | None:
    """Return the place of the negation of a question; None if there are several: their combination is ambiguous.

    >>> from agent.understanding.question.tagged import tagged
    >>> negation_in(tagged("Which armor does not cost more than 30 gp?")), negation_in(tagged("no more than 5"))
    (3, None)
    """
    places = [i for i in question.places(question.language.negations) if i not in question.asking]
    return places[0] if len(places) == 1 else None


def denies_having(question: Tagged, negation: int) -> bool:
    """True if the negation denies having something: *no pilots*, *do not have pilots*."""
    behind = question.tokens[negation + 1 : negation + 2]
    return question.tokens[negation] in question.language.lacking or not question.language.helpers.isdisjoint(behind)


def possessed_words(question: Tagged) -> frozenset[str]:
    """Return the words for what an entity must have: those behind *have*, *with* or another helper, up to the first
    that cannot be part of a name.

    >>> from agent.understanding.question.tagged import tagged
    >>> sorted(possessed_words(tagged("Which boats have a cargo crane?"))), possessed_words(tagged("Which boats fly?"))
    (['cargo', 'crane'], frozenset())
    """
    language, tokens, found = question.language, question.tokens, set[str]()
    having = language.helpers | language.beside | language.holding
    for place, token in enumerate(tokens):
        for word in tokens[place + 1 :] if token in having else ():
            if word in language.articles:
                continue
            if not word.isalpha() or word in language.function_words:
                break
            found.add(word)
    return frozenset(found)


def free_numbers(question: Tagged) -> list[Number]:
    """Return the numbers of a question that are no part of a name: not the 4 of *Tower 4*."""
    named = {place for name in question.names for place in name.places}
    return [number for number in question.numbers if number.place not in named]


def numbers_of(question: Tagged) -> list[Number]:
    """Return the numbers of a question; a number behind a comparative is a limit: *taller than 50 cm*.

    >>> from agent.understanding.question.tagged import tagged
    >>> asked = "Which herbs are taller than 50 cm?", "Which herbs are more expensive than 5 crowns?"
    >>> [number.limit is not None for text in asked for number in numbers_of(tagged(text))]
    [True, True]
    """
    return [_limited(each, question) for each in question.numbers]


def _limited(n: Number, question: Tagged) -> Number:
    more, word, than = ("", "", "", *question.tokens)[n.place : n.place + 3]
    language, at = question.language, number(n.value)
    adjective, end = language.adjectives.get(word), language.ends.get(word)
    graded = language.ends.get(more) if adjective is not None and adjective.degree == "positive" else None
    is_compared = "comparative" in (language.degree_of(word), graded and graded.degree)
    if n.limit is not None or than not in language.comparing or not is_compared:
        return n
    is_up = adjective.up if adjective else end is not None and end.high
    is_up = is_up == graded.high if graded else is_up  # *less expensive than 100*
    if adjective is not None and len(n.value) == _YEAR and not language.years.isdisjoint(adjective.scale.low):
        is_up = not is_up  # *older than 1990* is before that year
    return replace(n, limit=Span(at + _JUST, math.inf) if is_up else Span(-math.inf, at - _JUST))
