"""What the tools of a model find: passages as the sub-queries of a question do, and tables by their cells."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from agent.plugins.domain import Domain
from agent.stages.runner import Runner, wider
from agent.understanding.linking.named_tables import named_tables
from agent.writing.wording.library import Library
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import name_keys, without_part
from retrieval.tables.writing import Kind
from retrieval.text.normal import content_words
from retrieval.types import Chunk, SubQuery

_MOST_NAMED, _MOST_TITLED = 24, 200
"""Chunks whose tables have what a text names, and those of tables that are titled so."""
_TITLES = (Kind.TITLE, Kind.CAPTION, Kind.HEADING)


def library_of(runner: Runner, index: Cells | None, domains: Sequence[Domain]) -> Library:
    """Return what looks into a collection for the tools, and the tools of the domains that are at home there."""

    async def near(text: str) -> Sequence[Chunk]:
        retrieved = await runner.retriever.retrieve(SubQuery("tool", text), runner.policy)
        return [hit.chunk for hit in retrieved.hits]

    async def beyond(text: str) -> Sequence[Chunk]:
        retrieved = await runner.retriever.retrieve(SubQuery("tool", text, is_wide=True), wider(runner.policy))
        return [hit.chunk for hit in retrieved.hits]

    async def named(text: str) -> Sequence[Chunk]:
        if index is None:
            return ()
        tables = await asyncio.to_thread(named_tables, text, index)
        return await chunks(dict.fromkeys(table.grid.chunk_id for table in tables), _MOST_NAMED)

    async def titled(text: str) -> Sequence[Chunk]:
        if index is None:
            return ()
        return await chunks(await asyncio.to_thread(_titled, text, index), _MOST_TITLED)

    async def chunks(ids: Collection[str], most: int) -> Sequence[Chunk]:
        wanted = list(ids)[:most]
        found = {chunk.id: chunk for chunk in await runner.retriever.chunks(wanted)}
        return [found[id_] for id_ in wanted if id_ in found]

    computing = tuple(tool for domain in domains for tool in domain.tools)
    return Library(near, named, beyond, titled, computing)


def _titled(text: str, index: Cells) -> dict[str, None]:
    """The chunks of the tables that are called so, in the order of the collection; else of those of that kind."""
    called = set(grids_of(index.places(name_keys(without_part(text)), _TITLES)))
    if not called:
        of_kinds = [index.of_kind(word) for word in content_words(text)]
        called = set[int].intersection(*map(set, of_kinds)) if of_kinds else set()
    return dict.fromkeys(index.grid(number).chunk_id for number in sorted(called)[:_MOST_TITLED])
