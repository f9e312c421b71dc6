"""The values of all members of a kind, to add up, average or list: *the total crew of all boats*.

The search for the highest member of a kind has already collected the values of all members. They are added up, or the
members are listed in that order, all or as many as asked for.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.reasoning.execution.execute import MOST_SHOWN
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from agent.understanding.rewording.for_best import numbers_of_all
from retrieval.text.grouped import joined
from retrieval.text.normal import phrase

_AMOUNT = re.compile(r"\D*\d[\d.,]*\D*")
"""A text with one number."""


def all_of(best: Bound | None, question: Tagged) -> Bound | None:
    """Return all members in their order, if the question gives no number of them."""
    if best is None or best.operation != "best" or question.operation != "order":
        return best
    return replace(best, top=len(best.readings)) if len(best.readings) <= MOST_SHOWN else None


def of_all(best: Bound | None, question: Tagged) -> Bound | None:
    """Return the values of all members of a kind, to be added up; None if some have none, or there are too many to
    show.
    """
    if best is None or best.operation != "best" or best.without_value or best.unsure or best.doubtful_word:
        return None
    if any(number != len(best.readings) for number in numbers_of_all(question).values()):
        return None
    if any(phrase(reading.best.label) != phrase(best.measure) for reading in best.other_values):
        return None
    if len(best.readings) > MOST_SHOWN or any(len(reading.found) > 1 for reading in best.readings):
        return None
    if not all(_AMOUNT.fullmatch(joined(reading.best.text)) for reading in best.readings):
        return None
    linked = replace(best.linked, question=question)
    return Bound(
        linked,
        best.readings,
        best.measure,
        question.operation or "total",
        unmatched_question_words=best.unmatched_question_words,
    )
