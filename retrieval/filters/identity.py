"""Screens by chunk type and tags, as the sub-query asks for them (seed document 5).

The store's own filter may already narrow by chunk type and first tag. These screens check the whole condition, so the
result is the same on a store that filters nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.filters.protocol import Sifted, sift
from retrieval.types import Hit, Policy, SubQuery


def chunk_type(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits with none of the wanted chunk types. If none are wanted, all stay."""
    wanted = sub_query.chunk_types
    if not wanted:
        return Sifted(tuple(hits))

    def objection(hit: Hit) -> str | None:
        if hit.chunk.chunk_type in wanted:
            return None
        return f"is a {hit.chunk.chunk_type}, wanted {' or '.join(wanted)}"

    return sift(hits, "chunk_type", objection)


def tags(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits that lack one of the wanted tags. If none are wanted, all stay."""
    if not sub_query.tags:
        return Sifted(tuple(hits))

    def objection(hit: Hit) -> str | None:
        missing = [tag for tag in sub_query.tags if tag not in hit.chunk.tags]
        return f"lacks the tag {', '.join(missing)}" if missing else None

    return sift(hits, "tags", objection)
