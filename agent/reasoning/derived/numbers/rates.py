"""A value for each unit of another one: *the weight per metre of the Kite* is its weight by its length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.reasoning.derived.derivation import Bind, for_question
from agent.reasoning.measures.dimensions import rated_by, with_brackets, without_unit
from agent.reasoning.measures.units import unit_of
from agent.reasoning.values.quantities import number_of
from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.match import label_words, matches_any
from retrieval.text.normal import phrase

_BRACKET = re.compile(r"\(([^()]*)\)")


def rate(question: Tagged, bind: Bind) -> LabelRequests[Bound | None]:
    """Return the two values of one entity; None for other questions, and if a label is already such a rate."""
    tokens, language = question.tokens[:-1], question.language
    per = next((i for i in question.places({language.wordings["rate"]}) if 0 < i < len(tokens) - 1), None)
    if per is None or question.operation is not None or question.end is not None or question.numbers:
        return None
    unit = tokens[per + 1]
    whole = yield from bind(" ".join((*tokens[:per], *tokens[per + 2 :])))
    if whole is None or not _is_one_number(whole) or matches_any(unit, label_words(whole.measure)):
        return None
    reading = whole.readings[0]
    others = [each for each in _beside(reading.best) if _is_counted_in(each, unit, question)]
    if len(others) != 1 or rated_by(others[0].label, language):
        return None
    readings = reading, replace(reading, found=(others[0],))
    return replace(for_question(question, whole), operation="rate", readings=readings)


def _is_one_number(bound: Bound) -> bool:
    """True for one value that is a number."""
    if not bound.is_one_value:
        return False
    best = bound.readings[0].best
    return not bound.is_open and number_of(best.text, best.label) is not None


def _beside(best: Binding) -> Iterator[Binding]:
    """Yield the other values of the row or the record."""
    if best.grid.table.is_record:
        for row, line in enumerate(best.grid.table.rows):
            if row != best.row and line[1:2]:
                yield replace(best, row=row, label=line[0])
        return
    for column, label in enumerate(best.grid.column_labels):
        if column != best.column and best.grid.table.rows[best.row][column : column + 1]:
            yield replace(best, column=column, label=label)


def _is_counted_in(other: Binding, unit: str, question: Tagged) -> bool:
    """True for a number that is one of a unit: under *Length (m)* for *metre*, under *vCPU* for itself."""
    if number_of(other.text, other.label) is None:
        return False
    asked = unit_of(unit)
    label = with_brackets(other.label, question.language)
    written = {*phrase("".join(_BRACKET.findall(label))), *phrase(other.text)[1:2]}
    if asked is not None and any(unit_of(word) == asked for word in written):
        return True
    return matches_any(unit, label_words(without_unit(other.label, question.language)))
