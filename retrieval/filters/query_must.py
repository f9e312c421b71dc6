"""Screen out chunks whose query_must the sub-query does not satisfy (seed document 1, layer 2)."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.filters.protocol import Sifted, sift
from retrieval.filters.rule import judge
from retrieval.text.normal import query_words
from retrieval.types import Hit, Policy, SubQuery


def eligible(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits whose `query_must` the sub-query's text does not satisfy; the reason names what is missing."""
    query = query_words(sub_query.text)

    def objection(hit: Hit) -> str | None:
        if hit.chunk.query_must is None:
            return None
        verdict = judge(query, hit.chunk.query_must)
        return None if verdict else f"query lacks {', '.join(verdict.missing)}"

    return sift(hits, "query_must", objection)
