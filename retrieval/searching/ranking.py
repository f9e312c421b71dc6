"""Rerank the survivors of the screens: by BM25, fused with the dense ranking, and by a cross-encoder.

Both only rank. Distances stay unchanged, so the thresholds still apply to cosine relevance; and neither restores a
chunk that the screens drop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from retrieval.filters.dedupe import dedupe
from retrieval.filters.protocol import chain, drop
from retrieval.ingest.index import embedding_text
from retrieval.lexical import LexicalIndex, absent_words, vocabulary
from retrieval.searching.fuse import reciprocal_rank_fusion
from retrieval.searching.requery import Requeried
from retrieval.searching.rerank import reranked
from retrieval.stores.store import Store
from retrieval.types import Drop, Hit, Policy, SubQuery

RERANK_POOL = 3
"""A cross-encoder chooses among this many times `max_chunks`."""


@runtime_checkable
class LexicallyIndexed(Protocol):
    """A store with its own lexical index."""

    @property
    def lexical_folder(self) -> Path | None:
        """The folder of the index; `None` while the collection is empty."""
        ...


class Lexical:
    """The lexical index of a store, loaded or built on first use; concurrent callers share one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._opened: tuple[Path | None, LexicalIndex] | None = None
        self._known: tuple[Path, frozenset[str]] | None = None
        self._opening = asyncio.Lock()

    async def search(self, query: str, limit: int) -> list[str]:
        """Return the ids of the best chunks by BM25, best first."""
        folder = self._folder
        async with self._opening:
            if self._opened is None or self._opened[0] != folder:
                self._opened = folder, await self._open(folder)
        found = await asyncio.to_thread(self._opened[1].search, query, limit)
        return [id_ for id_, _ in found]

    async def absent(self, text: str) -> list[str]:
        """Return the content words that no chunk has; empty if the store has no index of its own."""
        folder = self._folder
        if folder is None:
            return []
        async with self._opening:
            if self._known is None or self._known[0] != folder:
                self._known = folder, await asyncio.to_thread(vocabulary, folder)
        return absent_words(text, self._known[1])

    @property
    def _folder(self) -> Path | None:
        return self._store.lexical_folder if isinstance(self._store, LexicallyIndexed) else None

    async def _open(self, folder: Path | None) -> LexicalIndex:
        if folder is not None:
            return await asyncio.to_thread(LexicalIndex.load, folder)
        chunks = [chunk async for chunk in self._store.scan()]
        texts = await asyncio.to_thread(lambda: [embedding_text(chunk) for chunk in chunks])
        return await asyncio.to_thread(LexicalIndex.build, [chunk.id for chunk in chunks], texts)


def with_lexical(
    found: Requeried, screened: Sequence[Hit], sub_query: SubQuery, policy: Policy, pinned: Sequence[Hit]
) -> Requeried:
    """Fuse the dense survivors with those of BM25, which passed the screens too; the best `max_chunks` stay.

    Source: Cormack, Clarke and Büttcher 2009, see `reciprocal_rank_fusion`.
    """
    first = {hit.chunk.id for hit in pinned}
    hits = {hit.chunk.id: hit for hit in (*screened, *found.survivors)}
    scores = reciprocal_rank_fusion(
        [[h.chunk.id for h in found.survivors], [h.chunk.id for h in screened]], policy.rrf_k
    )
    ranked = sorted(hits.values(), key=lambda h: (h.chunk.id not in first, -scores[h.chunk.id], h.distance, h.chunk.id))
    unique = chain((dedupe,), sub_query, ranked, policy)
    return _shortened(found, unique.kept, unique.dropped, policy, "ranked behind by distance and words together")


def with_scores(found: Requeried, scores: Sequence[float], policy: Policy, name: str) -> Requeried:
    """Rank the survivors by a cross-encoder's scores; the best `max_chunks` stay."""
    return _shortened(found, reranked(found.survivors, scores), (), policy, f"ranked behind by {name}")


def _shortened(
    found: Requeried, ranked: Sequence[Hit], dropped: Sequence[Drop], policy: Policy, reason: str
) -> Requeried:
    kept, rest = tuple(ranked[: policy.max_chunks]), ranked[policy.max_chunks :]
    now = {hit.chunk.id for hit in ranked} | {one.chunk_id for one in dropped}
    earlier = [one for one in found.drops if one.chunk_id not in now]
    late = [drop(hit, "max_chunks", reason) for hit in rest]
    drops = (*earlier, *dropped, *late)
    return replace(found, survivors=kept, drops=drops, fetched=len(kept) + len(drops))
