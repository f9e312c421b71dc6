"""Split a bound question into sub-queries: one for each name, searched where its cells are at home."""

from __future__ import annotations

from agent.structure.execution import best_readings
from agent.structure.program import Bound, Reading
from retrieval.text import phrase
from retrieval.types import SubQuery

MOST = 24


def sub_queries_of(bound: Bound) -> tuple[SubQuery, ...]:
    """A sub-query for each name that is compared; of a whole kind for the best of it."""
    readings = best_readings(bound) if bound.rank else bound.readings
    return tuple(_sub_query(f"q{n}", reading, bound) for n, reading in enumerate(readings[:MOST], start=1))


def _sub_query(id_: str, reading: Reading, bound: Bound) -> SubQuery:
    """What is asked of one name, with the row that a number chose."""
    cell = reading.found[0].cell
    said = set(phrase(reading.subject.text))
    parts = [part for part in (cell.row_label, cell.column_label) if part and set(phrase(part)) - said]
    text = " ".join(dict.fromkeys((reading.subject.text, *parts)))
    return SubQuery(id_, text, bound.measure, chunk_ids=(cell.chunk_id,))
