"""Execute a bound question: search for its cells, read, compare or rank them, and write a finding with citations.

There is a sub-query for each name, restricted to the chunk of its cell; every shown value comes from a cell whose chunk
was retrieved. Values are shown side by side if they can't be ordered, or if the question doesn't say which end of the
scale is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.reasoning.execution.of_kind import of_kind
from agent.reasoning.execution.of_named import of_named
from agent.reasoning.execution.steps import Steps
from agent.reasoning.kinds.readings import best_elsewhere, best_readings
from agent.reasoning.measures.asked_of_spans import grades_times
from agent.reasoning.notebook import Notebook
from agent.reasoning.values.dates import are_times
from agent.reasoning.values.span_ends import is_of_contrary
from agent.types import Reasoned
from agent.understanding.linking.program import Bound, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Cell
from retrieval.tables.match import label_words, matches_by_slip
from retrieval.tables.names import is_numbered, without_part
from retrieval.text.normal import phrase
from retrieval.types import Chunk, SubQuery

MOST_SHOWN = 24
"""The most members of a list that are named and cited."""


def execute(bound: Bound, chunks: Sequence[Chunk], prefix: str = "q") -> Reasoned | None:
    """Return the finding of a bound question; None if a chunk was not retrieved, or has another value in the cell."""
    there = {chunk.id: chunk for chunk in chunks}
    shown = shown_readings(bound)
    if not shown or not all(_is_there(each.cell, there) for reading in shown for each in reading.found):
        return None
    if _is_of_another_measure(bound, shown):
        return None
    if any(word in phrase(chunk.text) for word in _slips(shown) for chunk in chunks):
        return None  # a word that occurs in the collection is no typo of another
    steps = Steps(bound, Notebook(chunks, prefix), there)
    return of_kind(steps, shown) if bound.is_of_kind else of_named(steps)


def _is_of_another_measure(bound: Bound, shown: Sequence[Reading]) -> bool:
    """True for values that say when it is closed, if it is asked when it is open, and for those without a time under a
    label that was assumed, if the latest is asked for: the latest is no number of days.
    """
    question = bound.linked.question
    if any(is_of_contrary(reading.best.label, question) for reading in shown):
        return True
    texts = [reading.best.text for reading in bound.readings]
    return bound.operation == "best" and bound.is_assumed and grades_times(question) and not are_times(texts)


def shown_readings(bound: Bound) -> tuple[Reading, ...]:
    """Return the readings that an answer shows and cites: the winners for the best of a kind, the first of a
    long list.
    """
    if bound.operation == "best":
        winners = best_readings(bound)
        return (*winners, *best_elsewhere(bound, winners), *bound.other_values) if winners else ()
    return (*bound.readings, *bound.unsure, *(() if bound.readings else bound.without_value))[:MOST_SHOWN]


def sub_queries_of(bound: Bound) -> tuple[SubQuery, ...]:
    """Return a sub-query for each shown name, or for each chunk if a name has values in several."""
    found: dict[str, SubQuery] = {}
    for reading in shown_readings(bound):
        for binding in reading.found:
            query = _sub_query(f"q{len(found) + 1}", reading, binding, bound)
            found.setdefault(query.text if len(reading.found) == 1 else binding.cell.chunk_id, query)
    return tuple(found.values())[:MOST_SHOWN]


def _sub_query(id_: str, reading: Reading, binding: Binding, bound: Bound) -> SubQuery:
    """Return the sub-query for one name, with words that the rule of its chunk may require: its title, row
    and column.
    """
    cell = binding.cell
    said = set(phrase(reading.subject.text))
    row = f"{cell.axis} {cell.row_label}" if is_numbered(cell.row_label) else cell.row_label
    parts = [reading.subject.text]
    for part in (without_part(cell.title), row, cell.column_label):
        if set(phrase(part)) - said:
            parts.append(part.strip(" *"))
            said |= set(phrase(part))
    return SubQuery(id_, " ".join(parts), bound.measure, chunk_ids=(cell.chunk_id,))


def _is_there(cell: Cell, chunks: Mapping[str, Chunk]) -> bool:
    """True if the retrieved chunk has the cell, with the text in the index of cells."""
    chunk = chunks.get(cell.chunk_id)
    if chunk is None or cell.table >= len(chunk.tables):
        return False
    rows = chunk.tables[cell.table].rows
    return cell.row < len(rows) and rows[cell.row][cell.column : cell.column + 1] == (cell.text,)


def _slips(shown: Sequence[Reading]) -> set[str]:
    """Return the words that match a label by a typo of one letter: *castle* for *Cattle*."""
    told = ((binding, word) for reading in shown for binding in reading.found for word in binding.fit.label)
    return {word for binding, word in told if matches_by_slip(word, label_words(binding.label))}
