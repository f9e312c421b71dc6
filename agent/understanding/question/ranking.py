"""The rank that a question asks for, how many results from there, and of which measure.

The word for an end refers to something: an adjective to its measures, *most* to the word behind it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.text.english import ORDINALS
from retrieval.text.normal import number, phrase

_RANK = re.compile(
    rf"\b({'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))[ -](?:most|least|best|worst|[a-z]+est)\b", re.IGNORECASE
)
"""A rank: *the second most expensive*, *the 3rd cheapest*."""


def rank_asked(question: str) -> int:
    """Return the rank from the end of the scale that is asked for; 1 is that end itself.

    >>> rank_asked("the second most expensive weapon"), rank_asked("the 3rd cheapest"), rank_asked("the cheapest")
    (2, 3, 1)
    """
    match = _RANK.search(question)
    return int(number(phrase(match[1])[0])) if match else 1


def ranking_number(question: Tagged) -> Number | None:
    """Return the number that is a rank: *the second longest*."""
    rank, end = rank_asked(question.question), question.end
    if rank == 1 or end is None:
        return None
    return next((n for n in question.numbers if n.place == end + 1 and number(n.value) == rank), None)


def several_asked(question: Tagged) -> Number | None:
    """Return the number of results from the end: *the three most expensive*, *which two have most*."""
    end, tokens, language = question.end, question.tokens, question.language
    if end is None or not question.best:
        return None
    first = end - 1 if end and tokens[end - 1] in language.ends else end
    asking = question.place(language.kinds)
    for n in question.numbers:
        if n.place in (first - 1, asking + 1) and n.limit is None and n.value.isdigit() and number(n.value) > 1:
            return n
    return None


def behind_end(question: Tagged) -> str:
    """Return the word directly behind the word for an end: *guests* in *the most guests*; empty if there is none.

    >>> from agent.understanding.question.tagged import tagged
    >>> [behind_end(tagged(text)) for text in ("Which has most guests?", "Which costs most?", "the longest name")]
    ['guest', '', 'name']
    """
    language = question.language
    free = language.function_words | language.values | {COMMA}
    token = "" if question.end is None else question.tokens[question.end + 1]
    return "" if token in free else token


def is_qualified(word: str, question: Tagged) -> bool:
    """True for a word behind one that adds a qualification: *the cheapest to insure*, *an anvil with a stand*.

    >>> from agent.understanding.question.tagged import tagged
    >>> [is_qualified(word, tagged("Which boat is the cheapest to insure?")) for word in ("insure", "boat")]
    [True, False]
    """
    return any(before in question.language.beside and after == word for before, after in pairwise(question.tokens))


def measures_of_adjective(question: Tagged) -> frozenset[str] | None:
    """Return the words for the measures of the question's adjective; None if it asks for the end of any amount.

    >>> from agent.understanding.question.tagged import tagged
    >>> "age" in (measures_of_adjective(tagged("Which is older?")) or ())
    True
    >>> measures_of_adjective(tagged("Which has most?"))
    """
    adjective = question.adjective
    if adjective is None or adjective.scale.of_any:
        return None
    return frozenset(" ".join((*adjective.scale.measures, *adjective.scale.instead)).split())
