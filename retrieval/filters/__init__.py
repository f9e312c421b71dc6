"""The pipeline in two tuples: screens, whose drops the store refills, then cuts, which only shorten."""

from __future__ import annotations

from retrieval.filters.dedupe import dedupe
from retrieval.filters.eligible import eligible
from retrieval.filters.gap import gap
from retrieval.filters.identity import chunk_type, tags
from retrieval.filters.keyword_overlap import keyword_overlap
from retrieval.filters.min_length import min_length
from retrieval.filters.min_score import min_score
from retrieval.filters.protocol import Filter, Sifted
from retrieval.filters.threshold import threshold

SCREENS: tuple[Filter, ...] = (chunk_type, tags, min_score, min_length, eligible, dedupe)
CUTS: tuple[Filter, ...] = (threshold, gap, keyword_overlap)

__all__ = ["CUTS", "SCREENS", "Filter", "Sifted"]
