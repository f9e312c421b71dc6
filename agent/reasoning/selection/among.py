"""Answer whether a named entity is among the members of its kind with a property: *does the Reed carry peat*.

The members that carry peat are selected from the whole kind, as for a question that lists them. The answer is the value
of the named entity that decides. If no member has what is asked for, or a word is unmatched, there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import answering, readings_of
from agent.reasoning.kinds.wanted import wanted
from agent.reasoning.selection.apart import name_at
from agent.reasoning.selection.selecting import Selecting
from agent.reasoning.values.comparing import asks_whether
from agent.understanding.linking.mentions import THINGS
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tag, Tagged
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention, name_keys
from retrieval.text.normal import phrase


def is_among(question: Tagged, index: Cells, tag: Tag) -> Bound | None:
    """Return the value that decides whether the named entity has the property. None for other questions, or if kinds
    disagree.

    `tag` parses the question for all entities with the property.
    """
    if question.negated or question.prose or question.operation is not None:
        return None
    joining = question.language.joining.difference(question.language.comparing, question.language.between)
    if not asks_whether(question) or not joining.isdisjoint(question.tokens):
        return None
    name = name_at(question, 1)
    if name is None or not index.places([name.key], THINGS):
        return None
    found = list(_told(question, name, index, tag))
    texts = {(bound.yes_or_no, bound.readings[0].best.text) for bound in found}
    return found[0] if len(texts) == 1 else None


def _told(question: Tagged, name: Mention, index: Cells, tag: Tag) -> Iterator[Bound]:
    """Yield the answer of each kind that the named entity is a member of."""
    asked = tag(" ".join((max(question.language.kinds), *question.tokens[name.end :])))
    asking = wanted(asked, index)
    if asking is None or (asked.end is not None and not (asked.best or any(n.limit for n in asking.numbers))):
        return
    asking = replace(asking, asked=(), loose=(), of_one=True)
    keys = {each.key for each in question.names}
    for members in kinds_of(question, index):
        one = [member for member in members if not keys.isdisjoint(name_keys(member.name))]
        is_one = len(one) == 1 and name.key in name_keys(one[0].name)
        bound = Selecting.of(asking, members).bound() if is_one else None
        if bound is not None and not bound.is_open:
            yield from _judged(bound, one[0], question)


def _judged(bound: Bound, one: Member, question: Tagged) -> Iterator[Bound]:
    """Yield whether the entity is among the chosen members, or is the best; with its value, and if it is not the best,
    also the best one's.
    """
    label, is_best = phrase(bound.measure), bound.operation == "best"
    chosen = answering(bound)
    if (chosen or bound.without_value) and _is_told(one, label):
        is_so = one.name in {reading.name for reading in chosen}
        shown = (*readings_of([one], label), *(chosen if is_best and not is_so else ()))
        yield Bound(replace(bound.linked, question=question), shown, bound.measure, yes_or_no=is_so)


def _is_told(member: Member, label: Label) -> bool:
    """True for a member with a short value under a label: prose may state a property in other words."""
    return any(value.words == label and bool(value.said) for value in member.values)
