"""Questions with two superlatives of one kind: how far the longest and the shortest boat are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agent.languages.operations import Operation
from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.kinds.readings import best_readings
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.text.normal import phrase


def ends(question: Tagged) -> Derivation | None:
    """Return the two superlatives of a question; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> ends(tagged("How much longer is the longest boat than the shortest?")).questions
    ('which is the longest boat', 'which is the shortest boat')
    """
    tokens = tuple(question.tokens[: question.tokens.index(COMMA)])
    places = _superlatives(question, len(tokens))
    if len(places) != 2 or question.negated or len(tokens) + 1 < len(question.tokens):
        return None
    first, second = places
    language = question.language
    joints = language.joining | language.comparing | language.like | language.again | language.beside
    joint = next((i for i in range(first.stop, second.start) if tokens[i] in joints), None)
    operation = _operation(question)
    if joint is None or operation is None:
        return None
    wording = language.wordings["best"]
    nouns = _noun(tokens[first.stop : joint], question), _noun(tokens[second.stop :], question)
    kinds = nouns[0] or nouns[1], nouns[1] or nouns[0]
    texts = (
        wording.format(superlative=" ".join(tokens[at.start : at.stop]), kind=" ".join(kind))
        for at, kind in zip(places, kinds, strict=True)
    )
    return Derivation(tuple(texts), partial(_apart, question, operation)) if all(kinds) else None


def _superlatives(question: Tagged, end: int) -> list[range]:
    """Return the places of each superlative, with its adjective or measure: *most expensive*."""
    language, tokens = question.language, question.tokens
    found = []
    for place in range(end):
        if language.degree_of(tokens[place]) == "superlative":
            is_more = tokens[place] in language.ends and tokens[place + 1] in language.adjectives
            found.append(range(place, place + 1 + is_more))
    return found


def _noun(tokens: Sequence[str], question: Tagged) -> tuple[str, ...]:
    """Return the words for a kind, without what asks for it or is said of it."""
    language = question.language
    idle = language.function_words | language.listing | language.helpers | language.ranking
    words = list(tokens)
    while words and words[0] in idle:
        words.pop(0)
    verbs = frozenset().union(*(each.verbs for each in language.dimensions))
    verbs |= {said[0] for name, said in language.operations if name == "difference"}
    while words and (words[-1] in language.helpers | verbs or words[-1] in language.function_words):
        words.pop()
    return tuple(words)


def _operation(question: Tagged) -> Operation | None:
    """Return what is asked of both ends: how far they are apart, or which they are."""
    if question.operation in ("difference", "ratio"):
        return question.operation
    if question.operation is None and question.tokens[0] in question.language.kinds:
        return "read"
    return None


def _apart(question: Tagged, operation: Operation, bounds: Sequence[Bound]) -> Bound | None:
    """Return the two ends with the operation; None if they are of two measures, or shared."""
    winners = [best_readings(bound) if bound.operation == "best" else () for bound in bounds]
    if any(len(some) != 1 for some in winners) or any(bound.without_value for bound in bounds):
        return None
    first, second = bounds
    if phrase(first.measure) != phrase(second.measure):
        return None
    bound = for_question(question, replace(first, readings=(*winners[0], *winners[1])), second)
    return replace(bound, operation=operation, end=None)
