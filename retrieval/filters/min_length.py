"""Screen out chunks too short to be evidence: a lone heading, a page number, a fragment (seed document 4,
"Content-Length-Based Filtering").

It is a screen, since a fragment is no evidence for any query and its place belongs to a real chunk. Off at 0, because a
short row of a table can be the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.filters.protocol import Sifted, sift
from retrieval.types import Hit, Policy, SubQuery


def min_length(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits whose text has fewer than `policy.min_length` characters; the title does not count."""
    if not policy.min_length:
        return Sifted(tuple(hits))

    def objection(hit: Hit) -> str | None:
        size = len(hit.chunk.text)
        return None if size >= policy.min_length else f"{size} characters, wanted {policy.min_length}"

    return sift(hits, "min_length", objection)
