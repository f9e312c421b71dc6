"""Collections by name: open one, list them, delete one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from retrieval.collections.chroma.connect import HNSW, acquire, close_client, connect, mapped
from retrieval.collections.chroma.location import Location
from retrieval.collections.chroma.store import ChromaStore
from retrieval.embedding.protocol import Embedder, Progress
from retrieval.errors import CollectionNotFound, EmbeddingError
from retrieval.stores.store import require_same_model

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

    from retrieval.collections.chroma.connect import Client

NAMES_PAGE = 100
"""The names requested in one call; servers may limit a request for all."""


async def open_collection(
    location: Location, name: str, *, create: bool = False, embedder: Embedder | None = None, immutable: bool = False
) -> ChromaStore:
    """Open a collection in a folder, at an http(s) address, or on a `ChromaServer`.

    With `create` it is created if missing, in cosine space, and records the embedder's model. `immutable` promises that
    nobody will change it; see `ChromaStore`. Raises `CollectionNotFound`, `EmbeddingError` if `embedder` is not the one
    it was made with, and `StoreError`. If cancelled, it leaves no client open.

    >>> store = await open_collection("data/chroma", "rules", embedder=embedder)  # doctest: +SKIP
    """
    client, collection = await acquire(
        lambda: mapped(location, lambda: _open(location, name, create, embedder)), lambda pair: close_client(pair[0])
    )
    store = ChromaStore(client, collection, location, immutable=immutable)
    try:
        if embedder is not None:
            require_same_model(store, embedder)
    except EmbeddingError:
        await store.close()
        raise
    return store


async def list_collections(location: Location) -> tuple[str, ...]:
    """Return the names of the collections there, sorted; empty if the folder does not exist."""

    def names() -> tuple[str, ...]:
        with _client(location) as client:
            return () if client is None else _names(client)

    return await asyncio.to_thread(mapped, location, names)


async def delete_collection(location: Location, name: str) -> None:
    """Delete a collection and all its chunks; `CollectionNotFound` if there is none."""

    def delete() -> None:
        with _client(location) as client:
            if client is None or name not in _names(client):
                raise CollectionNotFound(name, () if client is None else _names(client))
            client.delete_collection(name)

    await asyncio.to_thread(mapped, location, delete)


class Server:
    """The collections of a server; a `retrieval.collections.places.Place`."""

    def __init__(self, location: Location) -> None:
        self._location = location

    async def open(
        self, name: str, *, create: bool, embedder: Embedder | None, on_progress: Progress | None
    ) -> ChromaStore:
        """Open one; a server builds no index at opening, so there is no progress to report."""
        return await open_collection(self._location, name, create=create, embedder=embedder)

    async def names(self) -> tuple[str, ...]:
        """Return their names, sorted."""
        return await list_collections(self._location)

    async def delete(self, name: str) -> None:
        """Delete one."""
        await delete_collection(self._location, name)


def _open(location: Location, name: str, create: bool, embedder: Embedder | None) -> tuple[Client, Collection]:
    client = connect(location, create)
    if client is None:
        raise CollectionNotFound(name, ())
    try:
        return client, _collection(client, name, create, embedder)
    except BaseException:
        close_client(client)
        raise


def _collection(client: Client, name: str, create: bool, embedder: Embedder | None) -> Collection:
    from chromadb.errors import NotFoundError

    try:
        return client.get_collection(name, embedding_function=None)
    except NotFoundError:
        if not create:
            raise CollectionNotFound(name, _names(client)) from None
    metadata: dict[str, str | int] = {} if embedder is None else {"model": embedder.name}
    if embedder is not None and embedder.dimension is not None:
        metadata["dimension"] = embedder.dimension
    return client.create_collection(
        name,
        configuration=cast(Any, {"hnsw": HNSW}),
        metadata=metadata or None,
        embedding_function=None,
        get_or_create=True,
    )


@contextmanager
def _client(location: Location) -> Iterator[Client | None]:
    client = connect(location, create=False)
    try:
        yield client
    finally:
        if client is not None:
            close_client(client)


def _names(client: Client) -> tuple[str, ...]:
    names: list[str] = []
    while len(page := client.list_collections(NAMES_PAGE, len(names))) == NAMES_PAGE:
        names += [collection.name for collection in page]
    return tuple(sorted([*names, *(collection.name for collection in page)]))
