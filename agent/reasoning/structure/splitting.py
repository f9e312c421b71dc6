"""Split a bound question into sub-queries: one for each name, searched where its cells are at home."""

from __future__ import annotations

from agent.reasoning.structure.execution import shown_readings
from agent.understanding.program import Bound, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.names import is_numbered
from retrieval.text.normal import phrase
from retrieval.types import SubQuery

MOST = 24


def sub_queries_of(bound: Bound) -> tuple[SubQuery, ...]:
    """A sub-query for each name whose value is shown, or for each of the chunks where one name may be at home."""
    found: dict[str, SubQuery] = {}
    for reading in shown_readings(bound):
        for binding in reading.found:
            query = _sub_query(f"q{len(found) + 1}", reading, binding, bound)
            found.setdefault(query.text if len(reading.found) == 1 else binding.cell.chunk_id, query)
    return tuple(found.values())[:MOST]


def _sub_query(id_: str, reading: Reading, binding: Binding, bound: Bound) -> SubQuery:
    """What is asked of one name, with what the rule of its chunk may ask for: the title, what a number is one of."""
    cell = binding.cell
    said = set(phrase(reading.subject.text))
    row = f"{cell.axis} {cell.row_label}" if is_numbered(cell.row_label) else cell.row_label
    parts = [reading.subject.text]
    for part in (cell.title, row, cell.column_label):
        if set(phrase(part)) - said:
            parts.append(part.strip())
            said |= set(phrase(part))
    return SubQuery(id_, " ".join(parts), bound.measure, chunk_ids=(cell.chunk_id,))
