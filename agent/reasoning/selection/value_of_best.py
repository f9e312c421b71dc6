"""The value of the best member of a kind that a question asks for besides: *how heavy is the longest boat*."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoning.kinds.common import is_called_so
from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.kinds.readings import telling
from agent.reasoning.kinds.shape import Shape
from agent.understanding.linking.program import Bound
from retrieval.tables.match import any_matches, matches_any


def with_value(bound: Bound, members: Sequence[Member], value: Label, shape: Shape) -> Bound | None:
    """Return the best with the value of theirs that is asked for; None if they don't all have it under one label."""
    labels = _labels(value, shape)
    return telling(bound, members, labels[0]) if len(labels) == 1 else None


def asked_of_best(asked: Label, value: Label, members: Sequence[Member], shape: Shape) -> Label:
    """Return the asked noun phrase, if it matches one label and no member: *which port has the longest boat*."""
    is_called = any(member.is_called(word) for member in members for word in asked)
    labels = [label for label in _called(asked, shape) if any(each.texts.get(label) != each.name for each in members)]
    return asked if asked and not is_called and len(labels) == 1 and not any_matches(asked, value) else ()


def _called(words: Label, shape: Shape) -> list[Label]:
    return [label for label in shape.labels if is_called_so(shape.plain[label] or label, words)]


def _labels(value: Label, shape: Shape) -> list[Label]:
    """Return the labels with these words; for an adjective, those of its first measure that a label has, else those
    with a unit of it.
    """
    called = _called(value, shape)
    adjective = shape.question.language.adjectives.get(value[0]) if len(value) == 1 else None
    if called or adjective is None:
        return called
    for measure in adjective.scale.measures:
        if found := [label for label in shape.labels if matches_any(measure, label)]:
            return found
    return [label for label in shape.labels if shape.is_in_unit_of(adjective.scale.measures, label)]
