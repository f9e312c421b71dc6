"""What part one value is of the sum of its column: *what percentage of the total weight does the rhea make up*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.languages.phrases import phrase_places
from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.kinds.member import Member, Value
from agent.reasoning.kinds.readings import reading_of
from agent.reasoning.values.quantities import number_of
from agent.reasoning.values.totals import is_total
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.writing import Kind


def portion(question: Tagged, index: Cells) -> Derivation | None:
    """Return the question for the value of the named entity; None for other questions."""
    language, tokens = question.language, question.tokens[:-1]
    parts = frozenset().union(*(each.measures for each in language.dimensions if "%" in each.units))
    totals = (said for name, said in language.operations if name == "total")
    at = next((places for said in totals if (places := phrase_places(tokens, said))), range(0))
    if not at or question.negated or question.end is not None or parts.isdisjoint(tokens[: at.start]):
        return None
    names = [name for name in question.names if index.places([name.key], (Kind.ROW, Kind.TITLE, Kind.SUBJECT))]
    measure = _measure(tokens, at.stop, question, index)
    if len(names) != 1 or not measure:
        return None
    name = " ".join(tokens[names[0].start : names[0].end])
    text = language.wordings["value_of"].format(label=" ".join(measure), name=name)
    return Derivation((text,), lambda bounds: _of_all(question, bounds[0]))


def _measure(tokens: Sequence[str], start: int, question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the words of a measure from a place on."""
    end = start
    while end < len(tokens) and (tokens[end] in index.measure_words) and tokens[end] not in question.language.copulas:
        end += 1
    return tuple(tokens[start:end])


def _of_all(question: Tagged, bound: Bound) -> Bound | None:
    """Return the value before those of all rows of its table; None if one of them is no number."""
    if bound.is_open or not bound.is_one_value:
        return None
    (reading,) = bound.readings
    best = reading.best
    if best.grid.table.is_record or best.place.at is None:
        return None
    every = tuple(_column(reading))
    if any(number_of(each.best.text, each.best.label) is None for each in every):
        return None
    return replace(for_question(question, bound), operation="portion", readings=(reading, *every))


def _column(reading: Reading) -> Iterator[Reading]:
    """Yield the values of the column, without a row of sums."""
    grid = reading.best.grid
    rows = len(grid.table.rows) - is_total(grid.table.rows)
    for row in range(rows):
        value = Value.of(
            grid.column_labels[reading.best.column], reading.best.place.grid or 0, grid, row, reading.best.column
        )
        yield reading_of(Member(((0, grid),), row).name, value, row)
