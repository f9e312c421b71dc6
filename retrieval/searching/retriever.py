"""Retrieve one sub-query with a full report: the thin driver around pure screens, re-query and cuts.

Only here do embedder and store meet. Chunks of named entities are fetched by title, so that the vector ranking can't
bury them; they are screened like all others and exempt from the cuts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.multi_store import UnionStore
from retrieval.embedding.protocol import Embedder
from retrieval.errors import StoreError
from retrieval.filters import Sifted, screens_of
from retrieval.filters.confidence import with_confidence
from retrieval.filters.guarantee import by_distance, shorten
from retrieval.filters.protocol import chain
from retrieval.filters.threshold import thresholds
from retrieval.ingest.index import embedding_text
from retrieval.searching.prefilter import break_even_neighbors, is_native_filter_cheaper, native_filter
from retrieval.searching.ranking import RERANK_POOL, Lexical, with_lexical, with_scores
from retrieval.searching.requery import HEADROOM, Fetch, Requeried, Strategy, depths, hits_of, requery
from retrieval.searching.rerank import Reranker
from retrieval.stores.metadata import Scalar, Where
from retrieval.stores.store import Directed, Fetched, Store, Vectors, require_same_model
from retrieval.text.normal import Words, query_words, title_key
from retrieval.types import Chunk, Hit, Policy, Retrieved, SubQuery


class Retriever:
    """Retrieves sub-queries from one store with one embedder; safe to call concurrently.

    The strategy is `directed` if the store supports it, else `widen`. With a `catalog`, the store's own filter is used
    only if it is cheaper. A `reranker` chooses among three times as many chunks.

    >>> retriever = Retriever(MemoryStore(), SentenceTransformerEmbedder())  # doctest: +SKIP
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        policy: Policy | None = None,
        *,
        strategy: Strategy | None = None,
        catalog: Catalog | None = None,
        reranker: Reranker | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        require_same_model(store, embedder)
        self._store = store
        self._embedder = embedder
        self._policy = policy or Policy()
        self._strategy: Strategy = strategy or ("directed" if isinstance(store, Directed) else "widen")
        self._catalog = catalog
        self._lexical = Lexical(store)
        self._reranker = reranker
        self._clock = clock
        self._turns = asyncio.Lock()
        self._members: dict[str, Retriever] = {}

    async def retrieve(self, sub_query: SubQuery, policy: Policy | None = None) -> Retrieved:
        """Return the hits of one sub-query, nearest first, with every drop and every number that applied.

        Distances are cosine distances, whatever the store's space. `StoreError` and `EmbeddingError` propagate.
        """
        if sub_query.collection not in ("", self._store.name):
            return await self._within(sub_query.collection).retrieve(sub_query, policy)
        started, policy = self._clock(), policy or self._policy
        (vector,) = await self._embedder.embed([sub_query.text])
        pool = replace(policy, max_chunks=policy.max_chunks * RERANK_POOL) if self._reranker else policy
        near = await self._ahead(sub_query, vector, pool)
        pins = await self._pinned(sub_query, vector, policy, near)
        found = _with_drops_of(pins, await self._drive(sub_query, vector, pool, pins.kept, near))
        if policy.hybrid and policy.filters:
            found = await self._with_lexical(found, sub_query, vector, pool, pins.kept)
        if self._reranker is not None and policy.filters:
            texts = [embedding_text(hit.chunk) for hit in found.survivors]
            scores = await self._reranker.score(sub_query.text, texts)
            found = with_scores(found, scores, policy, self._reranker.name)
        return _report(sub_query, policy, found, pins.kept, (self._clock() - started) * 1000)

    async def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids, whatever their rules. `StoreError` propagates."""
        return await self._store.get(ids)

    async def absent_words(self, text: str) -> list[str]:
        """Return the content words of a text that occur nowhere in the collection, in normal form.

        Only a local collection knows; for others the list is empty. `StoreError` propagates.
        """
        return await self._lexical.absent(text)

    def _within(self, collection: str) -> Retriever:
        """Return the retriever of one collection among several."""
        if collection not in self._members:
            if not isinstance(self._store, UnionStore):
                raise StoreError(f"no collection {collection!r} is open here; there is {self._store.name}")
            store = self._store.only(collection)
            self._members[collection] = Retriever(
                store, self._embedder, self._policy, catalog=store.catalog, reranker=self._reranker, clock=self._clock
            )
        return self._members[collection]

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Let one sub-query screen at a time, yielding to the event loop in between: hundreds may return from one
        shared call.
        """
        async with self._turns:
            await asyncio.sleep(0)
            yield

    async def _with_lexical(
        self, found: Requeried, sub_query: SubQuery, vector: Vectors, policy: Policy, pinned: Sequence[Hit]
    ) -> Requeried:
        wanted, screened = HEADROOM * policy.max_chunks, Sifted()
        for depth in depths(policy):
            ids = await self._lexical.search(sub_query.text, depth)
            if not ids:
                return found
            near = hits_of(await self._store.query(vector, len(ids), {"id": ids}), self._store.space)
            by_id = {hit.chunk.id: hit for hit in near}
            screened = chain(screens_of(policy), sub_query, [by_id[id_] for id_ in ids if id_ in by_id], policy)
            if len(screened.kept) >= wanted or len(ids) < depth:
                break
        return with_lexical(_with_drops_of(screened, found), screened.kept[:wanted], sub_query, policy, pinned)

    async def _ahead(self, sub_query: SubQuery, vector: Vectors, policy: Policy) -> Fetched | None:
        """Return what the first round fetches if chunks are asked for by id, since they are mostly among it."""
        if not (sub_query.chunk_ids and policy.filters):
            return None
        fetch, query = Fetch(depths(policy, self._strategy)[0]), query_words(sub_query.text)
        return await self._fetched(vector, fetch, query, self._narrowed(sub_query, policy), policy)

    async def _drive(
        self, sub_query: SubQuery, vector: Vectors, policy: Policy, pinned: Sequence[Hit], near: Fetched | None
    ) -> Requeried:
        where = self._narrowed(sub_query, policy) if policy.filters else None
        native = native_filter(sub_query) if policy.filters else None
        if where is None and native and self._catalog is not None:
            rounds = sum(depth <= break_even_neighbors(self._catalog) for depth in depths(policy))
            few = replace(policy, max_rounds=max(1, rounds))
            found = await self._rounds(sub_query, vector, few, pinned, None, near)
            if found.stop != "max_rounds":
                return found
            where, near = native, None  # rarer than estimated
        return await self._rounds(sub_query, vector, policy, pinned, where, near)

    async def _rounds(
        self,
        sub_query: SubQuery,
        vector: Vectors,
        policy: Policy,
        pinned: Sequence[Hit],
        where: Where | None,
        near: Fetched | None,
    ) -> Requeried:
        """Ask until enough is found; `near` is the first round's result, if known already."""
        steps = requery(sub_query, policy, space=self._store.space, pinned=pinned, strategy=self._strategy)
        fetch, query = next(steps), query_words(sub_query.text)
        fetched = near or await self._fetched(vector, fetch, query, where, policy)
        while True:
            async with self._turn():
                try:
                    fetch = steps.send(fetched)
                except StopIteration as finished:
                    result: Requeried = finished.value
                    return result
            fetched = await self._fetched(vector, fetch, query, where, policy)

    async def _fetched(
        self, vector: Vectors, fetch: Fetch, query: Words, where: Where | None, policy: Policy
    ) -> Fetched:
        if self._strategy == "directed" and policy.filters and isinstance(self._store, Directed):
            return await self._store.query_eligible(vector, fetch.n_results, query, where)
        found = await self._store.query(vector, fetch.n_results, where, fetch.exclude)
        return Fetched(tuple(found), len(found) < fetch.n_results)

    def _narrowed(self, sub_query: SubQuery, policy: Policy) -> Where | None:
        where = native_filter(sub_query)
        if where is None or self._strategy == "directed" or self._catalog is None:
            return where
        return where if is_native_filter_cheaper(sub_query, self._catalog, HEADROOM * policy.max_chunks) else None

    def _titled(self, keys: Sequence[str]) -> dict[str, Scalar | Sequence[Scalar]]:
        """Return the condition for chunks with these titles; collections without title keys use the catalog."""
        if self._catalog is None or self._strategy == "directed":
            return {"title_key": keys}
        titles = [self._catalog.titles[key] for key in keys if key in self._catalog.titles]
        return {"id": [id_ for title in titles for id_ in title.ids]}

    async def _pinned(self, sub_query: SubQuery, vector: Vectors, policy: Policy, near: Fetched | None) -> Sifted:
        if not policy.filters:
            return Sifted()
        held = Sifted() if near is None else await self._held(sub_query, vector, policy, near)
        titled = await self._titled_hits(sub_query, vector, policy)
        known = {hit.chunk.id for hit in held.kept}
        return Sifted(
            (*held.kept, *(hit for hit in titled.kept if hit.chunk.id not in known)), (*held.dropped, *titled.dropped)
        )

    async def _held(self, sub_query: SubQuery, vector: Vectors, policy: Policy, near: Fetched) -> Sifted:
        """Return the chunks that a sub-query asks for by id, screened like all others; those not in `near` are
        fetched.
        """
        ids = dict.fromkeys(sub_query.chunk_ids)
        found = [pair for pair in near.candidates if pair[0].id in ids]
        met = {chunk.id for chunk, _ in found}
        far = [id_ for id_ in ids if id_ not in met]
        found += await self._store.query(vector, len(far), {"id": far}) if far else ()
        async with self._turn():
            return chain(screens_of(policy), sub_query, by_distance(hits_of(found, self._store.space)), policy)

    async def _titled_hits(self, sub_query: SubQuery, vector: Vectors, policy: Policy) -> Sifted:
        """Return the chunks of named entities, each with its share of the places."""
        keys = sorted({key for key in map(title_key, sub_query.entities) if key})
        if not keys:
            return Sifted()
        where = self._titled(keys) | dict(native_filter(sub_query) or {})
        # Half of the places, so that a long chapter leaves room for others.
        share, pins = max(1, policy.max_chunks // (2 * len(keys))), Sifted()
        for depth in depths(policy):
            found = hits_of(await self._store.query(vector, depth, where), self._store.space)
            async with self._turn():
                screened = chain(screens_of(policy), sub_query, found, policy)
            pins = Sifted(_first_of_each(keys, share, screened.kept), screened.dropped)
            if len(pins.kept) == share * len(keys) or len(found) < depth:
                break
        return pins


def _first_of_each(keys: Sequence[str], share: int, found: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return each entity's hits, up to its share of the places."""
    by_key = [[hit for hit in found if title_key(hit.chunk.title) == key][:share] for key in keys]
    return tuple(hit for hits in by_key for hit in hits)


def _with_drops_of(pins: Sifted, found: Requeried) -> Requeried:
    """Add the drops of chunks that only the search for entities or words met."""
    judged = {drop.chunk_id for drop in found.drops} | {hit.chunk.id for hit in found.survivors}
    more = tuple(drop for drop in pins.dropped if drop.chunk_id not in judged)
    return replace(found, drops=(*found.drops, *more), fetched=found.fetched + len(more))


def _report(sub_query: SubQuery, policy: Policy, found: Requeried, pinned: Sequence[Hit], ms: float) -> Retrieved:
    if not policy.filters:
        return Retrieved(
            sub_query,
            with_confidence(found.survivors, policy),
            rounds=found.rounds,
            fetched=found.fetched,
            stop=found.stop,
            ms=ms,
            best_score=_best(found.survivors),
        )
    pinned_ids = {hit.chunk.id for hit in pinned}
    short = shorten(sub_query, found.survivors, policy, pinned_ids)
    cuttable = [hit for hit in found.survivors if hit.chunk.id not in pinned_ids]
    applied = thresholds(cuttable, policy)
    return Retrieved(
        sub_query,
        _as_ranked(with_confidence(short.hits, policy), found.survivors),
        (*found.drops, *short.dropped),
        rounds=found.rounds,
        fetched=found.fetched,
        stop=found.stop,
        ms=ms,
        best_score=_best(found.survivors),
        dynamic_threshold=applied.dynamic_threshold,
        absolute_min=applied.absolute_min,
        effective_threshold=applied.effective_threshold,
        cut=short.cut,
        pinned=frozenset(pinned_ids & {hit.chunk.id for hit in short.hits}),
        gaps=short.gaps,
    )


def _best(hits: Sequence[Hit]) -> float:
    return max((hit.relevance for hit in hits), default=0.0)


def _as_ranked(hits: Sequence[Hit], survivors: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the remaining hits in the order of the survivors: by distance, unless BM25 or a reranker changed it."""
    place = {hit.chunk.id: number for number, hit in enumerate(survivors)}
    return tuple(sorted(hits, key=lambda hit: place[hit.chunk.id]))
