"""The values that members of a kind have under a label: which can be ranked and which meet a condition; and who is best
by them, be it one, several that share it, or so many from an end of the scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.languages.language import Language
from agent.languages.operations import End
from agent.reasoning.kinds.member import FEWEST, Label, Member, Value
from agent.reasoning.measures.direction import end_of_cell
from agent.reasoning.values.cell_text import value_of
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
"""The share of a kind that has to have a number for the best of it to be told."""


_Readings = tuple[Reading, ...]


def numbered(readings: Sequence[Reading], language: Language) -> tuple[_Readings, _Readings]:
    """The readings whose value has a number, and those that have none; where it is not certain that these say that
    there is nothing, few of them are left out, and of many nothing is ranked.
    """
    if can_rank(readings):
        return tuple(readings), ()
    some, without, unknown = list[Reading](), list[Reading](), 0
    for reading in readings:
        text, label = reading.best.text, reading.best.label
        if number_of(text, label) is not None:
            some.append(reading)
        else:
            without.append(reading)
            unknown += not is_nothing(text, language)
    if len(some) < _NEARLY_ALL * (len(some) + unknown):
        return (), ()
    return tuple(some), tuple(without)


def ranked(readings: Sequence[Reading], question: Tagged) -> tuple[_Readings, _Readings, End] | None:
    """The readings that have an order, those without a number, and the end that is asked for; None where none is."""
    some, without = numbered(readings, question.language)
    end = end_of_cell(question, some[0].best) if can_rank(some) else None
    return (some, without, end) if end in ("low", "high") else None


def can_rank(readings: Sequence[Reading]) -> bool:
    """True for several values that can be put in an order."""
    texts = [reading.best.text for reading in readings]
    return len(readings) >= FEWEST and quantities_of(texts, readings[0].best.label) is not None


def meets(member: Member, limits: Sequence[tuple[Limit, Label]], language: Language) -> bool | None:
    """Whether a member is within all limits; None where one of them can't be judged, and all others are met."""
    unsure = False
    for limit, label in limits:
        value = next((each for each in member.values if each.words == label), None)
        held = False if value is None else limit.holds(value.text, value.label)
        if held is False or (held is None and value is not None and is_nothing(value.text, language)):
            return False
        unsure = unsure or held is None
    return None if unsure else True


def has_nothing(member: Member, label: Label, language: Language) -> bool:
    """True for a member of which it is said that there is nothing under a label."""
    return any(each.words == label and is_nothing(each.text, language) for each in member.values)


def has_something(member: Member, label: Label, language: Language) -> bool:
    """True for a member of which it is said what it has under a label."""
    return any(each.words == label and not is_nothing(each.text, language) for each in member.values)


def told_of_some(members: Sequence[Member], labels: Iterable[Label]) -> str:
    """The label that sentences tell of some of the members only: what the others have may be said in other words."""
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
    """What the members have under a label; what stands first of each where that is None, or also of those that have no
    such label: who passed is told in any case.
    """
    found = []
    for member in members:
        reading = _reading(member, label)
        if reading is None and or_first:
            reading = _reading(member, None)
        found += [reading] if reading is not None else []
    return tuple(found)


def told_once(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """The readings without those that another place has again, by name, label and value: a page, and a list of such
    pages. What one table says twice are two.
    """
    found: dict[tuple[Label, ...], list[Reading]] = {}
    for reading in readings:
        key = tuple(map(phrase, (reading.name, reading.best.label, reading.best.text)))
        same = found.setdefault(key, [])
        if not same or same[0].best.grid.whole == reading.best.grid.whole:
            same.append(reading)
    return tuple(reading for same in found.values() for reading in same)


def _reading(member: Member, label: Label | None) -> Reading | None:
    for value in member.values:
        if label is None or value.words == label:
            return reading_of(member.name, value, member.at)
    return None


def reading_of(name: str, value: Value, row: int | None, fit: Fit | None = None) -> Reading:
    """A value as what is told of a name, which stands in a row, or is that of a whole record; without a `fit` its label
    is all that was asked for.
    """
    whole = fit or Fit(frozenset(value.words), frozenset(), frozenset(), 1.0)
    place = Place("", Kind.ROW, value.grid.chunk_id, value.number, row, 0, name)
    return Reading(Subject(name, name), (Binding(value.grid, value.row, value.column, place, whole, value.label, ()),))


MOST_NAMED = 3
"""Winners of a rank, and tables, that are told by name."""


def best_readings(bound: Bound) -> tuple[Reading, ...]:
    """Of the members of a kind those that are best, or next, or the first of them; none where that is not certain."""
    texts = [value_of(reading.best) for reading in bound.readings]
    quantities = amounts_of(bound, texts)
    if quantities is None:
        return ()
    places = _first(bound.top, quantities, bound.is_low) if bound.top > 1 else _at(bound.rank, quantities, bound)
    return tuple(bound.readings[place] for place in places)


def answering(bound: Bound) -> tuple[Reading, ...]:
    """Those that answer a question: the best of a kind where that is asked for, else all that were found."""
    return best_readings(bound) if bound.operation == "best" else bound.readings


def telling(bound: Bound, members: Iterable[Member], label: Label) -> Bound | None:
    """The best with what stands under a label of theirs, as that is asked for; None where not all of them have it."""
    winners = {reading.name for reading in best_readings(bound)}
    told = readings_of((member for member in members if member.name in winners), label)
    return replace(bound, told=told) if winners and len(told) == len(winners) else None


def is_namesake(bound: Bound) -> bool:
    """True where the best is called as another one of its table is, so that the name does not tell who it is, or has
    another value in another table, so that which of the two is asked for is open.
    """
    told = [(reading.name, reading.best.grid.whole, reading.best.text) for reading in bound.readings]
    for winner in best_readings(bound):
        same = [each[1:] for each in told if each[0] == winner.name]
        if len(same) > 1 and (len({whole for whole, _ in same}) < len(same) or len({text for _, text in same}) > 1):
            return True
    return False


def best_elsewhere(bound: Bound, winners: Sequence[Reading]) -> tuple[Reading, ...]:
    """The best of each further table, where the kind stands in a few: what shows that these were read as well."""
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
    """The places of those at a rank; none where equals above it leave open which is next."""
    left = list(range(len(quantities)))
    for _ in range(1, rank):
        best = best_of([quantities[place] for place in left], bound.is_low)
        if len(best) != 1:
            return []
        left.pop(best[0])
    return [left[place] for place in best_of([quantities[place] for place in left], bound.is_low)]


def _first(number: int, quantities: Sequence[Quantity], low: bool) -> list[int]:
    """The places of the first so many in their order, with all that share the last; none where no order is certain."""
    left, found = list(range(len(quantities))), list[int]()
    while left and len(found) < number:
        best = [left[place] for place in best_of([quantities[place] for place in left], low)]
        if not best:
            return []
        found += best
        left = [place for place in left if place not in best]
    return found
