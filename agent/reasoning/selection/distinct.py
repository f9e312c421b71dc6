"""List the distinct values of a kind under a label: *which makers are there*, *how many ports are there*."""

from __future__ import annotations

from agent.languages.operations import Operation
from agent.reasoning.kinds.common import is_called_so
from agent.reasoning.kinds.member import Label, Member, Value
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import reading_of
from agent.reasoning.kinds.wanted import wanted
from agent.reasoning.values.quantities import number_of
from agent.understanding.linking.program import Bound, Linked
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.names import is_brief_name
from retrieval.text.normal import phrase

_FEWEST = 2


def distinct(question: Tagged, index: Cells) -> Bound | None:
    """Return the distinct values under the label that the question asks for; None if several kinds have it, or if the
    values are no names.
    """
    asking = wanted(question, index)
    if asking is None or not asking.asked or asking.numbers or question.best or question.negated:
        return None
    asked = asking.asked
    free = question.language.light_words | question.language.listing
    besides = [word for _, word in question.words() if word not in asked and word not in free]
    kinds = (m for m in kinds_of(question, index) if all(each.is_called(word) for word in besides for each in m))
    found = [told for members in kinds if (told := _values(members, asked))]
    if len(found) != 1 or len(found[0]) < _FEWEST:
        return None
    readings = tuple(reading_of(value.text.strip(" *"), value, row) for value, row in found[0].values())
    operation: Operation = "count" if asking.is_counted else "list"
    return Bound(Linked(question, (), asked), readings, readings[0].best.label, operation)


def _values(members: list[Member], asked: Label) -> dict[Label, tuple[Value, int | None]]:
    """Return the values under the label that is asked for, by their words; empty if members match it, or if one value
    is no name.
    """
    found: dict[Label, tuple[Value, int | None]] = {}
    for member in members:
        for value in member.values if not member.is_called_just(asked[-1]) else ():
            if not is_called_so(phrase(value.own_label), asked):
                continue
            if not is_brief_name(value.text) or "," in value.text or number_of(value.text) is not None:
                return {}
            found.setdefault(phrase(value.text), (value, member.at))
    return found
