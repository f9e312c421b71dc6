"""Combine a condition by whole value with the rest of a question: *which machine with disk 2 TB is the cheapest*.

The value is one question and the remaining words are another; the answer is the members that satisfy both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from agent.reasoning.kinds.asked import asked_for
from agent.reasoning.selection.by_value import by_value
from agent.reasoning.selection.either import either_condition
from agent.reasoning.selection.selected import names_of
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tag, Tagged
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import spans_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number

_LONGEST = 4
"""The most words of a value next to its label in a question."""


def of_those(question: Tagged, index: Cells, tag: Tag, asked: Callable[[Tagged], Bound | None]) -> Bound | None:
    """Return the members with the value, among those that `asked` finds without it; None if any of them was not
    compared.
    """
    if either_condition(question, index):
        return None
    kind, _ = asked_for(question, index)
    if not kind or not (question.best or any(number.limit for number in question.numbers)):
        return None
    asking = max(question.language.kinds), *kind, max(question.language.beside)
    for said, rest in _apart(question, index):
        having = by_value(tag(" ".join((*asking, *said))), index, tag)
        bound = asked(tag(" ".join(rest))) if having is not None and not having.doubtful_word else None
        if having is not None and bound is not None:
            return _both(bound, having, question)
    return None


def _apart(question: Tagged, index: Cells) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield each label followed by a value from its tables, the longest first, and the remaining words of the
    question. A limit, the 4 of *4 or more*, is no value.
    """
    tokens, spans = question.tokens[:-1], spans_of(question.tokens)
    joining = question.language.beside | question.language.holding
    told = question.context_places - {number.place for number in question.numbers}
    limits = {number.place for number in question.numbers if number.limit}
    labels = {span: key for key in index.measures(list(spans)) for span in spans[key] if span[1] not in told}
    for (start, end), key in sorted(labels.items()):
        first = start - (tokens[start - 1] in joining) if start else start
        tables = frozenset(grids_of(index.places([key], (Kind.COLUMN, Kind.LABEL))))
        values = tokens[: min((place for place in limits if place >= end), default=None)]
        for last in range(_held(values, end, tables, index), end, -1):
            yield tokens[start:last], (*tokens[:first], *tokens[last:])


def _held(tokens: Sequence[str], start: int, tables: frozenset[int], index: Cells) -> int:
    """Return the end of the numbers and value words of some tables, from a place on."""
    end = start
    while end < min(len(tokens), start + _LONGEST):
        if not is_number(tokens[end]) and tables.isdisjoint(index.holding(tokens[end])):
            break
        end += 1
    return end


def _both(bound: Bound, having: Bound, question: Tagged) -> Bound | None:
    """Return the binding restricted to the members with the value, if all of these were compared."""
    names = names_of(having.readings)
    if not bound.is_of_kind or bound.rank > 1 or not names <= names_of(bound.judged):
        return None
    chosen, unsure, without = (
        tuple(reading for reading in some if names_of([reading]) <= names)
        for some in (bound.readings, bound.unsure, bound.without_value)
    )
    words = tuple(sorted({*bound.linked.words, *having.linked.words}))
    linked = replace(bound.linked, question=question, words=words)
    return replace(bound, linked=linked, readings=chosen, unsure=unsure, without_value=without) if chosen else None
