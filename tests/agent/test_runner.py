"""A plan's sub-queries run together; with a limit, a plan that brings nothing good is given up in plan order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.events import configure_logging
from agent.render import retrieved_view, to_text
from agent.settings.settings import Settings
from agent.stages.runner import Runner, is_low_quality
from retrieval.errors import StoreError
from retrieval.searching.retriever import Retriever
from retrieval.stores.metadata import Where
from retrieval.stores.store import MemoryStore, Vectors
from retrieval.types import Chunk, Drop, Hit, Policy, Retrieved, SubQuery
from tests.retrieval.placed import Placed, shelve

SCORED = Policy(max_chunks=5, gap_threshold=9.0, distance_offset=9.0)
"""Seed document 4 knows relevance thresholds only."""
GOOD, LOW = [0.9, 0.8, 0.7, 0.6, 0.1], [0.9, 0.8, 0.2, 0.2, 0.1]
"""Relevances of the five chunks of a sub-query: four kept of five, and two."""


class Watched(MemoryStore):
    """Counts how many queries are in it at once; fails for the sub-query whose axis is `broken`.

    The first `meet` queries wait until all of them are there.
    """

    broken: int | None = None
    gate: asyncio.Event | None = None
    now = most = 0

    def __init__(self, meet: int = 1) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.meet, self.met = meet, asyncio.Event()

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        if self.broken is not None and vector[self.broken] == 1.0:
            raise StoreError("the shelf fell over")
        self.now += 1
        self.most = max(self.most, self.now)
        self.begun.set()
        if self.now == self.meet:
            self.met.set()
        try:
            await self.met.wait()
            if self.gate is not None:
                await self.gate.wait()
            return await super().query(vector, n_results, where, exclude)
        finally:
            self.now -= 1


def sub_queries(count: int) -> list[SubQuery]:
    return [SubQuery(f"q{n}", f"query {n}") for n in range(count)]


async def plan_on(store: MemoryStore, plan: Sequence[Sequence[float]], policy: Policy, concurrency: int = 8) -> Runner:
    """Run one sub-query for each row of relevances, each with chunks of its own."""
    queries = sub_queries(len(plan))
    places = {
        f"chunk {n}.{m}": [relevance * float(axis == n) for axis in range(len(plan))]
        for n, relevances in enumerate(plan)
        for m, relevance in enumerate(relevances)
    }
    embedder = Placed([query.text for query in queries], places)
    await shelve(store, [Chunk(text, text, text) for text in places], embedder)
    runner = Runner(Retriever(store, embedder), policy, concurrency)
    await runner.run(queries)
    return runner


def stops(runner: Runner) -> list[str]:
    return ["skipped" if one.stop == "low_quality" else "ran" for one in runner.retrieved]


async def test_by_default_every_sub_query_runs_however_poor_and_all_at_once() -> None:
    store = Watched(meet=6)
    runner = await plan_on(store, [LOW] * 6, SCORED)

    assert ["ran"] * 6 == stops(runner)
    assert 6 == store.most


async def test_three_low_ones_in_a_row_stop_what_has_not_started() -> None:
    runner = await plan_on(
        Watched(), [GOOD, LOW, LOW, LOW, GOOD, GOOD, GOOD, GOOD], replace(SCORED, low_quality_limit=3)
    )

    assert ["ran"] * 6 + ["skipped"] * 2 == stops(runner)
    assert [f"q{n}" for n in range(8)] == [one.sub_query.id for one in runner.retrieved]
    assert [((), (), 0, None)] * 2 == [(one.hits, one.drops, one.rounds, one.error) for one in runner.retrieved[6:]]


async def test_a_good_one_in_between_begins_the_count_again() -> None:
    runner = await plan_on(Watched(), [LOW, LOW, GOOD, LOW, LOW, GOOD, LOW], replace(SCORED, low_quality_limit=3))

    assert ["ran"] * 7 == stops(runner)


@pytest.mark.parametrize(
    ("limit", "concurrency", "most", "ran"), [(1, 8, 1, 1), (3, 8, 3, 5), (3, 1, 1, 3), (3, 2, 2, 4)]
)
async def test_the_window_is_as_wide_as_the_limit_or_the_concurrency(
    limit: int, concurrency: int, most: int, ran: int
) -> None:
    store = Watched(meet=most)
    runner = await plan_on(store, [LOW] * 8, replace(SCORED, low_quality_limit=limit), concurrency)

    assert most == store.most
    assert ["ran"] * ran + ["skipped"] * (8 - ran) == stops(runner)


async def test_a_failed_sub_query_is_no_verdict_on_quality() -> None:
    store = Watched()
    store.broken = 1
    runner = await plan_on(store, [LOW, LOW, GOOD, LOW, GOOD], replace(SCORED, low_quality_limit=2))

    assert ["ran"] * 5 == stops(runner)
    assert "the shelf fell over" == runner.retrieved[1].error


async def test_a_sub_query_that_is_skipped_says_so_in_the_log_and_on_the_screen(tmp_path: Path) -> None:
    with configure_logging(Settings(log_dir=tmp_path)):
        runner = await plan_on(Watched(), [LOW, LOW], replace(SCORED, low_quality_limit=1))
    skipped = [event for event in lines(tmp_path) if event["event"] == "subquery.skipped"]

    assert [("q1", "low_quality", 1)] == [(e["sub_query"], e["stop"], e["low_quality_limit"]) for e in skipped]
    assert "skipped: the sub-queries before it lost more chunks than they kept" in to_text(
        retrieved_view(runner.retrieved[1])
    )


async def test_cancelling_a_run_that_waits_for_verdicts_leaves_nothing_behind() -> None:
    store, before = Watched(), asyncio.all_tasks()
    store.gate = asyncio.Event()
    running = asyncio.create_task(plan_on(store, [LOW] * 8, replace(SCORED, low_quality_limit=2)))
    await store.begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert before == asyncio.all_tasks()
    assert 0 == store.now


@given(st.lists(st.booleans(), max_size=12), st.integers(1, 4), st.integers(1, 4))
def test_what_is_skipped_depends_on_the_plan_alone(low: list[bool], limit: int, concurrency: int) -> None:
    plan = [LOW if is_low else GOOD for is_low in low]
    policy = replace(SCORED, low_quality_limit=limit)
    runner = asyncio.run(plan_on(Watched(), plan, policy, concurrency))
    ends = [n for n in range(limit, len(low) + 1) if all(low[n - limit : n])]
    ran = min(len(low), ends[0] + min(limit, concurrency) - 1) if ends else len(low)

    assert ["ran"] * ran + ["skipped"] * (len(low) - ran) == stops(runner)


RULES = {"threshold": True, "gap": True, "distance": True, "min_score": True, "query_must": False, "max_chunks": False}


@pytest.mark.parametrize(("rule", "expected"), RULES.items())
def test_low_quality_counts_what_was_not_near_enough(rule: str, expected: bool) -> None:
    drops = tuple(Drop(f"c{n}", "", rule, "") for n in range(2))
    hit = Hit(Chunk("c9", "", ""), 0.1, 0.9)

    assert expected == is_low_quality(Retrieved(SubQuery("q1", "x"), (hit,), drops))
    assert not is_low_quality(Retrieved(SubQuery("q1", "x"), (hit, hit), drops))


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_bytes().splitlines()]


async def test_expected_log_output_of_seed_document_4(tmp_path: Path) -> None:
    """The queries "Introduction to AWS" and "AWS Global Infrastructure" see five chunks each, two of them the same."""
    places = {
        "cloud": [1.0, 0.0], "security": [0.6, 0.6], "services": [0.5, 0.5], "slides": [0.2, 0.0],
        "prices": [0.15, 0.0], "regions": [0.0, 0.95], "zones": [0.0, 0.9], "staff": [0.0, 0.2],
    }  # fmt: skip
    embedder, store = Placed(["Introduction to AWS", "AWS Global Infrastructure"], places), MemoryStore()
    await shelve(store, [Chunk(text, text, text) for text in places], embedder)
    runner = Runner(Retriever(store, embedder), SCORED, concurrency=1)
    with configure_logging(Settings(log_dir=tmp_path, log_level="debug")):
        await runner.run([SubQuery("q1", "Introduction to AWS"), SubQuery("q2", "AWS Global Infrastructure")])
    events = lines(tmp_path)
    found = [event for event in events if event["event"] == "subquery.retrieved"]
    below = [event for event in events if event["event"] == "chunk.dropped" and event["rule"] == "threshold"]

    assert [[1.0, 0.4, 0.3, 0.4], [0.95, 0.38, 0.3, 0.38]] == [
        [round(e[name], 3) for name in ("best_score", "dynamic_threshold", "absolute_min", "effective_threshold")]
        for e in found
    ]
    assert [(3, 2, 3), (4, 1, 2)] == [(e["kept"], e["dropped"]["threshold"], e["unique_added"]) for e in found]
    assert [
        ("slides", "relevance 0.200 is below 0.400"),
        ("prices", "relevance 0.150 is below 0.400"),
        ("staff", "relevance 0.200 is below 0.380"),
    ] == [(e["chunk_id"], e["reason"]) for e in below]
