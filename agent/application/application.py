"""Ask, search, plan, check, read a cell, list collections: over all collections of the store that the settings name."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agent.application.agents import Agents
from agent.application.cells import cell_of
from agent.application.gate import Gate
from agent.ask import Agent
from agent.ingesting.ingest import Progress, ingest
from agent.settings.settings import Settings
from agent.types import Answer, Event, Evidence, Plan, Turn
from retrieval.collections.inspection import Description, Listing, describe, list_described
from retrieval.filters.rule import Verdict
from retrieval.tables.cells import Cell
from retrieval.types import Chunk, IngestReport

if TYPE_CHECKING:
    from agent.application.options import Options


class Application:
    """The interface for the doors. A `collection` is one name or several with commas; None is that of the settings.

    Collections are opened on first use. Errors are those of `agent` and `retrieval`, each with a message that says what
    to do.

    >>> async with Application.open(Settings(collection="rules")) as application:  # doctest: +SKIP
    ...     answer = await application.ask("Who wins: an orc or an owlbear?")
    """

    def __init__(self, settings: Settings, agents: Agents, gate: Gate) -> None:
        self.settings, self.gate = settings, gate
        self._agents = agents

    @classmethod
    @asynccontextmanager
    async def open(
        cls, settings: Settings, gate: Gate | None = None, opened: Callable[[], None] = lambda: None
    ) -> AsyncIterator[Application]:
        """Open an application for the duration of the block. A `gate` limits how many questions are answered at once.

        `opened` is called after each opening of a collection, which creates very many objects.
        """
        agents = Agents(settings, opened=opened)
        try:
            yield cls(settings, agents, gate or Gate(sys.maxsize, 0))
        finally:
            await agents.close()

    async def ready(self) -> None:
        """Open the collection of the settings, and raise its errors."""
        async with self._agents.lend():
            pass

    async def ask(
        self, question: str, collection: str | None = None, options: Options | None = None, after: Sequence[Turn] = ()
    ) -> Answer:
        """Answer a question, which may follow up on the turns before it; see `Agent.ask`."""
        async with self.lend_agent(collection, options) as agent:
            return await agent.ask(question, after)

    async def stream(
        self,
        question: str,
        collection: str | None = None,
        options: Options | None = None,
        after: Sequence[Turn] = (),
        *,
        with_text: bool = True,
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of answering a question; see `Agent.stream`. Closing the generator ends the work."""
        async with (
            self.lend_agent(collection, options) as agent,
            aclosing(agent.stream(question, after, with_text=with_text)) as happening,
        ):
            async for event in happening:
                yield event

    async def search(self, question: str, collection: str | None = None, options: Options | None = None) -> Evidence:
        """Plan and retrieve, without an answer."""
        async with self.lend_agent(collection, options) as agent:
            return await agent.search(question)

    async def plan(
        self, question: str, collection: str | None = None, options: Options | None = None, after: Sequence[Turn] = ()
    ) -> Plan:
        """Split a question, which may follow up on the turns before it, into sub-queries only."""
        async with self.lend_agent(collection, options) as agent:
            return await agent.plan(question, after)

    async def check(self, query: str, chunk_id: str, collection: str | None = None) -> tuple[Chunk, Verdict]:
        """Judge a chunk's rule on a query; `ChunkNotFound` for an unknown chunk."""
        async with self._agents.lend(collection) as agent:
            return await agent.check(query, chunk_id)

    async def chunk(self, chunk_id: str, collection: str | None = None) -> Chunk:
        """Return one chunk by its id; `ChunkNotFound` for an unknown id."""
        async with self._agents.lend(collection) as agent:
            return await agent.chunk(chunk_id)

    async def read_cell(
        self, chunk_id: str, row: str, column: str = "", table: int = 0, collection: str | None = None
    ) -> Cell:
        """Return one cell of a chunk's table, see `cell_of`; `CellNotFound` lists the rows and columns."""
        return cell_of(await self.chunk(chunk_id, collection), row, column, table)

    async def one_collection(self, name: str) -> str:
        """Return the name if it is a single one, of a collection that need not exist yet; else `SettingsError`."""
        return (await self._agents.settings_of(name)).only_collection()

    async def ingest(
        self, paths: Sequence[Path], collection: str | None = None, on_progress: Progress | None = None
    ) -> IngestReport:
        """Bring a collection up to date with these files and folders; see `agent.ingesting.ingest.ingest`."""
        return await ingest(paths, await self._agents.settings_of(collection), on_progress)

    async def collections(self) -> Listing:
        """Return all collections of the store; a problem with one is part of its entry."""
        return await list_described(self.settings.chroma_location())

    async def collection(self, name: str) -> Description:
        """Return the contents of one collection; `CollectionNotFound` lists those that exist."""
        return await describe(self.settings.chroma_location(), name)

    @asynccontextmanager
    async def lend_agent(self, collection: str | None = None, options: Options | None = None) -> AsyncIterator[Agent]:
        """Yield the agent of a collection for one question, once the gate has a place; `Busy` if too many wait."""
        async with self.gate.place(), self._agents.lend(collection) as agent:
            yield agent if options is None else agent.with_settings(options.applied)
