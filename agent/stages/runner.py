"""Run a plan's sub-queries concurrently: each returns its chunks or the reason why not.

A sub-query that fails is data in the evidence, not an exception, and does not stop the others. What was found when time
runs out is kept. With a `low_quality_limit`, a plan that finds nothing good is stopped early.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from agent import events
from agent.stages.event_fields import retrieved_fields
from retrieval.errors import RetrievalError
from retrieval.filters import CUTS, SCREENS
from retrieval.searching.retriever import Retriever
from retrieval.types import Chunk, Hit, Policy, Retrieved, Stop, SubQuery

TIME_UP = "the time was up; raise VERSUS_DEADLINE"
QUALITY_RULES = frozenset(rule for stage in (*SCREENS, *CUTS) if stage.by_relevance for rule in stage.rules)
"""The rules that drop a chunk because it is not relevant enough."""
WIDER = 2.5
_OPEN = {"relative_threshold": 0.0, "gap_threshold": 2.0, "distance_offset": 2.0, "min_chunks": 0}
"""A second look has neither the cuts relative to the best hit, 2 being the largest distance, nor the guarantee."""


@dataclass(slots=True)
class Runner:
    """Runs the sub-queries of one question and keeps their results in order; `on_result` receives each of them."""

    retriever: Retriever
    policy: Policy
    concurrency: int
    on_result: Callable[[Retrieved], None] = lambda retrieved: None
    retrieved: list[Retrieved] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _begun: dict[str, SubQuery] = field(default_factory=dict)

    async def run(self, sub_queries: Sequence[SubQuery]) -> None:
        """Retrieve all of them, at most `concurrency` at a time; `retrieved` keeps this order.

        With `low_quality_limit` n, once n in a row were low in quality the rest is skipped, with the stop
        "low_quality". The window is then n wide, or `concurrency` if that is less: a sub-query starts when all before
        the window are judged, so that what is skipped depends on the plan and never on timing. Source: seed document 4,
        "Early Stopping on Low Quality".
        """
        limit, places = self.policy.low_quality_limit, asyncio.Semaphore(self.concurrency)
        self._begun |= {sub_query.id: sub_query for sub_query in sub_queries}
        done: dict[str, Retrieved] = {}
        started: list[asyncio.Task[Retrieved]] = []
        try:
            async with asyncio.TaskGroup() as group:
                for sub_query in sub_queries:
                    if limit and await self._hopeless(started, limit):
                        done[sub_query.id] = _skipped(sub_query, limit)
                        self.on_result(done[sub_query.id])
                    else:
                        started.append(group.create_task(self._one(sub_query, places, done)))
        finally:
            self.retrieved += [done[s.id] for s in sub_queries if s.id in done]

    async def _hopeless(self, started: Sequence[asyncio.Task[Retrieved]], limit: int) -> bool:
        """Wait for the results to judge before another starts; return whether the latest were low in quality."""
        window = min(limit, self.concurrency)
        judged = started[: max(0, len(started) + 1 - window)]
        if judged:
            await asyncio.wait(judged)
        return len(judged) >= limit and all(is_low_quality(task.result()) for task in judged[-limit:])

    async def _one(self, sub_query: SubQuery, places: asyncio.Semaphore, done: dict[str, Retrieved]) -> Retrieved:
        """Run one sub-query in a task of its own."""
        events.bind_task(sub_query=sub_query.id)
        policy = _policy_for(sub_query, self.policy)
        async with places:
            try:
                result = await self.retriever.retrieve(sub_query, policy)
            except RetrievalError as error:
                result = _failed(sub_query, type(error).__name__, str(error), "error")
        done[sub_query.id] = result
        self._report(result)
        self.on_result(result)
        return result

    def lose(self, sub_query: SubQuery, source: str, value: str) -> None:
        """Record that a sub-query cannot run, because the value that it takes from `source` is unknown.

        If the search of `source` failed, this one failed with it; else the value was not found.
        """
        failed = next((each for each in self.retrieved if each.sub_query.id == source and each.is_failed), None)
        if failed is None:
            self._miss(sub_query, "DependencyNotFound", f"{value} was not found", "no_value")
        else:
            self._miss(sub_query, "DependencyFailed", f"{value} could not be looked up: {failed.error}", failed.stop)

    def give_up(self, planned: Sequence[SubQuery]) -> None:
        """Record the planned or started sub-queries that were not finished when the time was up."""
        done = {each.sub_query.id for each in self.retrieved}
        wanted = {sub_query.id: sub_query for sub_query in planned} | self._begun
        for sub_query in wanted.values():
            if sub_query.id not in done:
                self._miss(sub_query, "TimeoutError", TIME_UP, "deadline")

    def _miss(self, sub_query: SubQuery, error: str, message: str, stop: Stop) -> None:
        with events.bind(sub_query=sub_query.id):
            self.retrieved.append(_failed(sub_query, error, message, stop))
        self.on_result(self.retrieved[-1])

    def _report(self, result: Retrieved) -> None:
        new = {hit.chunk.id for hit in result.hits} - self._seen
        self._seen |= new
        if result.error is None and events.has_listener("subquery.retrieved"):
            events.emit("subquery.retrieved", retrieved_fields(result, len(new)))
        for drop in result.drops if events.has_listener("chunk.dropped") else ():
            events.emit("chunk.dropped", {**asdict(drop), "relevance": round(drop.relevance, 4)})

    def chunks(self) -> list[Chunk]:
        """Return the distinct chunks that were kept, most relevant first."""
        best: dict[str, Hit] = {}
        for result in self.retrieved:
            for hit in result.hits:
                if hit.chunk.id not in best or hit.relevance > best[hit.chunk.id].relevance:
                    best[hit.chunk.id] = hit
        return [hit.chunk for hit in sorted(best.values(), key=lambda hit: -hit.relevance)]


def is_low_quality(result: Retrieved) -> bool:
    """Return whether more chunks were dropped for low relevance than were kept; a failure is not low quality.

    >>> is_low_quality(Retrieved(SubQuery("q1", "orc"), stop="error", error="no such store"))
    False
    """
    return sum(drop.rule in QUALITY_RULES for drop in result.drops) > len(result.hits)


def _failed(sub_query: SubQuery, error: str, message: str, stop: Stop) -> Retrieved:
    events.emit("subquery.failed", {"text": sub_query.text, "error": error, "message": message})
    return Retrieved(sub_query, stop=stop, error=message)


def _skipped(sub_query: SubQuery, limit: int) -> Retrieved:
    with events.bind(sub_query=sub_query.id):
        events.emit("subquery.skipped", {"text": sub_query.text, "stop": "low_quality", "low_quality_limit": limit})
    return Retrieved(sub_query, stop="low_quality")


def wider(policy: Policy) -> Policy:
    """Return the policy of a second look: `WIDER` times as many chunks, and only the cut by absolute minimum.

    A chunk below that minimum is no missed fact, even if it is the best. A chunk that is asked for by name is never
    cut.
    """
    if not policy.filters:
        return policy
    return policy.everywhere({"max_chunks": math.ceil(WIDER * policy.max_chunks), **_OPEN})


def _policy_for(sub_query: SubQuery, policy: Policy) -> Policy:
    """Return the policy of a first or second look, or of a last one: as many chunks, without the cuts by relevance."""
    if sub_query.is_uncut and policy.filters:
        return policy.everywhere({**_OPEN, "absolute_min": 0.0})
    return wider(policy) if sub_query.is_wide else policy
