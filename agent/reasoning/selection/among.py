"""Whether one who is named is among those of his kind of whom something is so: *does the Reed carry peat*.

Who carries peat is chosen from all of the kind, as for a question that asks for them. The answer is the value that
tells it of the one who is named; where nobody has what is asked, or a word tells nothing, neither does the answer.
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
    """The value that tells of one who is named whether it is so; None where it is not asked, or not told by all alike.

    `tag` looks through the question for all of whom it is so.
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
    texts = {(bound.is_so, bound.readings[0].best.text) for bound in found}
    return found[0] if len(texts) == 1 else None


def _told(question: Tagged, name: Mention, index: Cells, tag: Tag) -> Iterator[Bound]:
    """What each kind that has the one who is named tells of him."""
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
    """Whether one is among those who were chosen, or is the best; with the value that tells it, and the best one's."""
    label, is_best = phrase(bound.measure), bound.operation == "best"
    chosen = answering(bound)
    if (chosen or bound.without) and _is_told(one, label):
        is_so = one.name in {reading.name for reading in chosen}
        shown = (*readings_of([one], label), *(chosen if is_best and not is_so else ()))
        yield Bound(replace(bound.linked, question=question), shown, bound.measure, is_so=is_so)


def _is_told(member: Member, label: Label) -> bool:
    """True for one of whom a brief value stands under a label: prose may say it in other words."""
    return any(value.words == label and bool(value.said) for value in member.values)
