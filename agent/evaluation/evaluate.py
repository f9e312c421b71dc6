"""Evaluation: every question is searched in every way on one open collection, and judged.

The policy in force is judged stage by stage, each other way by its final passages. Each question is searched once
before timing starts, so that no way pays for embeddings that the next one finds cached.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from agent.ask import Agent
from agent.evaluation.cases import Case
from agent.evaluation.matching import ChunkIndex
from agent.evaluation.scores import Evaluation, Gold, Judged, gold_of
from agent.evaluation.stages import loss_of, passages_of, pools_of
from agent.evaluation.ways import IN_FORCE
from agent.types import Evidence
from retrieval.types import Policy

OnProgress = Callable[[str, int, int], None]


async def evaluate(
    agent: Agent, cases: Sequence[Case], ways: Mapping[str, Policy], depth: int, on_progress: OnProgress | None = None
) -> Evaluation:
    """Judge every question in every way; `depth` is how many chunks plain retrieval takes.

    `ways` comes from `ways_of`. Questions run one after the other, so that the times are meaningful.
    """
    chunks = [chunk async for chunk in agent.chunks()]
    golds = await asyncio.to_thread(_golds, ChunkIndex(chunks), cases)
    judged = []
    for number, (case, gold) in enumerate(zip(cases, golds, strict=True), 1):
        judged.append(await _judge(agent, case, gold, ways, depth))
        if on_progress is not None:
            on_progress("questions", number, len(cases))
    return Evaluation(tuple(judged))


def _golds(index: ChunkIndex, cases: Sequence[Case]) -> list[Gold]:
    return [gold_of(index, case) for case in cases]


async def _judge(agent: Agent, case: Case, gold: Gold, ways: Mapping[str, Policy], depth: int) -> Judged:
    unfiltered = replace(ways[IN_FORCE], filters=False)
    plain = await agent.plain(case.question, depth)
    await agent.search(case.question)
    policies = dict.fromkeys([*ways.values(), unfiltered])
    found = {policy: await _timed(agent, case.question, policy) for policy in policies}
    pools = pools_of(plain, found[unfiltered][0], found[ways[IN_FORCE]][0], ways[IN_FORCE])
    return Judged(
        case,
        {stage: gold.score(pool) for stage, pool in pools.items()},
        {way: gold.score(passages_of(found[policy][0])) for way, policy in ways.items()},
        {way: found[policy][1] for way, policy in ways.items()},
        tuple(loss for entry, ids in gold.wanted.items() if ids and (loss := loss_of(pools, entry, ids))),
        gold.unmatched,
        sum(one.error is not None for evidence, _ in found.values() for one in evidence.retrieved),
    )


async def _timed(agent: Agent, question: str, policy: Policy) -> tuple[Evidence, float]:
    started = time.perf_counter()
    evidence = await agent.search(question, policy)
    return evidence, (time.perf_counter() - started) * 1000
