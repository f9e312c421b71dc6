"""Which of several values a named entity has: *is the Kite red or green* reads its colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.reasoning.kinds.member import Label
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import readings_of
from agent.reasoning.selection.apart import name_at
from agent.reasoning.values.comparing import asks_whether
from agent.understanding.linking.program import Bound, Linked
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.names import name_keys
from retrieval.text.normal import phrase

_SEVERAL = 2


def one_of(question: Tagged, index: Cells) -> Bound | None:
    """Return the value of the named entity under the one label that has the alternatives; None for other questions."""
    language, tokens = question.language, question.tokens[:-1]
    apart = language.joining.difference(language.between, language.comparing)
    joint = next((i for i in question.places(apart) if i < len(tokens)), None)
    name = name_at(question, 1)
    if joint is None or name is None or name.end >= joint or not asks_whether(question) or question.negated:
        return None
    if question.end is not None or question.numbers or question.operation is not None:
        return None
    sides = _sides(tokens, name.end, joint, question)
    found = dict(_told(question, name.key, sides, index))
    return next(iter(found.values())) if len(found) == 1 else None


def _sides(tokens: Sequence[str], start: int, joint: int, question: Tagged) -> tuple[Label, Label]:
    """Return the words on both sides of the joint, without function words."""
    language = question.language
    idle = language.function_words | language.helpers | language.statement_words("places") | language.beside
    sides = tokens[start:joint], tokens[joint + 1 :]
    first, second = (tuple(word for word in side if word not in idle) for side in sides)
    return first, second


def _told(
    question: Tagged, key: str, sides: tuple[Label, Label], index: Cells
) -> Iterator[tuple[tuple[str, str], Bound]]:
    """Yield the entity's value under each label whose values have both alternatives, by the label and the value."""
    for members in kinds_of(question, index):
        one = [member for member in members if key in name_keys(member.name)]
        labels = list(dict.fromkeys(label for member in one for label in member.texts))
        for label in labels if len(one) == 1 and all(sides) else ():
            named = [_without(side, label) for side in sides]
            values = {phrase(member.texts.get(label, "")) for member in members}
            if len(values.intersection(named)) == _SEVERAL:
                readings = readings_of(one, label)
                words = tuple(dict.fromkeys((*named[0], *named[1])))
                bound = Bound(Linked(question, (), words), readings, readings[0].best.label)
                yield (readings[0].best.label, readings[0].best.text), bound


def _without(side: Label, label: Label) -> Label:
    """Return the words of a side without those of the label: *the port Hull*."""
    return tuple(word for word in side if word not in label)
