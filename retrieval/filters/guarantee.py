"""All cuts in order, then the guarantee of a minimum (seed documents 2 and 4).

Chunks of named entities are exempt from the cuts: the sub-query asked for them by name. The minimum is applied last,
best relevance first, so that no later cut can undo it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from retrieval.filters import cuts_of
from retrieval.filters.profiles import by_chunk_type
from retrieval.filters.protocol import Filter, chain
from retrieval.types import Cut, Drop, Gap, Hit, Policy, SubQuery


@dataclass(frozen=True, slots=True)
class Shortened:
    """The remaining hits, nearest first, the drops, the distance cut that dropped some, and the gaps considered."""

    hits: tuple[Hit, ...]
    dropped: tuple[Drop, ...]
    cut: Cut
    gaps: tuple[Gap, ...] = ()


def by_distance(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits nearest first; ties by id, so that the order is deterministic."""
    return tuple(sorted(hits, key=lambda hit: (hit.distance, hit.chunk.id)))


def shorten(
    sub_query: SubQuery,
    hits: Sequence[Hit],
    policy: Policy,
    pinned: Collection[str] = (),
    cuts: Iterable[Filter] | None = None,
) -> Shortened:
    """Apply the cuts to all but the pinned hits, each by the profile of its type, then keep at least `min_chunks`.

    `pinned` are chunk ids. `cuts` defaults to the policy's. Source: seed document 4, "Minimum Chunks Guarantee".
    """
    ordered = by_distance(hits)
    judges = map(by_chunk_type, cuts_of(policy) if cuts is None else cuts)
    sifted = chain(judges, sub_query, [hit for hit in ordered if hit.chunk.id not in pinned], policy)
    kept = {hit.chunk.id for hit in sifted.kept} | {hit.chunk.id for hit in ordered if hit.chunk.id in pinned}
    kept |= _best(ordered, kept, policy.min_chunks - len(kept))
    dropped = tuple(drop for drop in sifted.dropped if drop.chunk_id not in kept)
    return Shortened(tuple(hit for hit in ordered if hit.chunk.id in kept), dropped, _cut(dropped), sifted.gaps)


def _best(hits: Sequence[Hit], kept: Collection[str], lacking: int) -> set[str]:
    rest = sorted((hit for hit in hits if hit.chunk.id not in kept), key=lambda hit: -hit.relevance)
    return {hit.chunk.id for hit in rest[: max(lacking, 0)]}


def _cut(dropped: Iterable[Drop]) -> Cut:
    rules = {drop.rule for drop in dropped}
    return "gap" if "gap" in rules else "distance" if "distance" in rules else "none"
