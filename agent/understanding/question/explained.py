"""A question with an explanation in brackets at its end: a measure, *who can take more punishment (hit points)?*, or
the name of what it describes, *how heavy is the old ferry to Hull (Tern)?*
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from agent.languages.phrases import phrase_places
from agent.understanding.question.tagged import Tagged
from retrieval.text.normal import phrase

_AT_END = re.compile(r"\(([^()]{2,40})\)\s*[?.!]*\s*$")


def with_bracketed_measure(question: Tagged, measures: Collection[str]) -> Tagged | None:
    """Return the question with the measure in brackets as its only one; None if the bracket has other words.

    >>> from agent.understanding.question.tagged import tagged
    >>> question = tagged("Who can take more punishment, an orc or a troll (stamina)?")
    >>> asked = with_bracketed_measure(question, {"stamina"})
    >>> [word for _, word in asked.words()] if asked else None
    ['orc', 'troll', 'stamina']
    """
    match = _AT_END.search(question.question)
    said = phrase(match[1]) if match else ()
    if not said or not set(said) <= {*measures}:
        return None
    own = set(sorted(phrase_places(question.tokens, said))[-len(said) :])
    if not own:
        return None
    names = tuple(each for each in question.names if own.isdisjoint(each.places))
    kept = own.union({question.end}, *(each.places for each in names))
    behind = question.end + 1 if question.end is not None else None
    words = {i for i, _ in question.words()} - kept
    idle = words if names else words & {behind}  # without names, the other words say which kind
    scales = {i: scale for i, scale in question.scales.items() if i not in idle}
    return replace(
        question,
        names=names,
        asking=(question.asking | idle) - own,
        scales=scales,
        context_places=question.context_places - own,
    )
