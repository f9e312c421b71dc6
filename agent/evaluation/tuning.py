"""The best thresholds for the cuts over a file of questions, learned on one half and tested on the other.

Every question is searched once with all cuts open, which yields its candidates; the cuts are pure functions, so other
thresholds can then be tried without a search. One threshold after the other is moved over a short list of values while
that helps (coordinate search). Follow-ups and the fusion need a whole search, which is done at the end, for the
thresholds in force and for the best few.

Better means a higher mean F1 with no less recall than the thresholds in force have: precision alone could be had by
keeping one chunk. Source: seed document 2, "Learned Thresholds".
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.ask import Agent
from agent.errors import QuestionError
from agent.evaluation.cases import Case
from agent.evaluation.matching import ChunkIndex
from agent.evaluation.scores import Gold, Score, gold_of, mean
from agent.evaluation.stages import passages_of, plan_results
from agent.types import Evidence
from retrieval.filters.guarantee import shorten
from retrieval.types import Policy, Retrieved

OnProgress = Callable[[str, int, int], None]

GRID: Mapping[str, tuple[float, ...]] = {
    "relative_threshold": (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "absolute_min": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
    "gap_threshold": (0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 2.0),
    "gap_min_chunks": (1, 2, 3, 4, 6),
    "distance_offset": (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 2.0),
    "min_chunks": (1, 2, 3),
}
"""The values tried for each threshold of the cuts; 2 is the largest possible distance, so it turns a cut off."""

PASSES = 3
"""Most passes over all thresholds; the search ends earlier when nothing helps."""

FINALISTS = 3
"""Number of the best by their cuts alone that are tested by whole searches."""

FEWEST = 4
"""Fewest questions: two to learn on and two to hold out."""

_NOISE = 1e-9
_OPEN = {
    "relative_threshold": 0.0, "absolute_min": 0.0, "min_keyword_overlap": 0.0,
    "gap_threshold": 2.0, "distance_offset": 2.0, "low_quality_limit": 0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidates:
    """One question with what it wants, and all that its sub-queries found before any cut."""

    case: Case
    gold: Gold
    found: tuple[Retrieved, ...]

    def cut(self, policy: Policy) -> Score:
        """Return the score of the chunks that a policy's cuts leave."""
        kept = (
            hit.chunk.id for each in self.found for hit in shorten(each.sub_query, each.hits, policy, each.pinned).hits
        )
        return self.gold.score(tuple(dict.fromkeys(kept)))


@dataclass(frozen=True, slots=True)
class Halves:
    """The scores of one policy by whole searches: on the learned half, and on the held-out half."""

    policy: Policy
    learned: Score
    held_out: Score


@dataclass(slots=True)
class Cost:
    """The cost of the tuning: whole searches, settings tried on cached candidates, seconds."""

    searches: int = 0
    tried: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Tuned:
    """The thresholds in force and the best ones found, with their scores and the cost of the search."""

    in_force: Halves
    best: Halves
    questions: tuple[int, int]
    cost: Cost
    failed: int = 0
    unmatched: int = 0

    @property
    def changes(self) -> dict[str, float]:
        """The thresholds in which the best policy differs from the one in force."""
        return changes(self.in_force.policy, self.best.policy)

    @property
    def is_better(self) -> bool:
        """True if the best thresholds also win on the held-out half: more F1, and no less recall."""
        return bool(self.changes) and _is_better(self.best.held_out, self.in_force.held_out)


@dataclass(slots=True)
class Tuning:
    """Tunes the cuts for one file of questions on an open collection; `most` is the limit of searches."""

    agent: Agent
    in_force: Policy
    on_progress: OnProgress = lambda what, done, total: None
    cost: Cost = field(default_factory=Cost)
    failed: int = 0
    most: int = 0

    async def tune(self, cases: Sequence[Case]) -> Tuned:
        """Find the best thresholds; `QuestionError` if there are too few questions to hold some out."""
        if len(cases) < FEWEST:
            raise QuestionError(
                f"--tune learns on one half of the questions and judges on the other; {len(cases)} that want something"
                f" are too few, {FEWEST} are the least"
            )
        started, half = time.perf_counter(), (len(cases) + 1) // 2
        self.most = len(cases) + (1 + FINALISTS) * half + 2 * (len(cases) - half)
        candidates = await self._candidates(cases)
        learned, held_out = candidates[::2], candidates[1::2]
        finalists = await asyncio.to_thread(self._best_cuts, learned)
        chosen = await self._chosen([self.in_force, *finalists], learned)
        halves = {policy: Halves(policy, score, await self._searched(policy, held_out)) for policy, score in chosen}
        self.cost.seconds = time.perf_counter() - started
        best = halves[chosen[-1][0]]
        unmatched = sum(len(each.gold.unmatched) for each in candidates)
        sizes = len(learned), len(held_out)
        return Tuned(halves[self.in_force], best, sizes, self.cost, self.failed, unmatched)

    async def _candidates(self, cases: Sequence[Case]) -> list[Candidates]:
        chunks = [chunk async for chunk in self.agent.chunks()]
        golds = await asyncio.to_thread(_golds, ChunkIndex(chunks), cases)
        opened = self.in_force.everywhere(_OPEN)
        found = []
        for case, gold in zip(cases, golds, strict=True):
            evidence = await self._search(case.question, opened)
            found.append(Candidates(case, gold, tuple(plan_results(evidence))))
        return found

    def _best_cuts(self, learned: Sequence[Candidates]) -> list[Policy]:
        """Return the best policies by their cuts, best first; a coordinate search from the one in force."""
        scores = {self.in_force: self._cut_score(self.in_force, learned)}
        least, best = scores[self.in_force].recall, self.in_force
        for _ in range(PASSES):
            before = best
            for name, values in GRID.items():
                for policy in (_with(best, name, value) for value in values):
                    if policy not in scores:
                        scores[policy] = self._cut_score(policy, learned)
                best = max(scores, key=lambda policy: _merit(scores[policy], least))
            if best == before:
                break
        ranked = sorted(scores, key=lambda policy: _merit(scores[policy], least), reverse=True)
        return [policy for policy in _distinct_by_score(ranked, scores) if policy != self.in_force][:FINALISTS]

    def _cut_score(self, policy: Policy, learned: Sequence[Candidates]) -> Score:
        self.cost.tried += 1
        return mean(each.cut(policy) for each in learned)

    async def _chosen(self, policies: Sequence[Policy], learned: Sequence[Candidates]) -> list[tuple[Policy, Score]]:
        """Return the policy in force and the best by whole searches, each with its score; often they are the same."""
        scores = {policy: await self._searched(policy, learned) for policy in policies}
        in_force = scores[self.in_force]
        better = [policy for policy in policies if _is_better(scores[policy], in_force)]
        best = max(better, key=lambda policy: scores[policy].f1, default=self.in_force)
        return [(policy, scores[policy]) for policy in dict.fromkeys((self.in_force, best))]

    async def _searched(self, policy: Policy, half: Sequence[Candidates]) -> Score:
        """Return the mean score of the passages behind the answers."""
        found = []
        for each in half:
            evidence = await self._search(each.case.question, policy)
            found.append(each.gold.score(passages_of(evidence)))
        return mean(found)

    async def _search(self, question: str, policy: Policy) -> Evidence:
        evidence = await self.agent.search(question, policy)
        self.cost.searches += 1
        self.on_progress("searches", self.cost.searches, max(self.most, self.cost.searches))
        self.failed += sum(one.error is not None for one in evidence.retrieved)
        return evidence


def changes(before: Policy, after: Policy) -> dict[str, float]:
    """Return the thresholds that differ.

    >>> changes(Policy(), Policy(gap_threshold=0.2))
    {'gap_threshold': 0.2}
    """
    return {name: getattr(after, name) for name in GRID if getattr(after, name) != getattr(before, name)}


def _golds(index: ChunkIndex, cases: Sequence[Case]) -> list[Gold]:
    return [gold_of(index, case) for case in cases]


def _with(policy: Policy, name: str, value: float) -> Policy:
    changed: dict[str, Any] = {name: value}
    return replace(policy, **changed)


def _merit(score: Score, least_recall: float) -> tuple[bool, float, float]:
    return score.recall >= least_recall - _NOISE, round(score.f1, 9), score.recall


def _is_better(score: Score, than: Score) -> bool:
    return score.recall >= than.recall - _NOISE and score.f1 > than.f1 + _NOISE


def _distinct_by_score(ranked: Iterable[Policy], scores: Mapping[Policy, Score]) -> list[Policy]:
    """Return the first policy of each score: policies that leave the same chunks need only one search."""
    first: dict[Score, Policy] = {}
    for policy in ranked:
        first.setdefault(scores[policy], policy)
    return list(first.values())
