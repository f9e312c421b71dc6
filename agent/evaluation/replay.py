"""A logged plan, run again: it shows what other retrieval settings would have brought, without a language model.

The plan's sub-queries, collection and store come from the log; flags and thresholds are the current ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent import events
from agent.ask import Agent
from agent.stages.event_fields import hit_fields
from agent.types import Plan
from retrieval.types import Retrieved, SubQuery

Hits = tuple[Mapping[str, Any], ...]
"""Kept chunks as in the log: `chunk_id`, `title`, `distance`, `relevance`; the best first."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A chunk in both results whose rank (from 1) among the shared chunks differs."""

    chunk_id: str
    title: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Change:
    """One sub-query then and now. `before` is None if the log does not list the kept chunks."""

    before: Hits | None
    after: Hits
    now: Retrieved

    @property
    def added(self) -> Hits:
        """The chunks that are only kept now."""
        return () if self.before is None else _others(self.after, self.before)

    @property
    def removed(self) -> Hits:
        """The chunks that are no longer kept."""
        return () if self.before is None else _others(self.before, self.after)

    @property
    def moved(self) -> tuple[Moved, ...]:
        """The chunks in both results whose order differs. A new chunk moves no other."""
        then, now = _shared(self.before or (), self.after), _shared(self.after, self.before or ())
        places = {hit["chunk_id"]: place for place, hit in enumerate(then, 1)}
        ranked = (Moved(h["chunk_id"], str(h.get("title", "")), places[h["chunk_id"]], n) for n, h in enumerate(now, 1))
        return tuple(each for each in ranked if each.before != each.after)

    @property
    def same(self) -> bool:
        """True if the same chunks are kept in the same order."""
        return self.before is not None and not (self.added or self.removed or self.moved)


async def replayed(agent: Agent, plan: Plan, follow_ups: Sequence[Sequence[SubQuery]] = ()) -> tuple[Retrieved, ...]:
    """Retrieve the sub-queries of a plan, then those of its follow-up waves, in their order.

    No language model is asked and nothing is logged. A failed sub-query has an `error`.
    """
    with events.silent():
        return await agent.retrieve((plan.sub_queries, *follow_ups))


def changes(before: Mapping[str, Hits | None], now: Sequence[Retrieved]) -> tuple[Change, ...]:
    """Return each current sub-query beside the logged chunks of its id."""
    return tuple(
        Change(before.get(each.sub_query.id), tuple(hit_fields(hit) for hit in each.hits), each) for each in now
    )


def _others(hits: Hits, known: Hits) -> Hits:
    ids = {hit["chunk_id"] for hit in known}
    return tuple(hit for hit in hits if hit["chunk_id"] not in ids)


def _shared(hits: Hits, others: Hits) -> Hits:
    ids = {hit["chunk_id"] for hit in others}
    return tuple(hit for hit in hits if hit["chunk_id"] in ids)
