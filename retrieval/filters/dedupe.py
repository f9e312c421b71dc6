"""Duplicate texts count once, unless their tables are about different rows.

Rulebooks repeat whole paragraphs, and foreign collections may have been filled twice. Two rows of a table may have the
same text but different subjects, so different row keys keep both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from retrieval.filters.protocol import Sifted, sift
from retrieval.types import Chunk, Hit, Policy, SubQuery

RowKeys = frozenset[tuple[str, str]]


def dedupe(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop each hit whose text, ignoring case and white space, a nearer one has; the reason names that one."""
    kept: dict[str, list[Chunk]] = {}

    def objection(hit: Hit) -> str | None:
        alike = kept.setdefault(_normal_text(hit.chunk.text), [])
        for chunk in alike:
            if _row_keys(chunk) == _row_keys(hit.chunk):
                return f"same text as {chunk.id}"
        alike.append(hit.chunk)
        return None

    return sift(hits, "duplicate", objection)


@lru_cache(maxsize=4096)
def _normal_text(text: str) -> str:
    return " ".join(text.casefold().split())


def _row_keys(chunk: Chunk) -> RowKeys:
    return frozenset((table.caption, row[0]) for table in chunk.tables for row in table.rows if row)
