"""Execute a bound question: search for its cells, read, compare or rank them, and write a finding with citations.

There is a sub-query for each name, searched where its cells are at home; every value that is told is that of a cell
whose chunk was retrieved. Values that can't be ordered are told side by side, and so are those of a question that does
not say which end of the scale is the better one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.reasoning.execution.of_kind import of_kind
from agent.reasoning.execution.of_named import of_named
from agent.reasoning.execution.steps import Steps
from agent.reasoning.kinds.readings import best_elsewhere, best_readings
from agent.reasoning.notebook import Notebook
from agent.types import Reasoned
from agent.understanding.linking.program import Bound, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Cell
from retrieval.tables.match import is_told_by_slip, said_words
from retrieval.tables.names import is_numbered, without_part
from retrieval.text.normal import phrase
from retrieval.types import Chunk, SubQuery

MOST_SHOWN = 24
"""Members of a list that are told by name and cited."""


def execute(bound: Bound, chunks: Sequence[Chunk], prefix: str = "q") -> Reasoned | None:
    """The finding of a bound question; None where a chunk was not retrieved, or has another value in the cell."""
    there = {chunk.id: chunk for chunk in chunks}
    shown = shown_readings(bound)
    if not shown or not all(_is_there(each.cell, there) for reading in shown for each in reading.found):
        return None
    if any(word in phrase(chunk.text) for word in _slips(shown) for chunk in chunks):
        return None  # a word that the book has is no slip of another
    steps = Steps(bound, Notebook(chunks, prefix), there)
    return of_kind(steps, shown) if bound.is_of_kind else of_named(steps)


def shown_readings(bound: Bound) -> tuple[Reading, ...]:
    """The readings that an answer shows and cites: of the best of a kind those, of a long list the first."""
    if bound.operation == "best":
        winners = best_readings(bound)
        return (*winners, *best_elsewhere(bound, winners), *bound.told) if winners else ()
    return (*bound.readings, *bound.unsure, *(() if bound.readings else bound.without))[:MOST_SHOWN]


def sub_queries_of(bound: Bound) -> tuple[SubQuery, ...]:
    """A sub-query for each name whose value is shown, or for each of the chunks where one name may be at home."""
    found: dict[str, SubQuery] = {}
    for reading in shown_readings(bound):
        for binding in reading.found:
            query = _sub_query(f"q{len(found) + 1}", reading, binding, bound)
            found.setdefault(query.text if len(reading.found) == 1 else binding.cell.chunk_id, query)
    return tuple(found.values())[:MOST_SHOWN]


def _sub_query(id_: str, reading: Reading, binding: Binding, bound: Bound) -> SubQuery:
    """What is asked of one name, with what the rule of its chunk may ask for: the title, what a number is one of."""
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
    """True where the retrieved chunk has the cell, and in it what the index of cells says."""
    chunk = chunks.get(cell.chunk_id)
    if chunk is None or cell.table >= len(chunk.tables):
        return False
    rows = chunk.tables[cell.table].rows
    return cell.row < len(rows) and rows[cell.row][cell.column : cell.column + 1] == (cell.text,)


def _slips(shown: Sequence[Reading]) -> set[str]:
    """The words that labels tell with a letter wrong: the *castle* of *Cattle*."""
    told = ((binding, word) for reading in shown for binding in reading.found for word in binding.fit.label)
    return {word for binding, word in told if is_told_by_slip(word, said_words(binding.label))}
