"""Checks of a binding: what it leaves of the question, and whether its values are those of different things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.languages.phrases import found as found_at
from agent.reasoning.kinds.asked import is_unknown
from agent.reasoning.measures.dimensions import dimensions_in_brackets, measures_in
from agent.reasoning.measures.direction import falls_by_row
from agent.reasoning.values.quantities import worths
from agent.reasoning.values.span_ends import ends_of
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.sides import are_exclusive, words_of_sides
from agent.understanding.question.tagged import Tagged
from retrieval.tables.asked import NameRequest
from retrieval.tables.bind import Binding, candidates
from retrieval.tables.index import Cells
from retrieval.tables.match import matches_by_slip
from retrieval.tables.writing import Kind
from retrieval.text.bands import band_of
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number as is_number_token
from retrieval.text.normal import phrase


def is_of_nothing(label: str, text: str, question: Tagged) -> bool:
    """True if *more* is asked for, and neither a label nor a unit says of what."""
    return not phrase(label) and question.end not in question.scales and not measures_in(text, question.language)


def meaning(bound: Bound, taken: Mapping[str, str]) -> Bound:
    """Return the binding with a note on which word was taken for which."""
    told = (*bound.linked.name_assumptions, *(f"{word} means {right}" for word, right in taken.items()))
    return replace(bound, linked=replace(bound.linked, name_assumptions=told))


def leaves_operation(bound: Bound, question: Tagged) -> bool:
    """True for several values, or the only one of those to order, subtract or add, if no label has the operation's
    word. What the embedding alone has matched is no word of a label.
    """
    found = [binding for reading in bound.readings for binding in reading.found]
    is_assumed = any(reading.assumed for reading in bound.readings)
    told = set[str]()
    for binding in found:
        told.update(phrase(binding.label) if is_assumed else _matched(binding))
    for reading in bound.readings:
        told.update(phrase(reading.subject.text))
    is_rest = question.operation in ("order", "difference", "median") or _is_second_of_two(bound, question)
    is_open = is_assumed or bool(bound.unmatched_question_words)
    is_rest = is_rest or (question.operation == "total" and is_open)
    left = [place for place in question.operation_places if question.tokens[place] not in told]
    return bool(left) and bool(len(found) > 1 or is_rest)


def _matched(binding: Binding) -> frozenset[str]:
    """Return the words that the labels of a cell match, without slips: a *medium lance* is no median."""
    said = (*phrase(f"{binding.label} {binding.cell.row_label} {binding.cell.column_label}"), *binding.grid.context)
    found = binding.fit.matched_words - binding.fit.indirect
    return frozenset(word for word in found if not matches_by_slip(word, said))


def _is_second_of_two(bound: Bound, question: Tagged) -> bool:
    """True for the value of one name that a joining word stands before, *the in and out dues*: the other is lost."""
    start = found_at(question.tokens, phrase(bound.readings[0].subject.text))
    is_joined = start is not None and start > 0 and question.tokens[start - 1] in question.language.joining
    return is_joined and question.operation in ("difference", "ratio", "total")


def is_no_price(reading: Reading, question: Tagged) -> bool:
    """True for a value of another dimension, *Ball (g)*, if the question asks what something costs."""
    language = question.language
    prices = [each for each in language.dimensions if not each.measures.isdisjoint(language.prices)]
    is_asked = any(not each.verbs.isdisjoint(question.tokens) for each in prices)
    held = dimensions_in_brackets(reading.best.label, language)
    return is_asked and bool(held) and not any(each in prices for each in held)


def is_crossed(reading: Reading, question: Tagged) -> bool:
    """True for the row and column of a matrix of places taken the wrong way round: *from A to B* is the row A."""
    best, tokens = reading.best, question.tokens
    row, column = best.cell.row_label, best.cell.column_label
    start, end = found_at(tokens, phrase(column)), found_at(tokens, phrase(row))
    if start is None or end is None or best.grid.table.is_record or not start < end:
        return False
    is_to = tokens[end - 1] in question.language.beside
    is_square = row in best.grid.column_labels and any(cells[0] == column for cells in best.grid.table.rows)
    return is_to and is_square


def is_in_other_unit(reading: Reading, question: Tagged) -> bool:
    """True for a row of another unit than the number that chose it: *45 minutes* are not over *6 hours*."""
    band = band_of(reading.best.cell.row_label) if reading.subject.keys else None
    if band is None or not band.unit:
        return False
    units = question.language.units
    own = "".join(phrase(band.unit)[:1])
    asked = {behind for before, behind in pairwise(question.tokens) if is_number_token(before) and behind in units}
    factors = [{*(worths({unit, own}) or {}).values()} for unit in asked if unit != own]
    return any(len(each) > 1 for each in factors)


def is_one_each(bound: Bound) -> bool:
    """True if each subject has exactly one value; if several tie, another interpretation may be better."""
    return all(len(reading.found) == 1 for reading in bound.readings)


def is_number(reading: Reading) -> bool:
    """True for a value whose label is only the number that chose it."""
    label = reading.best.label
    return bool(reading.subject.keys) and read_label(label).span is not None and not read_label(label).name


def is_one_cell(readings: Sequence[Reading]) -> bool:
    """True if several names lead to the same cell, unless each is the row label: *the motor tax of Budget 2009* is one
    thing.
    """
    rows = {reading.best.place.key for reading in readings if reading.best.place.kind is Kind.ROW}
    if len(rows) == len(readings):
        return False
    places = {(id(reading.best.grid), reading.best.row, reading.best.column) for reading in readings}
    return len(places) < len(readings)


def reads_range(bound: Bound) -> bool:
    """True if the answer is one value with two ends: *5 to 18 °C*."""
    language, found = bound.linked.question.language, [each for reading in bound.readings for each in reading.found]
    return bound.operation == "read" and len(found) == 1 and ends_of(found[0].text, language) is not None


def leaves_alternatives(bound: Bound, question: Tagged, index: Cells) -> bool:
    """True for a single value if the question asks about alternatives and the value belongs to none of them."""
    words = words_of_sides(question) if are_exclusive(question) else []
    if bound.operation != "read" or not words:
        return False
    if not all(any(not is_unknown(word, question, index) for word in each) for each in words):
        return False
    reading = bound.readings[0]
    said = {*phrase(reading.subject.text), *phrase(reading.best.text), *phrase(reading.best.label)}
    return not any(map(said.intersection, words))


def falls(linked: Linked, reading: Reading, index: Cells) -> bool:
    """True if "better" is asked of a measure that decreases from level to level."""
    binding, question = reading.best, linked.question
    is_judged = question.degree in question.language.worth
    axes = {word for key in reading.subject.keys for word in key.words}
    if not is_judged or binding.grid.table.is_record or not axes & question.language.levels:
        return False
    everywhere = candidates(index, NameRequest(reading.subject.key, ()))
    same = [each.grid for each in everywhere if each.grid.table.columns == binding.grid.table.columns]
    pieces = {id(grid): grid for grid in same}
    return falls_by_row(pieces.values(), binding.column)
