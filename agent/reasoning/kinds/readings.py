"""The values of a kind's members under a label: which can be ranked, which meet a condition, and which are best, be it
one, several tied ones, or the top few.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.languages.language import Language
from agent.languages.operations import End
from agent.reasoning.kinds.member import FEWEST, Label, Member, Value
from agent.reasoning.measures.direction import end_of_cell
from agent.reasoning.values.cell_text import value_of
from agent.reasoning.values.clock import clock_of
from agent.reasoning.values.conditions import Limit, is_nothing
from agent.reasoning.values.quantities import Quantity, best_of, number_of, quantities_of
from agent.reasoning.values.ranges import amounts_of
from agent.understanding.linking.program import Bound, Reading, Subject
from agent.understanding.question.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.index import Place
from retrieval.tables.match import Fit
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_NEARLY_ALL = 0.8
"""The share of a kind's members that must have a number for a superlative."""


_Readings = tuple[Reading, ...]


def numbered(readings: Sequence[Reading], language: Language) -> tuple[_Readings, _Readings]:
    """Return the readings with a number and those without. Both are empty if too many values are unclear, that is,
    neither a number nor a word for nothing.
    """
    if can_rank(readings):
        return tuple(readings), ()
    some, without, unknown = list[Reading](), list[Reading](), 0
    is_timed = any(clock_of(reading.best.text) is not None for reading in readings)
    for reading in readings:
        text, label = reading.best.text, reading.best.label
        if number_of(text, label) is not None or clock_of(text) is not None:
            some.append(reading)
        else:
            without.append(reading)
            is_no_time = is_timed and not any(map(str.isdigit, text))  # *closed*
            unknown += not (is_no_time or is_nothing(text, language))
    if len(some) < _NEARLY_ALL * (len(some) + unknown):
        return (), ()
    return tuple(some), tuple(without)


def ranked(readings: Sequence[Reading], question: Tagged) -> tuple[_Readings, _Readings, End] | None:
    """Return the readings that can be ordered, those without a number, and the end that is asked for; None if there is
    no order.
    """
    some, without = numbered(readings, question.language)
    end = end_of_cell(question, some[0].best) if can_rank(some) else None
    return (some, without, end) if end in ("low", "high") else None


def can_rank(readings: Sequence[Reading]) -> bool:
    """True for several values that can be ordered."""
    texts = [reading.best.text for reading in readings]
    return len(readings) >= FEWEST and quantities_of(texts, readings[0].best.label) is not None


def meets(member: Member, limits: Sequence[tuple[Limit, Label]], language: Language) -> bool | None:
    """Return whether a member meets all limits; None if one is undecidable and all others are met."""
    unsure = False
    for limit, label in limits:
        value = next((each for each in member.values if each.words == label), None)
        held = False if value is None else limit.holds(value.text, value.label)
        if held is False or (held is None and value is not None and is_nothing(value.text, language)):
            return False
        unsure = unsure or held is None
    return None if unsure else True


def has_nothing(member: Member, label: Label, language: Language) -> bool:
    """True if a member's value under a label means nothing, such as *none*."""
    return any(each.words == label and is_nothing(each.text, language) for each in member.values)


def has_something(member: Member, label: Label, language: Language) -> bool:
    """True if a member's value under a label means anything but nothing."""
    return any(each.words == label and not is_nothing(each.text, language) for each in member.values)


def told_of_some(members: Sequence[Member], labels: Iterable[Label]) -> str:
    """Return a label that sentences give for only some of the members: others may have the value in other words."""
    for label in labels:
        told = ""
        lacking = False
        for member in members:
            lacking = lacking or label not in member.texts
            told = told or _said_in_sentences(member, label)
        if told and lacking:
            return told
    return ""


def _said_in_sentences(member: Member, label: Label) -> str:
    for value in member.values:
        if value.words == label and value.grid.table.sentences:
            return value.label
    return ""


def readings_of(members: Iterable[Member], label: Label | None, *, or_first: bool = False) -> tuple[Reading, ...]:
    """Return the values of the members under a label, or the first value of each if the label is None. With `or_first`,
    members without the label also get their first value, so that each is shown.
    """
    found = []
    for member in members:
        reading = _reading(member, label)
        if reading is None and or_first:
            reading = _reading(member, None)
        found += [reading] if reading is not None else []
    return tuple(found)


def told_once(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Return the readings without those that another place repeats by name, label and value, such as a page and a list
    of pages. Repetitions in one table stay.
    """
    found: dict[tuple[Label, ...], list[Reading]] = {}
    for reading in readings:
        key = tuple(map(phrase, (reading.name, reading.best.label, reading.best.text)))
        same = found.setdefault(key, [])
        if not same or same[0].best.grid.table_id == reading.best.grid.table_id:
            same.append(reading)
    return tuple(reading for same in found.values() for reading in same)


def _reading(member: Member, label: Label | None) -> Reading | None:
    for value in member.values:
        if label is None or value.words == label:
            return reading_of(member.name, value, member.at)
    return None


def reading_of(name: str, value: Value, row: int | None, fit: Fit | None = None) -> Reading:
    """Return a value as the reading of a name, in a row or a whole record. Without a `fit`, all of its label counts as
    asked for.
    """
    whole = fit or Fit(frozenset(value.words), frozenset(), frozenset(), 1.0)
    place = Place("", Kind.ROW, value.grid.chunk_id, value.number, row, 0, name)
    return Reading(Subject(name, name), (Binding(value.grid, value.row, value.column, place, whole, value.label, ()),))


MOST_NAMED = 3
"""The most winners of a rank, and the most tables, that are named."""


def best_readings(bound: Bound) -> tuple[Reading, ...]:
    """Return the best members of a kind, those at a rank, or the top few; empty if that is uncertain."""
    texts = [value_of(reading.best) for reading in bound.readings]
    quantities = amounts_of(bound, texts)
    if quantities is None:
        return ()
    places = _first(bound.top, quantities, bound.is_low) if bound.top > 1 else _at(bound.rank, quantities, bound)
    return tuple(bound.readings[place] for place in places)


def answering(bound: Bound) -> tuple[Reading, ...]:
    """Return the readings that answer: the best of a kind if asked for, else all."""
    return best_readings(bound) if bound.operation == "best" else bound.readings


def has_cells_of(bound: Bound, other: Bound) -> bool:
    """True if a binding has all cells with which another one answers."""
    return {*map(cell_of, answering(other))} <= {*map(cell_of, (*answering(bound), *bound.other_values))}


def cell_of(reading: Reading) -> tuple[str, int, int]:
    """Return the table, row and column of the best value."""
    return reading.best.grid.table_id, reading.best.row, reading.best.column


def telling(bound: Bound, members: Iterable[Member], label: Label) -> Bound | None:
    """Return the best with their values under a label that is asked for; None if one of them has none."""
    winners = {reading.name for reading in best_readings(bound)}
    told = readings_of((member for member in members if member.name in winners), label)
    return replace(bound, other_values=told) if winners and len(told) == len(winners) else None


def is_namesake(bound: Bound) -> bool:
    """True if a winner shares its name with another row of its table, so that the name is ambiguous, or with a row of
    another table that has a different value.
    """
    told = [(reading.name, reading.best.grid.table_id, reading.best.text) for reading in bound.readings]
    for winner in best_readings(bound):
        same = [each[1:] for each in told if each[0] == winner.name]
        if len(same) > 1 and (len({whole for whole, _ in same}) < len(same) or len({text for _, text in same}) > 1):
            return True
    return False


def best_elsewhere(bound: Bound, winners: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the best of each other table if there are only a few, to show that these were read as well."""
    own = {reading.best.cell.chunk_id for reading in winners}
    others: dict[str, list[Reading]] = {}
    for reading in bound.readings if bound.rank == bound.top == 1 else ():
        if reading.best.cell.chunk_id not in own:
            others.setdefault(reading.best.cell.chunk_id, []).append(reading)
    if len(others) > MOST_NAMED:
        return ()
    found = (best_readings(replace(bound, readings=tuple(some))) for some in others.values())
    return tuple(best[0] for best in found if best)


def _at(rank: int, quantities: Sequence[Quantity], bound: Bound) -> list[int]:
    """Return the places at a rank; empty if a tie above makes the rank ambiguous."""
    left = list(range(len(quantities)))
    for _ in range(1, rank):
        best = best_of([quantities[place] for place in left], bound.is_low)
        if len(best) != 1:
            return []
        left.pop(best[0])
    return [left[place] for place in best_of([quantities[place] for place in left], bound.is_low)]


def _first(number: int, quantities: Sequence[Quantity], low: bool) -> list[int]:
    """Return the top places in order, with all that tie for the last; empty if the order is uncertain."""
    left, found = list(range(len(quantities))), list[int]()
    while left and len(found) < number:
        best = [left[place] for place in best_of([quantities[place] for place in left], low)]
        if not best:
            return []
        found += best
        left = [place for place in left if place not in best]
    return found
