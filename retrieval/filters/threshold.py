"""The hybrid relevance threshold: a share of the best relevance, but never below a floor (seed document 4).

The dynamic threshold adapts to the best chunk; the absolute one excludes noise if all chunks are poor. The stricter of
the two applies. `min_chunks` guarantees a minimum after all cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.filters.protocol import TOLERANCE, Sifted, sift
from retrieval.types import Hit, Policy, SubQuery


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds that applied, all relevances in 0..1."""

    best_score: float
    dynamic_threshold: float
    absolute_min: float
    effective_threshold: float


def thresholds(hits: Sequence[Hit], policy: Policy) -> Thresholds:
    """Return the thresholds for these hits: `effective = max(best * relative_threshold, absolute_min)`.

    Without hits, best and dynamic are 0. Source: seed document 4, "Scenarios and Behavior".

    >>> thresholds([], Policy()).effective_threshold
    0.3
    """
    best = max((hit.relevance for hit in hits), default=0.0)
    dynamic = best * policy.relative_threshold
    return Thresholds(best, dynamic, policy.absolute_min, max(dynamic, policy.absolute_min))


def threshold(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits whose relevance is below the effective threshold."""
    effective = thresholds(hits, policy).effective_threshold

    def objection(hit: Hit) -> str | None:
        if hit.relevance >= effective - TOLERANCE:
            return None
        return f"relevance {hit.relevance:.3f} is below {effective:.3f}"

    return sift(hits, "threshold", objection)
