"""A question that says in a bracket what is meant: a measure at its end, *who can take more punishment (hit points)?*,
or the name of what it describes, *how heavy is the old ferry to Hull (Tern)?*
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from agent.languages.phrases import places_of
from agent.understanding.clauses import COMMA
from agent.understanding.tagged import Tagged
from retrieval.text.normal import phrase

_BRACKET = re.compile(r"\(([^()]{2,80})\)")
_AT_END = re.compile(r"\(([^()]{2,40})\)\s*[?.!]*\s*$")


def by_its_bracket(question: Tagged, measures: Collection[str]) -> Tagged | None:
    """The question by that measure alone, with the end that is asked for; None where no bracket has such words.

    >>> from agent.understanding.tagged import tagged
    >>> asked = by_its_bracket(tagged("Who can take more punishment, an orc or a troll (stamina)?"), {"stamina"})
    >>> [word for _, word in asked.words()] if asked else None
    ['orc', 'troll', 'stamina']
    """
    match = _AT_END.search(question.question)
    said = phrase(match[1]) if match else ()
    if not said or not set(said) <= {*measures}:
        return None
    own = set(sorted(places_of(question.tokens, said))[-len(said) :])
    if not own:
        return None
    names = tuple(each for each in question.names if own.isdisjoint(range(each.start, each.end)))
    kept = own | {i for each in names for i in range(each.start, each.end)} | {question.end}
    behind = question.end + 1 if question.end is not None else None
    words = {i for i, _ in question.words()} - kept
    idle = words if names else words & {behind}  # where nobody is named, the other words say of which kind
    scales = {i: scale for i, scale in question.scales.items() if i not in idle}
    return replace(
        question, names=names, asking=(question.asking | idle) - own, scales=scales, aside=question.aside - own
    )


def by_name_in_bracket(question: Tagged) -> Tagged | None:
    """The question about the name in a bracket, without the words before it that describe who has that name, from
    *the* or *our* on; None where there is no such name, or where nothing is asked besides.

    >>> from agent.understanding.tagged import tagged
    >>> from retrieval.tables.names import Mention
    >>> asked = by_name_in_bracket(tagged("The weight of the old ferry to Hull (Tern)?", [Mention(9, 10, "tern")]))
    >>> [word for _, word in asked.words()] if asked else None
    ['weight', 'tern']
    """
    tokens = question.tokens
    bracketed = {phrase(match[1]) for match in _BRACKET.finditer(question.question)}
    name = next((each for each in question.names if tokens[each.start : each.end] in bracketed), None)
    if name is None or tokens[name.start - 1] != COMMA:
        return None
    determiners = question.language.articles | question.language.persons
    first = next((i for i in range(name.start - 2, -1, -1) if tokens[i] in {COMMA, *determiners}), 0)
    described = frozenset(range(first, name.start))
    own = {*described, *range(name.start, name.end)}
    is_asking = any(i not in own for i, _ in question.words())
    if tokens[first] not in determiners or not is_asking:
        return None
    names = tuple(each for each in question.names if each.start not in described)
    numbers = tuple(each for each in question.numbers if each.place not in described)
    scales = {i: scale for i, scale in question.scales.items() if i not in described}
    return replace(question, names=names, numbers=numbers, scales=scales, asking=question.asking | described)
