"""All rows that fit, where a question asks for several: *which sheds have Ada Brook as keeper* is told both of hers.

Of one shed that is asked for, two that fit alike are a doubt.
"""

from __future__ import annotations

from dataclasses import replace

from agent.reasoning.structure.member import Value
from agent.reasoning.structure.readings import reading_of
from agent.understanding.clauses import is_plural
from agent.understanding.program import Bound, Reading
from agent.understanding.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase


def each_row(bound: Bound, question: Tagged) -> Bound | None:
    """The keys of the rows that were found, as a list; None where these are no keys, or one of them is asked for."""
    found = bound.readings[0].found
    keys = {each.column for each in found} == {0}
    is_table = keys and not any(each.grid.table.is_record for each in found)
    if bound.operation != "read" or not is_table or len({each.label for each in found}) != 1:
        return None
    head = phrase(found[0].label)[-1:]
    if not any(word in head and is_plural(word, question.question) for word in found[0].fit.label):
        return None
    readings = tuple(_of_row(each, bound.readings[0]) for each in found)
    return replace(bound, readings=readings, operation="list")


def _of_row(binding: Binding, reading: Reading) -> Reading:
    """The row with the value by which it was found."""
    grid, row = binding.grid, binding.row
    name = set(phrase(reading.name))
    cells = enumerate(grid.table.rows[row])
    column = next((at for at, text in cells if at and name <= set(phrase(text))), binding.column)
    value = Value.of(grid.column_labels[column], binding.place.grid or 0, grid, row, column)
    return reading_of(binding.text, value, row)
