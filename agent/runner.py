"""A plan's sub-queries, run concurrently: each brings its chunks or says why not.

One sub-query that fails is data in the evidence, not an exception, and does not stop the others. What is there when
time runs out is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent import events
from agent.render.data import retrieved_numbers
from retrieval.errors import RetrievalError
from retrieval.retriever import Retriever
from retrieval.types import Chunk, Hit, Policy, Retrieved, SubQuery


@dataclass(slots=True)
class Runner:
    """Runs sub-queries for one question and keeps what they bring. `retrieved` grows as they finish."""

    retriever: Retriever
    policy: Policy
    concurrency: int
    retrieved: list[Retrieved] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    async def run(self, sub_queries: Sequence[SubQuery], policy: Policy | None = None) -> None:
        """Retrieve all of them, at most `concurrency` at a time; their order in `retrieved` is theirs here."""
        places = asyncio.Semaphore(self.concurrency)
        done: dict[str, Retrieved] = {}
        try:
            async with asyncio.TaskGroup() as group:
                for sub_query in sub_queries:
                    group.create_task(self._one(sub_query, policy or self.policy, places, done))
        finally:
            self.retrieved += [done[s.id] for s in sub_queries if s.id in done]

    async def _one(
        self, sub_query: SubQuery, policy: Policy, places: asyncio.Semaphore, done: dict[str, Retrieved]
    ) -> None:
        with events.bind(sub_query=sub_query.id):
            async with places:
                try:
                    result = await self.retriever.retrieve(sub_query, policy)
                except RetrievalError as error:
                    message = str(error)
                    events.emit("subquery.failed", {"error": type(error).__name__, "message": message})
                    result = Retrieved(sub_query, stop="error", error=message)
            done[sub_query.id] = result
            self._report(result)

    def _report(self, result: Retrieved) -> None:
        new = {hit.chunk.id for hit in result.hits} - self._seen
        self._seen |= new
        if result.error is None:
            events.emit("subquery.retrieved", retrieved_numbers(result) | {"unique_added": len(new)})
        for drop in result.drops:
            events.emit(
                "chunk.dropped",
                {"chunk_id": drop.chunk_id, "title": drop.title, "rule": drop.rule, "reason": drop.reason},
            )

    def chunks(self) -> list[Chunk]:
        """All chunks that were kept, each once, the most relevant first."""
        best: dict[str, Hit] = {}
        for result in self.retrieved:
            for hit in result.hits:
                if hit.chunk.id not in best or hit.relevance > best[hit.chunk.id].relevance:
                    best[hit.chunk.id] = hit
        return [hit.chunk for hit in sorted(best.values(), key=lambda hit: -hit.relevance)]
