"""Years between those of rows: *how old was the Kite in 2010*, *how many years after the Kite was the Reed built*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import readings_of
from agent.reasoning.values.comparing import asks_whether
from agent.reasoning.values.dates import date_of
from agent.understanding.linking.mentions import THINGS
from agent.understanding.linking.program import Bound, Linked
from agent.understanding.question.conditions import free_numbers
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches
from retrieval.tables.names import name_keys

_SEVERAL = 2


def elapsed(question: Tagged, index: Cells) -> Bound | None:
    """Return the year of one entity, to be taken from that of the question, or those of two; None for other questions,
    and if more than one label has years and the question names none of them.
    """
    adjectives = filter(None, map(question.language.adjectives.get, question.tokens))
    graded = [each for each in adjectives if not question.language.years.isdisjoint(each.scale.low)]
    is_of_years = not question.language.years.isdisjoint(question.tokens)
    numbers = free_numbers(question)
    years = [n for n in numbers if n.limit is None and date_of(n.value) is not None]
    if question.negated or len(years) < len(numbers) or len(years) > 1:
        return None
    if not (graded if years else is_of_years):
        return None
    wanted = 1 if years else _SEVERAL
    found = {bound.measure: bound for bound in _bounds(question, index, wanted)}
    return next(iter(found.values())) if len(found) == 1 else None


def before_or_after(question: Tagged, index: Cells) -> Bound | None:
    """Return the dates of two entities with the answer whether the first is before or after the other: *was the Kite
    built before the Reed*. None for other questions.
    """
    language, tokens = question.language, question.tokens[:-1]
    ways = language.before_years
    place = next((i for i, token in enumerate(tokens) if ways.get(token, "")[:1] in ("<", ">")), None)
    names = [name for name in question.names if index.places([name.key], THINGS)]
    if place is None or not asks_whether(question) or question.negated or free_numbers(question):
        return None
    if len(names) != _SEVERAL or not names[0].start < place < names[1].start:
        return None
    is_before = ways[tokens[place]].startswith("<")
    found: dict[str, Bound] = {}
    for bound in _bounds(question, index, _SEVERAL):
        first, second = (date_of(each.best.text) for each in bound.readings)
        if first is not None and second is not None:
            apart = second.as_number - first.as_number
            is_so = apart > 0 if is_before else apart < 0
            found[bound.measure] = replace(bound, operation="read", yes_or_no=is_so)
    return next(iter(found.values())) if len(found) == 1 else None


def _bounds(question: Tagged, index: Cells, wanted: int) -> Iterator[Bound]:
    """Yield the years of as many named members as are wanted, in the order of the question."""
    keys = list(dict.fromkeys(name.key for name in question.names))
    for members in kinds_of(question, index):
        named = [member for key in keys for member in members if key in name_keys(member.name)]
        label = _label(named, question) if len(named) == wanted else None
        if label is not None:
            readings = readings_of(named, label)
            linked = Linked(question, (), label)
            yield Bound(linked, readings, readings[0].best.label, "elapsed" if wanted == 1 else "difference")


def _label(members: Sequence[Member], question: Tagged) -> Label | None:
    """Return the label with a year for each of the members: that which the question names, else the only one."""
    shared = [label for label in members[0].texts if all(label in member.texts for member in members)]
    told = [label for label in shared if all(date_of(member.texts[label]) is not None for member in members)]
    if len(members) == 1 or not question.language.years.isdisjoint(question.tokens):
        told = [label for label in told if all(_is_year(member.texts[label]) for member in members)]
    told = [label for label in told if any_matches(question.tokens, label)] or told
    return told[0] if len(told) == 1 else None


def _is_year(text: str) -> bool:
    when = date_of(text)
    return when is not None and when.month is None
