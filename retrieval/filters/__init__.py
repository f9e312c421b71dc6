"""The pipeline in two tuples: screens, whose drops the store refills, then cuts, which only shorten.

A policy may name further filters, which are plug-ins (`retrieval.filters.named`).
"""

from __future__ import annotations

from retrieval.filters.dedupe import dedupe
from retrieval.filters.gap import gap
from retrieval.filters.identity import chunk_type, tags
from retrieval.filters.keyword_overlap import keyword_overlap
from retrieval.filters.min_length import min_length
from retrieval.filters.min_score import min_score
from retrieval.filters.named import named_stages
from retrieval.filters.protocol import Filter, Sifted, Stage
from retrieval.filters.query_must import eligible
from retrieval.filters.threshold import threshold
from retrieval.types import Policy

SCREENS: tuple[Stage, ...] = (
    Stage("screen", chunk_type, ("chunk_type",)),
    Stage("screen", tags, ("tags",)),
    Stage("screen", min_score, ("min_score",), by_relevance=True),
    Stage("screen", min_length, ("min_length",)),
    Stage("screen", eligible, ("query_must",)),
    Stage("screen", dedupe, ("duplicate",)),
)
CUTS: tuple[Stage, ...] = (
    Stage("cut", threshold, ("threshold",), by_relevance=True),
    Stage("cut", gap, ("gap", "distance"), by_relevance=True),
    Stage("cut", keyword_overlap, ("keyword_overlap",)),
)

__all__ = ["CUTS", "SCREENS", "Filter", "Sifted", "Stage", "cuts_of", "screens_of"]


def screens_of(policy: Policy) -> tuple[Stage, ...]:
    """Return the screens and those that the policy names; duplicates are screened last, among the rest."""
    named = [stage for stage in named_stages(policy.named_filters) if stage.kind == "screen"]
    return (*SCREENS[:-1], *named, SCREENS[-1])


def cuts_of(policy: Policy) -> tuple[Stage, ...]:
    """Return the cuts, then those that the policy names."""
    return (*CUTS, *(stage for stage in named_stages(policy.named_filters) if stage.kind == "cut"))
