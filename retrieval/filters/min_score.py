"""Screen out chunks less relevant than the sub-query requires (seed document 5, "Post-filter: Minimum score").

It is a screen, like the other conditions of a sub-query: what fails it is no candidate, so not even the minimum-chunks
guarantee restores it. Off at 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.filters.protocol import TOLERANCE, Sifted, sift
from retrieval.types import Hit, Policy, SubQuery


def min_score(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits whose relevance is below the sub-query's `min_score`."""
    if not sub_query.min_score:
        return Sifted(tuple(hits))

    def objection(hit: Hit) -> str | None:
        if reaches(hit, sub_query):
            return None
        return f"relevance {hit.relevance:.3f} is below the {sub_query.min_score:.3f} asked for"

    return sift(hits, "min_score", objection)


def reaches(hit: Hit, sub_query: SubQuery) -> bool:
    """Return True if the hit is as relevant as the sub-query requires; without `min_score` every hit is."""
    return hit.relevance >= sub_query.min_score - TOLERANCE
