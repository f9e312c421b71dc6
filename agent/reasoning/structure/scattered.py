"""Names whose words stand in several texts: the *mask* of a *Mask AP* and an *R-50* are no *Mask R-CNN*."""

from __future__ import annotations

from collections.abc import Iterator

from agent.understanding.program import Bound, Reading
from agent.understanding.proper import has_run, proper_names
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase


def scatters_name(bound: Bound, index: Cells) -> bool:
    """True where words that the question has side by side, as the name of a row or written as one, are told of somebody
    in several texts: the *mask* of a *Mask AP* and the *R* of an *R-50* are no *Mask R-CNN*.
    """
    question, said = bound.linked.question, set(bound.linked.words)
    for run in proper_names(question.question):
        told = said.issuperset(run)
        if told and not all(any(has_run(text, run) for text in _texts_of(each)) for each in bound.readings):
            return True
    for mention in question.names:
        words = set(question.tokens[mention.start : mention.end])
        told_words, tables = words & said, grids_of(index.places([mention.key], (Kind.ROW,)))
        some = [reading for reading in bound.readings if reading.best.place.grid in tables]
        if len(told_words) > 1 and not all(
            any(told_words.issubset(phrase(text)) for text in (*_row_of(each), *each.best.grid.names)) for each in some
        ):
            return True
    return False


def _texts_of(reading: Reading) -> Iterator[str]:
    """All that names a member, and what its row or its record says."""
    grid = reading.best.grid
    yield from (*_row_of(reading), *grid.names)
    yield from (text for row in grid.table.rows for text in row) if grid.table.is_record else ()


def _row_of(reading: Reading) -> Iterator[str]:
    """What a member is called, and what its row says."""
    grid, row = reading.best.grid, reading.best.row
    yield from (reading.name, *grid.groups[row : row + 1], *grid.table.rows[row])
