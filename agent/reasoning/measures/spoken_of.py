"""What the word for an end of a scale speaks of: an adjective of its measures, *most* of what stands behind it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from agent.languages.language import Language
from agent.reasoning.measures.dimensions import dimensions_in, measures_in
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA


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


def measures_held(values: Iterable[str], named: str, language: Language) -> frozenset[str]:
    """What some values, and what names them, have units of.

    >>> from agent.languages.language import english
    >>> "length" in measures_held(["12"], "Reach (mm)", english())
    True
    """
    held = frozenset[str]().union(*(measures_in(text, language) for text in values))
    return held.union(*(each.measures for each in dimensions_in(named, language)))
