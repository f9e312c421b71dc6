"""One sub-query in, everything about its retrieval out: the thin driver around pure screens, re-query and cuts.

Only here do embedder and store meet. Chunks of named entities are asked for by title, so that the vector ranking
can't bury them; they are screened like all others and exempt from the cuts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from retrieval.embed import Embedder
from retrieval.filters import SCREENS, Sifted
from retrieval.filters.guarantee import shorten
from retrieval.filters.protocol import chain
from retrieval.filters.threshold import thresholds
from retrieval.metadata import Scalar, Where
from retrieval.requery import Requeried, Strategy, hits_of, requery
from retrieval.store import Store, Vectors, require_same_model
from retrieval.text import title_key
from retrieval.types import Hit, Policy, Retrieved, SubQuery

PIN_CANDIDATES = 64
"""How many chunks are looked at for the entities of one sub-query."""


class Retriever:
    """Retrieves sub-queries from one store with one embedder; safe to call concurrently.

    >>> retriever = Retriever(MemoryStore(), SentenceTransformerEmbedder())  # doctest: +SKIP
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        policy: Policy | None = None,
        *,
        strategy: Strategy = "widen",
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        require_same_model(store, embedder)
        self._store = store
        self._embedder = embedder
        self._policy = policy or Policy()
        self._strategy: Strategy = strategy
        self._clock = clock

    async def retrieve(self, sub_query: SubQuery, policy: Policy | None = None) -> Retrieved:
        """Return the hits of one sub-query, nearest first, with every drop and every number that applied.

        Distances are cosine distances, whatever the store's space. `StoreError` and `EmbeddingError` propagate.
        """
        started, policy = self._clock(), policy or self._policy
        (vector,) = await self._embedder.embed([sub_query.text])
        pins = await self._pinned(sub_query, vector, policy)
        found = _with_drops_of(pins, await self._drive(sub_query, vector, policy, pins.kept))
        return _report(sub_query, policy, found, pins.kept, (self._clock() - started) * 1000)

    async def _drive(self, sub_query: SubQuery, vector: Vectors, policy: Policy, pinned: Sequence[Hit]) -> Requeried:
        where = native_filter(sub_query) if policy.filters else None
        steps = requery(sub_query, policy, space=self._store.space, pinned=pinned, strategy=self._strategy)
        fetch = next(steps)
        while True:
            candidates = await self._store.query(vector, fetch.n_results, where, fetch.exclude)
            try:
                fetch = steps.send(candidates)
            except StopIteration as finished:
                result: Requeried = finished.value
                return result

    async def _pinned(self, sub_query: SubQuery, vector: Vectors, policy: Policy) -> Sifted:
        keys = sorted({key for key in map(title_key, sub_query.entities) if key})
        if not keys or not policy.filters:
            return Sifted()
        where: Where = {"title_key": keys, **(native_filter(sub_query) or {})}
        found = hits_of(await self._store.query(vector, PIN_CANDIDATES, where), self._store.space)
        screened = chain(SCREENS, sub_query, found, policy)
        return Sifted(_quota(screened.kept, keys, policy.max_chunks), screened.dropped)


def native_filter(sub_query: SubQuery) -> Where | None:
    """Return what the store itself can filter by: the chunk types, and the first tag (seed document 5).

    The document's own form asks for the first chunk type only, and for the first tag in the first slot only; that
    loses the chunks of the other types, and those whose tags come in another order. The screens judge the rest.

    >>> native_filter(SubQuery("q1", "…", chunk_types=("row", "table"), tags=("combat", "fighter")))
    {'chunk_type': ['row', 'table'], 'tags': 'combat'}
    """
    where: dict[str, Scalar | Sequence[Scalar]] = {}
    if sub_query.chunk_types:
        where["chunk_type"] = list(sub_query.chunk_types)
    if sub_query.tags:
        where["tags"] = sub_query.tags[0]
    return where or None


def _quota(found: Sequence[Hit], keys: Sequence[str], max_chunks: int) -> tuple[Hit, ...]:
    """Give each entity its share of half the places, so that a long chapter leaves room for others."""
    share = max(1, max_chunks // (2 * len(keys)))
    by_key = [[hit for hit in found if title_key(hit.chunk.title) == key][:share] for key in keys]
    return tuple(hit for hits in by_key for hit in hits)


def _with_drops_of(pins: Sifted, found: Requeried) -> Requeried:
    """Add the drops of chunks that were met only while looking for entities."""
    judged = {drop.chunk_id for drop in found.drops} | {hit.chunk.id for hit in found.survivors}
    more = tuple(drop for drop in pins.dropped if drop.chunk_id not in judged)
    return replace(found, drops=(*found.drops, *more), fetched=found.fetched + len(more))


def _report(sub_query: SubQuery, policy: Policy, found: Requeried, pinned: Sequence[Hit], ms: float) -> Retrieved:
    if not policy.filters:
        return Retrieved(
            sub_query,
            found.survivors,
            rounds=found.rounds,
            fetched=found.fetched,
            stop=found.stop,
            ms=ms,
            best_score=max((hit.relevance for hit in found.survivors), default=0.0),
        )
    pinned_ids = {hit.chunk.id for hit in pinned}
    short = shorten(sub_query, found.survivors, policy, pinned_ids)
    applied = thresholds([hit for hit in found.survivors if hit.chunk.id not in pinned_ids], policy)
    return Retrieved(
        sub_query,
        short.hits,
        (*found.drops, *short.dropped),
        rounds=found.rounds,
        fetched=found.fetched,
        stop=found.stop,
        ms=ms,
        best_score=applied.best_score,
        dynamic_threshold=applied.dynamic_threshold,
        absolute_min=applied.absolute_min,
        effective_threshold=applied.effective_threshold,
        cut=short.cut,
    )
