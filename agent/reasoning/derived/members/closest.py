"""The member of a kind whose value is closest to a number: asked as a limit, which reads the values on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.values.quantities import number_of
from agent.understanding.linking.program import Bound
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from retrieval.text.normal import number


def closest(question: Tagged) -> Derivation | None:
    """Return the question with a limit instead of the superlative; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> closest(tagged("Which boat is closest to 10 m long?")).questions
    ('which boat is more than 10 m long',)
    """
    tokens, language, end = question.tokens[:-1], question.language, question.end
    if end is None or question.degree not in language.nearest or question.negated:
        return None
    asked = next((n for n in question.numbers if n.place == end + 2 and n.limit is None), None)
    if asked is None or tokens[end + 1] not in language.beside:
        return None
    limit = " ".join((*tokens[:end], language.wordings["limit"], *tokens[asked.place :]))
    return Derivation((limit,), partial(_nearest, question, asked))


def _nearest(question: Tagged, asked: Number, bounds: Sequence[Bound]) -> Bound | None:
    """Return all members with their values, those closest to the number first; None if a value is unclear."""
    (bound,) = bounds
    readings = (*bound.readings, *bound.without_value)
    if bound.operation != "list" or bound.unsure or not readings:
        return None
    values = [number_of(reading.best.text, reading.best.label) for reading in readings]
    if len({reading.best.label for reading in readings}) > 1 or None in values:
        return None
    goal = number(asked.value)
    apart = {n: abs(value - goal) for n, value in enumerate(values) if value is not None}
    order = sorted(apart, key=lambda n: apart[n])
    near = [n for n in order if apart[n] <= apart[order[0]]]
    told = replace(for_question(question, bound), operation="closest", top=len(near))
    return replace(told, readings=tuple(readings[n] for n in order), without_value=(), end=None)
