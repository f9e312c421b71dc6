"""Different thresholds for chunks of different types: tables differ from paragraphs by less than paragraphs from each
other.

Every chunk is judged among all hits, by the numbers for its own type. So the best hit and the gaps are the same for
all, and a profile that repeats the policy's numbers changes nothing (seed document 4, "Per-Product-Type Thresholds").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.filters.protocol import Filter, Sifted
from retrieval.types import Drop, Hit, Policy, SubQuery


def by_chunk_type(cut: Filter) -> Filter:
    """Return the cut that judges each hit by the profile of its chunk type; its reasons name the profile."""

    def judged(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
        if not policy.profiles:
            return cut(sub_query, hits, policy)
        types = {hit.chunk.chunk_type for hit in hits}
        outcomes = {chunk_type: cut(sub_query, hits, policy.of_chunk_type(chunk_type)) for chunk_type in types}
        profiled = {profile.chunk_type for profile in policy.profiles}
        drops = {
            (chunk_type, drop.chunk_id): _named(drop, chunk_type) if chunk_type in profiled else drop
            for chunk_type, outcome in outcomes.items()
            for drop in outcome.dropped
        }
        own = [(hit, drops.get((hit.chunk.chunk_type, hit.chunk.id))) for hit in hits]
        kept = tuple(hit for hit, drop in own if drop is None)
        return Sifted(kept, tuple(drop for _, drop in own if drop), cut(sub_query, hits, policy).gaps)

    return judged


def _named(drop: Drop, chunk_type: str) -> Drop:
    return replace(drop, reason=f"{drop.reason} (profile {chunk_type})")
