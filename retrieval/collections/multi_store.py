"""Several collections read as one: a `Store` over open stores, for questions about more than one book.

Every answer equals that of one collection with all the chunks, named as in `retrieval.stores.naming`: the members are
asked concurrently, each for the full number, and their results are merged, nearest first. If a member fails, the whole
query fails with an error that names it: silently missing chunks would look like facts that do not exist.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from copy import copy
from typing import Self, TypeVar, cast

from retrieval.catalogs.catalog import Catalog, merged
from retrieval.catalogs.opening import open_catalog
from retrieval.collections.chroma.location import Location
from retrieval.collections.opening import open_collection
from retrieval.embedding.protocol import Embedder, Progress
from retrieval.errors import CollectionEmpty, EmbeddingError, StoreError
from retrieval.filters.rule import judge
from retrieval.stores.metadata import Where
from retrieval.stores.metric import Space, cosine_distance
from retrieval.stores.naming import Naming, namings
from retrieval.stores.store import Directed, Fetched, KnowsNames, Stamp, Store, Vectors, checked
from retrieval.text.normal import Words
from retrieval.types import Chunk

T = TypeVar("T")
Candidate = tuple[Chunk, float]
_Member = tuple[Naming, Store]


class UnionStore:
    """Open stores with different names, read as one; made by `union_of`. It is read-only.

    Distances are cosine distances, whatever each member's space. Closing it closes all members.
    """

    space: Space = "cosine"

    def __init__(self, stores: Sequence[Store], catalogs: Sequence[Catalog]) -> None:
        _require_comparable(stores)
        by_name = {store.name: catalog for store, catalog in zip(stores, catalogs, strict=True)}
        self.name = ",".join(by_name)
        self.catalog = merged(by_name)
        self._catalogs = by_name
        names = namings({name: catalog.sources for name, catalog in by_name.items()})
        self._members: list[_Member] = list(zip(names, stores, strict=True))

    @property
    def model(self) -> str | None:
        """The embedding model of the members; `None` if not recorded."""
        return next((store.model for _, store in self._members if store.model is not None), None)

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` while all members are empty."""
        return next((store.dimension for _, store in self._members if store.dimension is not None), None)

    @property
    def members(self) -> Sequence[_Member]:
        """The open stores, each with the names of its chunks here."""
        return self._members

    def only(self, name: str) -> Self:
        """Return one member alone, its chunks named as in the union; `StoreError` if there is none of that name.

        It shares the open store, so it must not be closed.
        """
        if name not in self._catalogs:
            raise StoreError(f"no collection {name!r} is open here; there are {self.name}")
        view = copy(self)
        view.name, view.catalog = name, merged({name: self._catalogs[name]})
        view._catalogs = {name: self._catalogs[name]}
        view._members = [member for member in self._members if member[0].collection == name]
        return view

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[Candidate]:
        """Return the nearest chunks; see `Store.query`."""
        checked(vector, self.dimension)

        async def nearest(member: _Member) -> list[Candidate]:
            naming, store = member
            found = await store.query(vector, n_results, naming.own_where(where), naming.own_ids(exclude))
            return _prefixed(found, naming, store.space)

        return _ranked(await self._all(nearest))[:n_results]

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids; see `Store.get`."""

        async def some(member: _Member) -> list[Chunk]:
            naming, store = member
            return [naming.chunk(chunk) for chunk in await store.get(naming.own_ids(ids))]

        found = {chunk.id: chunk for chunks in await self._all(some) for chunk in chunks}
        return [found[id_] for id_ in ids if id_ in found]

    async def scan(self) -> AsyncIterator[Chunk]:
        """Yield every chunk once; see `Store.scan`."""
        for naming, store in self._members:
            try:
                async for chunk in store.scan():
                    yield naming.chunk(chunk)
            except StoreError as error:
                raise _blamed(naming, error) from error

    def writing(self, embedder: Embedder) -> AbstractAsyncContextManager[Embedder]:
        """Raise `StoreError`: a change must name its collection."""
        raise self._read_only()

    async def upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> None:
        """Raise `StoreError`: a change must name its collection."""
        raise self._read_only()

    async def count(self) -> int:
        """Return the number of chunks."""
        return sum(await self._all(lambda member: member[1].count()))

    async def stamps(self) -> dict[str, Stamp]:
        """Return every stamp; see `Store.stamps`."""

        async def some(member: _Member) -> dict[str, Stamp]:
            naming, store = member
            stamps = (await store.stamps()).items()
            return {naming.id(id_): stamp._replace(source=naming.source(stamp.source)) for id_, stamp in stamps}

        return {id_: stamp for stamps in await self._all(some) for id_, stamp in stamps.items()}

    async def name_vectors(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of those texts that some member knows; see `KnowsNames.name_vectors`."""
        found: dict[str, Vectors] = {}
        for _, store in self._members:
            if isinstance(store, KnowsNames):
                found |= await store.name_vectors([text for text in texts if text not in found])
        return found

    async def close(self) -> None:
        """Close all members, also after one fails to close."""
        async with AsyncExitStack() as closing:
            for _, store in self._members:
                closing.push_async_callback(store.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *details: object) -> None:
        await self.close()

    async def _all(self, ask: Callable[[_Member], Awaitable[T]]) -> list[T]:
        """Ask all members concurrently. After all are done, raise the first failure, which names its member."""

        async def one(member: _Member) -> T:
            try:
                return await ask(member)
            except StoreError as error:
                raise _blamed(member[0], error) from error

        results = await asyncio.gather(*map(one, self._members), return_exceptions=True)
        failures = [each for each in results if isinstance(each, BaseException)]
        if failures:
            raise failures[0]
        return cast("list[T]", results)

    def _read_only(self) -> StoreError:
        return StoreError(f"the collections {self.name} are open together, for reading; open the one to write to alone")


class DirectedUnionStore(UnionStore):
    """A union of stores that are all `Directed`, which is `Directed` itself."""

    async def query_eligible(
        self, vector: Vectors, n_results: int, query: Words, where: Where | None = None
    ) -> Fetched:
        """Return the nearest chunks that the query may have, by their rules; see `Directed.query_eligible`.

        The nearest eligible chunks of all are among the nearest of each member. The same holds for the look-alikes: a
        member cuts them off behind its own farthest chunk, which is no nearer than the farthest one here.
        """
        checked(vector, self.dimension)

        async def nearest(member: _Member) -> Fetched:
            naming, store = member
            found = await cast(Directed, store).query_eligible(vector, n_results, query, naming.own_where(where))
            return found._replace(candidates=tuple(_prefixed(found.candidates, naming, store.space)))

        fetched = await self._all(nearest)
        ranked = _ranked(one.candidates for one in fetched)
        may = [bool(judge(query, chunk.query_must)) for chunk, _ in ranked]
        near = [pair for pair, allowed in zip(ranked, may, strict=True) if allowed]
        like = [pair for pair, allowed in zip(ranked, may, strict=True) if not allowed][:n_results]
        complete = all(one.complete for one in fetched) and len(near) <= n_results
        near = near[:n_results]
        # A look-alike farther than all eligible chunks crowded out none of them.
        reach = near[-1][1] if near and not complete else float("inf")
        return Fetched(tuple(_ranked([near, [pair for pair in like if pair[1] <= reach]])), complete)


def union_of(stores: Sequence[Store], catalogs: Sequence[Catalog]) -> UnionStore:
    """Return open stores, each with its catalog, as one; `Directed` if all are.

    The stores have different names without a colon. Raises `EmbeddingError` if their vectors can't be compared.
    """
    directed = all(isinstance(store, Directed) for store in stores)
    return (DirectedUnionStore if directed else UnionStore)(stores, catalogs)


async def open_collections(
    location: Location, names: Sequence[str], *, embedder: Embedder | None = None, on_progress: Progress | None = None
) -> Store:
    """Open a collection, or several as one; if one can't be opened, the others are closed.

    Raises what `open_collection` does, `CollectionEmpty` for one without chunks, and `EmbeddingError` if the vectors of
    two can't be compared. `on_progress` is called while the catalog of a foreign one is read; see `open_catalog`.

    >>> store = await open_collections("data/chroma", ["rules", "monsters"], embedder=embedder)  # doctest: +SKIP
    """
    async with AsyncExitStack() as opened:
        stores = []
        for name in names:
            stores.append(await open_collection(location, name, embedder=embedder))
            opened.push_async_callback(stores[-1].close)
        store = stores[0]
        if len(stores) > 1:
            store = union_of(stores, [await open_catalog(each, on_progress=on_progress) for each in stores])
        for each in stores:
            if await each.count() == 0:
                raise CollectionEmpty(each.name)
        opened.pop_all()
        return store


def _require_comparable(stores: Sequence[Store]) -> None:
    """Raise `EmbeddingError` if a store's vectors differ in model or length from those of the ones before it."""
    for what, values in (
        ("the embedding model", [(store.name, store.model) for store in stores]),
        ("vectors of length", [(store.name, store.dimension) for store in stores]),
    ):
        known = [(name, value) for name, value in values if value is not None]
        for name, value in known[1:]:
            if value != known[0][1]:
                raise EmbeddingError(
                    f"collection {name!r} has {what} {value!r}, and {known[0][0]!r} has {known[0][1]!r}, "
                    "so they can't be asked together; ask one, or ingest one of them again with the other's model"
                )


def _blamed(naming: Naming, error: StoreError) -> StoreError:
    return StoreError(f"collection {naming.collection!r}: {error}")


def _prefixed(found: Iterable[Candidate], naming: Naming, space: Space) -> list[Candidate]:
    return [(naming.chunk(chunk), cosine_distance(distance, space)) for chunk, distance in found]


def _ranked(found: Iterable[Iterable[Candidate]]) -> list[Candidate]:
    """Return all candidates, nearest first, ties by id."""
    return sorted((pair for pairs in found for pair in pairs), key=lambda pair: (pair[1], pair[0].id))
