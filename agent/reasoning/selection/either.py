"""Members with one of two properties: *boats that carry coal or grain* are all coal boats and all grain boats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.understanding.linking.program import Bound
from agent.understanding.question.sides import are_exclusive
from agent.understanding.question.tagged import Tagged
from retrieval.text.normal import is_number


def halves(question: Tagged) -> tuple[str, ...]:
    """Return the two questions that an *or* between two words stands for; empty without such an *or*.

    >>> from agent.understanding.question.tagged import tagged
    >>> halves(tagged("Which boats carry coal or grain?")), halves(tagged("Which boats carry coal and grain?"))
    (('which boat carry coal', 'which boat carry grain'), ())
    """
    tokens, language = question.tokens[:-1], question.language
    apart = language.joining.difference(language.between, language.comparing)
    joints = [i for i in range(1, len(tokens) - 1) if tokens[i] in apart]
    if len(joints) != 1 or not are_exclusive(question) or question.compares or question.negated:
        return ()
    (joint,) = joints
    words = dict(question.words())
    if joint - 1 not in words or joint + 1 not in words or any(map(is_number, tokens[joint - 1 : joint + 2])):
        return ()
    return " ".join((*tokens[:joint], *tokens[joint + 2 :])), " ".join((*tokens[: joint - 1], *tokens[joint + 1 :]))


def united(bounds: Sequence[Bound | None], question: Tagged) -> Bound | None:
    """Return the members of either list; None if one is uncertain, or if their measures differ."""
    found = [each for each in bounds if each is not None and each.operation in ("list", "count")]
    if len(found) < len(bounds) or any(each.is_open for each in found):
        return None
    if len({each.measure for each in found}) > 1:
        return None
    readings = {reading.name: reading for each in found for reading in each.readings}
    without = {
        reading.name: reading for each in found for reading in each.without_value if reading.name not in readings
    }
    linked = replace(found[0].linked, question=question)
    return replace(found[0], linked=linked, readings=tuple(readings.values()), without_value=tuple(without.values()))
