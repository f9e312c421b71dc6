"""Cut chunks that share too few words with the sub-query (seed document 4, "Keyword Overlap Threshold").

It is a cut, not a screen, since a chunk in other words can still be right: the minimum-chunks guarantee applies and
named entities are exempt, while a screen would search the whole collection for look-alikes. It comes last, so that
thresholds and gap see the same hits with and without it. Off at 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.filters.protocol import TOLERANCE, Sifted, sift
from retrieval.text.normal import content_words, normal, phrase
from retrieval.types import Chunk, Hit, Policy, SubQuery


def keyword_overlap(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits that have less than `policy.min_keyword_overlap` of the sub-query's content words."""
    wanted = frozenset(content_words(sub_query.text)) if policy.min_keyword_overlap else frozenset[str]()
    if not wanted:
        return Sifted(tuple(hits))

    def objection(hit: Hit) -> str | None:
        share = overlap(wanted, hit.chunk)
        if share >= policy.min_keyword_overlap - TOLERANCE:
            return None
        return f"has {share:.0%} of the query's words, wanted {policy.min_keyword_overlap:.0%}"

    return sift(hits, "keyword_overlap", objection)


def overlap(wanted: frozenset[str], chunk: Chunk) -> float:
    """Return the share of these normal-form words, at least one, that are in the chunk's title or text.

    >>> overlap(frozenset({"armor class", "3"}), Chunk("c1", "A.C. of 9", "Shields"))
    0.5
    """
    return len(wanted & {*phrase(chunk.title), *normal(chunk.text)}) / len(wanted)
