"""What a thing bears is no measure of its own: the weight that a mule can carry is not what the mule weighs.

The question shows it by a verb of bearing, or by an adjective that it says of something else: *how heavy a camera can I
put on it*. Then the own measure is left out of account, and a label for a load or a limit is taken, where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from agent.languages.language import Language
from agent.languages.scales import Dimension
from agent.reasoning.structure.dimensions import measures_in
from agent.understanding.numbers import Number
from agent.understanding.tagged import Tagged
from retrieval.tables.match import is_told, said_words

_REACH = 4
"""Tokens before a number in which its verb stands: *carry a load of over 500 g*."""


def borne(question: Tagged) -> Dimension | None:
    """What is asked of something that the subject bears; None where nothing is.

    >>> from agent.understanding.tagged import tagged
    >>> [borne(tagged(f"{said}?")) is not None for said in ("How heavy is the mule", "How heavy a rider can it carry")]
    [False, True]
    """
    for dimension in question.language.dimensions:
        own = _places_of_own(question, dimension) if dimension.bearing else []
        if own and (_verb(question, dimension) or any(_object(question, i) for i in own)):
            return dimension
    return None


def borne_amount(question: Tagged, n: Number) -> Dimension | None:
    """What a number with its unit is an amount of, where it stands behind a verb of bearing: *carry over 500 g*."""
    unit, before = question.tokens[n.place + 1 : n.place + 2], question.tokens[max(0, n.place - _REACH) : n.place]
    for dimension in question.language.dimensions:
        if not dimension.units.isdisjoint(unit) and not dimension.bearing.isdisjoint(before):
            return dimension
    return None


def is_load(label: Sequence[str], texts: Sequence[str], dimension: Dimension, language: Language) -> bool:
    """True for the label of a load or limit, of which some value has a unit of the dimension: *Payload*, *Max. rider*.

    A label with an own measure is that of the thing, or of a part of it.
    """
    own = dimension.measures & language.measures
    if any(is_told(word, label) for word in own):
        return False
    is_limit = not language.ranges.high.isdisjoint(label)
    is_limit = is_limit or any(word.endswith(load) for word in label for load in dimension.measures - own)
    return is_limit and any(measures_in(text, language) & dimension.measures for text in texts)


def is_only_borne(question: Tagged, label: str, text: str) -> bool:
    """True where a measure of the thing itself is asked for, and the label is that of a load: no *payload* is how heavy
    it is.
    """
    if borne(question) is not None:
        return False
    own = (each for each in question.language.dimensions if each.bearing and _places_of_own(question, each))
    return any(is_load(said_words(label), (text,), each, question.language) for each in own)


def words_of_load(question: Tagged, dimension: Dimension) -> frozenset[str]:
    """The words that say no more than that something is borne: verbs, measures, adjectives, and what is borne."""
    tokens = question.tokens
    own = _places_of_own(question, dimension)
    objects = (word for i in own for word in _object(question, i))
    return dimension.bearing | {tokens[i] for i in own} | frozenset(objects)


def _places_of_own(question: Tagged, dimension: Dimension) -> list[int]:
    """Where a question has a measure of a thing itself, or an adjective that speaks of one."""
    language, own = question.language, dimension.measures & question.language.measures
    found = []
    for i, token in enumerate(question.tokens):
        adjective = language.adjectives.get(token)
        measures = (token,) if adjective is None else adjective.scale.measures
        if not own.isdisjoint(measures):
            found.append(i)
    return found


def _verb(question: Tagged, dimension: Dimension) -> bool:
    """True where a verb of bearing stands behind an auxiliary, or behind *which* without *is* between them."""
    tokens, language = question.tokens, question.language
    before = tokens[: next((i for i, token in enumerate(tokens) if token in dimension.bearing), 0)]
    if not (language.possible | language.auxiliaries | language.support).isdisjoint(before):
        return True
    return not language.kinds.isdisjoint(before) and language.copulas.isdisjoint(before)


def _object(question: Tagged, place: int) -> tuple[str, ...]:
    """What an adjective is said of, where that is not the subject: the *camera* of *how heavy a camera can I put on
    it*; nothing for *how heavy a mule is it*.
    """
    tokens, language = question.tokens, question.language
    if not place or tokens[place - 1] not in language.before_adjectives or tokens[place + 1] not in language.articles:
        return ()
    ends = language.possible | language.auxiliaries | language.support | language.copulas
    said = tuple(takewhile(lambda token: token not in ends, tokens[place + 2 :]))
    behind = tokens[place + 2 + len(said) :][:1]
    return said if behind and behind[0] in language.possible else ()
