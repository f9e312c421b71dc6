"""Which from an end of a scale a question asks for, how many from there, and of what.

The word for an end speaks of something: an adjective of its measures, *most* of what stands behind it.
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
"""*The second most expensive*, *the 3rd cheapest*."""


def rank_asked(question: str) -> int:
    """Which from the end of the scale is asked for: 1 is the best, the last or whatever the question says.

    >>> rank_asked("the second most expensive weapon"), rank_asked("the 3rd cheapest"), rank_asked("the cheapest")
    (2, 3, 1)
    """
    match = _RANK.search(question)
    return int(number(phrase(match[1])[0])) if match else 1


def ranking_number(question: Tagged) -> Number | None:
    """The number behind the degree that says which from the end is asked for: *the second longest*."""
    rank, end = rank_asked(question.question), question.end
    if rank == 1 or end is None:
        return None
    return next((n for n in question.numbers if n.place == end + 1 and number(n.value) == rank), None)


def several_asked(question: Tagged) -> Number | None:
    """The number that says how many from the end are asked for: *the three most expensive*, *which two have most*."""
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
    """The word that goes on right behind that for an end: the *guests* of *the most guests*; empty where none does.

    >>> from agent.understanding.question.tagged import tagged
    >>> [behind_end(tagged(text)) for text in ("Which has most guests?", "Which costs most?", "the longest name")]
    ['guest', '', 'name']
    """
    language = question.language
    free = language.small | language.values | {COMMA}
    token = "" if question.end is None else question.tokens[question.end + 1]
    return "" if token in free else token


def is_qualified(word: str, question: Tagged) -> bool:
    """True for a word behind one that adds to what stands before it: *the cheapest to insure*, *an anvil with a stand*.

    >>> from agent.understanding.question.tagged import tagged
    >>> [is_qualified(word, tagged("Which boat is the cheapest to insure?")) for word in ("insure", "boat")]
    [True, False]
    """
    return any(before in question.language.beside and after == word for before, after in pairwise(question.tokens))


def meant_by_adjective(question: Tagged) -> frozenset[str] | None:
    """The words for what an adjective speaks of; None where an end of any amount is asked for.

    >>> from agent.understanding.question.tagged import tagged
    >>> "age" in (meant_by_adjective(tagged("Which is older?")) or ()), meant_by_adjective(tagged("Which has most?"))
    (True, None)
    """
    adjective = question.adjective
    if adjective is None or adjective.scale.of_any:
        return None
    return frozenset(" ".join((*adjective.scale.measures, *adjective.scale.instead)).split())
