"""What all of a kind have together, or on average: *the total crew of all boats*, *the average fee of the ports*.

Whoever has the highest of a kind was found among all of it, and so are the values. They are added up; or the kind is
told from there on, all of it, or so many as are asked for.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.reasoning.execution.execute import MOST_SHOWN
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from retrieval.text.grouped import joined
from retrieval.text.normal import phrase

_AMOUNT = re.compile(r"\D*\d[\d.,]*\D*")
"""A text with one number."""


def all_of(best: Bound | None, question: Tagged) -> Bound | None:
    """The whole kind in its order, where no number says how many of it are asked for."""
    if best is None or best.operation != "best" or question.operation != "order":
        return best
    return replace(best, top=len(best.readings)) if len(best.readings) <= MOST_SHOWN else None


def of_all(best: Bound | None, question: Tagged) -> Bound | None:
    """The values of all of a kind, to be added up; None where some have none, or they are too many to be shown."""
    if best is None or best.operation != "best" or best.without or best.unsure or best.uncalled:
        return None
    if any(phrase(reading.best.label) != phrase(best.measure) for reading in best.told):
        return None
    if len(best.readings) > MOST_SHOWN or any(len(reading.found) > 1 for reading in best.readings):
        return None
    if not all(_AMOUNT.fullmatch(joined(reading.best.text)) for reading in best.readings):
        return None
    linked = replace(best.linked, question=question)
    return Bound(linked, best.readings, best.measure, question.operation or "total", unheeded=best.unheeded)
