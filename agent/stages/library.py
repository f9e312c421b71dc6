"""The collection behind a question, as the tools of a writing model look into it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.stages.runner import Runner
from agent.understanding.named_tables import named_tables
from agent.writing.tools import Library
from retrieval.tables.index import Cells
from retrieval.types import Chunk, SubQuery

_MOST_NAMED = 24
"""Chunks whose tables have what a text names."""


def library_of(runner: Runner, index: Cells | None) -> Library:
    """Return what looks for passages as the sub-queries of a question do, and for tables by the cells."""

    async def near(text: str) -> Sequence[Chunk]:
        retrieved = await runner.retriever.retrieve(SubQuery("tool", text), runner.policy)
        return [hit.chunk for hit in retrieved.hits]

    async def named(text: str) -> Sequence[Chunk]:
        if index is None:
            return ()
        tables = await asyncio.to_thread(named_tables, text, index)
        ids = dict.fromkeys(table.grid.chunk_id for table in tables)
        return await runner.retriever.chunks(list(ids)[:_MOST_NAMED])

    return Library(near, named)
