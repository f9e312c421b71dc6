"""The rows of a named table that a question describes in other words, where each is a chunk of its own.

Such a row is brought by its key alone, and who asks what something is for does not know that. The rows under the names
of the question are compared with it by their embeddings, and the nearest are asked for by their keys.
"""

from __future__ import annotations

import asyncio

import numpy as np

from agent.understanding.clauses import tokens_of
from agent.understanding.mentions import mentions_of
from agent.understanding.nearness import similarities
from retrieval.embedding.protocol import Embedder
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells
from retrieval.tables.writing import Kind
from retrieval.types import SubQuery

MOST_COMPARED = 64
"""Rows that are compared; where a question names the place of more, none is."""
_NEAREST = 8
"""Rows that are asked for."""
_LONGEST = 240
"""Characters of a row that are compared."""


async def rows_described(question: str, index: Cells, embedder: Embedder) -> SubQuery | None:
    """A sub-query for the rows that are nearest to a question, of those under the names that it holds."""
    rows = await asyncio.to_thread(_rows, question, index)
    similar = await similarities(embedder, question, list(map(_wording, rows))) if rows else None
    if similar is None:
        return None
    nearest = [rows[int(place)] for place in np.argsort(-similar)[:_NEAREST]]
    keys = dict.fromkeys(word for row in nearest for word in (row.title, *row.subjects))
    text = f"{question} {' '.join(keys)}"
    return SubQuery("rows", text, "the nearest rows of what is named", chunk_ids=tuple(row.chunk_id for row in nearest))


def _rows(question: str, index: Cells) -> list[Grid]:
    """The rows under the names of a question, those alone that are called by most of its words."""
    tokens = tokens_of(question)
    called: dict[Grid, int] = {}
    for mention in mentions_of(tokens, index):
        places = index.places([mention.key], (Kind.SUBJECT, Kind.HEADING))
        numbers = {place.grid for place in places if place.grid is not None}
        for grid in map(index.grid, sorted(numbers)):
            if grid.is_single:
                called[grid] = len(grid.kinds.intersection(tokens))
    most = max(called.values(), default=0)
    own = [grid for grid, words in called.items() if words == most]
    return own if len(own) <= MOST_COMPARED else []


def _wording(row: Grid) -> str:
    """A row as it is compared: under the name of its page."""
    cells = (cell for cell in row.table.rows[0] if cell)
    return ": ".join((*row.headings[:1], *cells))[:_LONGEST]
