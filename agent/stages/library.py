"""The model's tools: find passages as sub-queries do, and tables by their cells."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from itertools import chain

from agent.plugins.domain import Domain
from agent.stages.runner import Runner, wider
from agent.understanding.linking.named_tables import named_tables
from agent.writing.wording.library import Library
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import name_keys, without_part
from retrieval.tables.writing import Kind
from retrieval.text.normal import content_words, phrase
from retrieval.types import Chunk, SubQuery

_MOST_NAMED = 24
"""Most chunks whose tables match the names in a text."""
_MOST_TABLES = 1000
"""Most tables with a title or label that are read."""
_TITLES = (Kind.TITLE, Kind.CAPTION, Kind.HEADING)


def library_of(runner: Runner, index: Cells | None, domains: Sequence[Domain]) -> Library:
    """Return the search functions for the tools, and the tools of the domains that are at home in the collection."""

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
        return await whole(() if index is None else await asyncio.to_thread(_titled, text, index))

    async def labelled(text: str) -> Sequence[Chunk]:
        return await whole(() if index is None else await asyncio.to_thread(_labelled, text, index))

    async def whole(tables: Collection[int]) -> Sequence[Chunk]:
        if index is None or len(tables) > _MOST_TABLES:  # a count needs all of them
            return ()
        return await chunks(dict.fromkeys(index.grid(number).chunk_id for number in sorted(tables)), _MOST_TABLES)

    async def chunks(ids: Collection[str], most: int) -> Sequence[Chunk]:
        wanted = list(ids)[:most]
        found = {chunk.id: chunk for chunk in await runner.retriever.chunks(wanted)}
        return [found[id_] for id_ in wanted if id_ in found]

    computing = tuple(tool for domain in domains for tool in domain.tools)
    return Library(near, named, beyond, titled, labelled, computing)


def _titled(text: str, index: Cells) -> set[int]:
    """Return the tables with this title; if there is none, those of this kind."""
    called = set(grids_of(index.places(name_keys(without_part(text)), _TITLES)))
    of_kinds = [] if called else list(map(index.of_kind, content_words(text)))
    return called or (set(of_kinds[0].intersection(*of_kinds)) if of_kinds else set())


def _labelled(text: str, index: Cells) -> set[int]:
    """Return the tables with a column or label of this name."""
    names = filter(lambda name: phrase(name) == phrase(text), index.heads_with(phrase(text)))
    return set(grids_of(chain.from_iterable(index.heads[name] for name in names)))
