"""How many percent one value is more or less than another: their difference, as a share of the other."""

from __future__ import annotations

from dataclasses import replace

from agent.reasoning.derived.derivation import Derivation, for_question
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from retrieval.tables.names import name_keys


def change(question: Tagged) -> Derivation | None:
    """Return the question for the difference; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> change(tagged("How many percent heavier is the Kite than the Reed?")).questions
    ('how much heavier is the kite than the reed',)
    """
    tokens, language = question.tokens[:-1], question.language
    parts = frozenset().union(*(each.measures | each.units for each in language.dimensions if "%" in each.units))
    place = next((i for i in question.places(parts) if 0 < i < len(tokens) - 1), 0)
    start = place
    asking = language.kinds | language.before_adjectives
    while start and tokens[start - 1] in asking:
        start -= 1
    if start == place or tokens[place + 1] in language.partitive or question.negated:
        return None
    (amount, *_) = (said for said in language.amounts if said not in language.counting)
    text = " ".join((*tokens[:start], *amount, *tokens[place + 1 :]))
    return Derivation((text,), lambda bounds: _as_change(question, bounds[0]))


def _place(reading: Reading, question: Tagged) -> int:
    """Return where a question names a subject."""
    keys = {reading.subject.key, *name_keys(reading.name)}
    return next((name.start for name in question.names if name.key in keys), len(question.tokens))


def _as_change(question: Tagged, bound: Bound) -> Bound | None:
    """Return the two values, that which is compared with another first."""
    if bound.operation not in ("difference", "compare") or len(bound.readings) != 2:
        return None
    first, second = bound.readings
    if (first.best.grid.table_id, first.best.row) == (second.best.grid.table_id, second.best.row):
        readings = second, first  # *from 2019 to 2023*
    else:
        readings = (first, second) if _place(first, question) <= _place(second, question) else (second, first)
    return replace(for_question(question, bound), operation="change", readings=readings, end=None)
