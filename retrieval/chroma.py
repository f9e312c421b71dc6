"""Chroma behind the `Store` protocol, embedded in a folder or as a server; the only importer of chromadb.

All calls run in threads, a few at a time: the asynchronous client of chromadb offers less than the synchronous one.
What chromadb raises becomes a `StoreError` here, at the border. Opening for reading never creates anything on disk.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from retrieval.embed import Embedder
from retrieval.errors import CollectionNotFound, EmbeddingError, RetrievalError, StoreError
from retrieval.metadata import Where, decode, encode_afresh, listed, slots
from retrieval.space import Space
from retrieval.store import Vectors, checked, require_same_model
from retrieval.types import Chunk

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as ChromaCollection

log = logging.getLogger(__name__)
T = TypeVar("T")

CONCURRENT_CALLS = 4
PAGE = 1000
DECODED = 50_000  # chunks that a store remembers in decoded form
WRITE_BATCH = 200
"""Chunks a call. chromadb holds the interpreter while it writes: 0.2 s for these, 3 s for 5000, no slower in all."""
PATIENCE = 60.0
"""Seconds that a server may take for one answer."""
# Recall of the approximate index; chromadb's own defaults (100, 100, 16) miss near duplicates in big collections.
HNSW = {"space": "cosine", "ef_construction": 200, "ef_search": 400, "max_neighbors": 32}

# chromadb keeps one system a folder for the whole process and creates it without a lock of its own.
_OPENING = threading.Lock()


class ChromaStore:
    """One open collection. Get it from `open_collection`; close it, or use it as an asynchronous context manager."""

    def __init__(self, client: ClientAPI, collection: ChromaCollection, location: str) -> None:
        self._client = client
        self._collection = collection
        self._location = location
        self._slots = asyncio.Semaphore(CONCURRENT_CALLS)
        self._metadata: Mapping[str, Any] = collection.metadata or {}
        self._dimension = _whole(self._metadata.get("dimension"))
        self._warned: set[str] = set()
        # By content hash, so that what another process rewrites is decoded anew.
        self._decoded: dict[tuple[str, str], Chunk] = {}
        self._closed = False

    @property
    def name(self) -> str:
        """The collection's name."""
        return self._collection.name

    @property
    def space(self) -> Space:
        """The space in which this collection really measures."""
        return space_of(self._collection.configuration_json, self._metadata)

    @property
    def model(self) -> str | None:
        """The recorded embedding model; `None` in a collection that others made."""
        model = self._metadata.get("model")
        return None if model is None else str(model)

    @property
    def dimension(self) -> int | None:
        """How long the vectors are; `None` while that is not known."""
        return self._dimension

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        """Return the nearest chunks; see `Store.query`."""
        checked(vector, self._dimension)
        if where and not all(map(listed, where.values())):
            return []  # chromadb refuses an empty choice
        unwanted = frozenset(exclude)
        found = await self._ask(lambda: self._nearest(vector, n_results, condition(where, unwanted)))
        kept = [pair for pair in found if pair[0].id not in unwanted]
        if len(kept) < len(found):
            # A collection of others has no `id` in its metadata, so the condition could not exclude anything.
            wider = await self._ask(lambda: self._nearest(vector, n_results + len(unwanted), condition(where)))
            kept = [pair for pair in wider if pair[0].id not in unwanted]
        return kept[:n_results]

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids; see `Store.get`."""
        found: dict[str, Chunk] = {}
        for part in _batches(ids, PAGE):
            page = await self._ask(partial(self._by_id, part))
            found |= {chunk.id: chunk for chunk in self._chunks(page)}
        return [found[id_] for id_ in ids if id_ in found]

    async def scan(self) -> AsyncIterator[Chunk]:
        """Yield every chunk once; see `Store.scan`."""
        async for page in self._pages(None, ["metadatas", "documents"]):
            for chunk in self._chunks(page):
                yield chunk

    async def upsert(self, chunks: Sequence[Chunk], vectors: Vectors, hashes: Sequence[str]) -> None:
        """Write chunks, in calls as large as chromadb takes them; see `Store.upsert`."""
        array = checked(vectors, self._dimension, len(chunks))
        if chunks and self._dimension is None:
            await self._record_dimension(array.shape[-1])
        rows = list(zip(chunks, hashes, strict=True))
        size = min(WRITE_BATCH, await self._ask(self._client.get_max_batch_size))
        for start in range(0, len(rows), size):
            part = slice(start, start + size)
            await self._ask(partial(self._write, rows[part], array[part]))

    async def delete(self, ids: Collection[str]) -> None:
        """Remove these ids; see `Store.delete`."""
        for part in _batches(ids, PAGE):
            await self._ask(partial(self._collection.delete, ids=part))

    async def count(self) -> int:
        """Return how many chunks there are."""
        return await self._ask(self._collection.count)

    async def hashes(self, source: str | None = None) -> dict[str, str]:
        """Return the content hashes; see `Store.hashes`."""
        found: dict[str, str] = {}
        async for page in self._pages(None if source is None else {"source": source}, ["metadatas"]):
            for id_, flat in zip(page["ids"], page["metadatas"], strict=True):
                found[id_] = str((flat or {}).get("content_hash", ""))
        return found

    async def close(self) -> None:
        """Release the client; others in this process that use the same folder go on undisturbed."""
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(_close, self._client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *details: object) -> None:
        await self.close()

    async def _ask(self, call: Callable[[], T]) -> T:
        if self._closed:
            raise StoreError(f"collection {self.name!r} is closed")
        async with self._slots:
            return await asyncio.to_thread(_mapped, self._location, call)

    async def _pages(self, where: Where | None, include: list[str]) -> AsyncIterator[Mapping[str, Any]]:
        offset = 0
        while True:
            page = await self._ask(partial(self._page, where, include, offset))
            yield page
            offset += PAGE
            if len(page["ids"]) < PAGE:
                return

    def _by_id(self, ids: list[str]) -> Mapping[str, Any]:
        return cast(Mapping[str, Any], self._collection.get(ids=cast(Any, ids), include=["metadatas", "documents"]))

    def _page(self, where: Where | None, include: list[str], offset: int) -> Mapping[str, Any]:
        chroma_where = cast(Any, condition(where))
        return cast(
            Mapping[str, Any],
            self._collection.get(where=chroma_where, limit=PAGE, offset=offset, include=cast(Any, include)),
        )

    def _nearest(self, vector: Vectors, n_results: int, where: Mapping[str, Any] | None) -> list[tuple[Chunk, float]]:
        found = self._collection.query(
            query_embeddings=cast(Any, vector),
            n_results=n_results,
            where=cast(Any, where),
            include=["metadatas", "documents", "distances"],
        )
        page = {name: (cast(Any, found)[name] or [[]])[0] for name in ("ids", "documents", "metadatas")}
        distances = (found["distances"] or [[]])[0]
        pairs = zip(self._chunks(page), map(float, distances), strict=True)
        return sorted(pairs, key=lambda pair: (pair[1], pair[0].id))

    def _chunks(self, page: Mapping[str, Any]) -> Iterator[Chunk]:
        for id_, text, flat in zip(page["ids"], page["documents"], page["metadatas"], strict=True):
            digest = str((flat or {}).get("content_hash", ""))
            chunk = self._decoded.get((id_, digest)) or self._decode(id_, text, flat)
            if digest and len(self._decoded) < DECODED:
                self._decoded[id_, digest] = chunk
            yield chunk

    def _decode(self, id_: str, text: str | None, flat: Mapping[str, Any] | None) -> Chunk:
        chunk, odd = decode(id_, text, flat)
        if odd and id_ not in self._warned:
            self._warned.add(id_)
            log.warning("collection %s: %s", self.name, "; ".join(odd))
        return chunk

    def _write(self, rows: Sequence[tuple[Chunk, str]], vectors: Vectors) -> None:
        self._collection.upsert(
            ids=[chunk.id for chunk, _ in rows],
            embeddings=cast(Any, vectors),
            documents=[chunk.text for chunk, _ in rows],
            metadatas=cast(Any, [encode_afresh(chunk) | {"content_hash": digest} for chunk, digest in rows]),
        )

    async def _record_dimension(self, dimension: int) -> None:
        metadata = {**self._metadata, "dimension": dimension}
        # chromadb refuses to be told the space again, even the same one.
        told = {name: value for name, value in metadata.items() if not name.startswith("hnsw:")}
        await self._ask(lambda: self._collection.modify(metadata=told))
        self._metadata, self._dimension = metadata, dimension


async def open_collection(
    location: str, name: str, *, create: bool = False, embedder: Embedder | None = None, patience: float = PATIENCE
) -> ChromaStore:
    """Open a collection in a folder, or on the server when `location` is an http(s) URL.

    With `create` it is made when missing, in cosine space, and records the embedder's model. Raises
    `CollectionNotFound`, `EmbeddingError` when `embedder` is not the one it was made with, and `StoreError`.
    `patience` is how many seconds a server may take for one answer.

    >>> store = await open_collection("data/chroma", "rules", embedder=embedder)  # doctest: +SKIP
    """
    store = await asyncio.to_thread(_mapped, location, lambda: _open(location, name, create, embedder, patience))
    try:
        if embedder is not None:
            require_same_model(store, embedder)
    except EmbeddingError:
        await store.close()
        raise
    return store


async def list_collections(location: str) -> tuple[str, ...]:
    """Return the names of the collections there, sorted; none when the folder does not exist."""

    def names() -> tuple[str, ...]:
        with _client(location) as client:
            return () if client is None else _names(client)

    return await asyncio.to_thread(_mapped, location, names)


async def delete_collection(location: str, name: str) -> None:
    """Delete a collection and all its chunks; `CollectionNotFound` when there is none."""

    def delete() -> None:
        with _client(location) as client:
            if client is None or name not in _names(client):
                raise CollectionNotFound(name, () if client is None else _names(client))
            client.delete_collection(name)

    await asyncio.to_thread(_mapped, location, delete)


def condition(where: Where | None, exclude: Collection[str] = ()) -> dict[str, Any] | None:
    """Return a `Where` and excluded ids as Chroma's `where`; `None` when there is nothing to say.

    >>> condition({"chunk_type": ["row"], "title_key": "fighter"})
    {'$and': [{'chunk_type': {'$in': ['row']}}, {'title_key': {'$in': ['fighter']}}]}
    """
    parts: list[dict[str, Any]] = []
    for field, value in (where or {}).items():
        options = [{slot: {"$in": listed(value)}} for slot in slots(field)]
        parts.append(options[0] if len(options) == 1 else {"$or": options})
    if exclude:
        parts.append({"id": {"$nin": sorted(exclude)}})
    return {"$and": parts} if len(parts) > 1 else parts[0] if parts else None


def space_of(configuration: Mapping[str, Any], metadata: Mapping[str, Any]) -> Space:
    """Return the space a collection measures in: from its configuration, or as older versions noted it.

    Chroma measures in squared L2 when nobody said otherwise.
    """
    index = configuration.get("hnsw") or configuration.get("spann") or {}
    space = index.get("space") or metadata.get("hnsw:space") or "l2"
    if space not in ("cosine", "l2", "ip"):
        raise StoreError(f"the collection measures in the space {space!r}; cosine, l2 and ip are understood")
    return cast(Space, space)


def _open(location: str, name: str, create: bool, embedder: Embedder | None, patience: float) -> ChromaStore:
    client = _connect(location, create, patience)
    if client is None:
        raise CollectionNotFound(name, ())
    try:
        return ChromaStore(client, _collection(client, name, create, embedder), location)
    except BaseException:
        _close(client)
        raise


def _collection(client: ClientAPI, name: str, create: bool, embedder: Embedder | None) -> ChromaCollection:
    names = _names(client)
    if name in names:
        return client.get_collection(name, embedding_function=None)
    if not create:
        raise CollectionNotFound(name, names)
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
def _client(location: str) -> Iterator[ClientAPI | None]:
    client = _connect(location, create=False, patience=PATIENCE)
    try:
        yield client
    finally:
        if client is not None:
            _close(client)


def _connect(location: str, create: bool, patience: float) -> ClientAPI | None:
    """Return a client; `None` for a folder that holds no database and must not be made into one."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg]
    if location.startswith(("http://", "https://")):
        return _server(location, settings, patience)
    # The process-wide cache goes by the string, so one folder must always be spelled in one way.
    folder = Path(location).expanduser().resolve()
    if not create and not (folder / "chroma.sqlite3").is_file():
        return None
    with _OPENING:
        return chromadb.PersistentClient(str(folder), settings=settings)


def _server(location: str, settings: Any, patience: float) -> ClientAPI:
    import chromadb
    import httpx

    url = httpx.URL(location)
    # chromadb's own client waits forever for a server that accepts and says nothing.
    httpx.get(url.join("/api/v2/heartbeat"), timeout=patience).raise_for_status()
    port = url.port or (443 if url.scheme == "https" else 8000)
    client = chromadb.HttpClient(url.host, port, ssl=url.scheme == "https", settings=settings)
    session = getattr(getattr(client, "_server", None), "_session", None)
    if isinstance(session, httpx.Client):
        session.timeout = httpx.Timeout(patience)
    return client


def _close(client: ClientAPI) -> None:
    with _OPENING:
        cast(Any, client).close()


def _names(client: ClientAPI) -> tuple[str, ...]:
    return tuple(sorted(collection.name for collection in client.list_collections()))


def _mapped(location: str, call: Callable[[], T]) -> T:
    """Run a call of chromadb; whatever it raises, which may be a plain `Exception`, becomes a `StoreError`."""
    try:
        return call()
    except RetrievalError:
        raise
    except Exception as error:
        raise StoreError(_advice(location, error)) from error


def _advice(location: str, error: Exception) -> str:
    import httpx
    from chromadb.errors import NotFoundError

    said = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, httpx.TransportError):
        return f"no Chroma server answers at {location} ({said}); start one with: chroma run --path data/chroma"
    if isinstance(error, NotFoundError):
        return f"the collection at {location} is gone ({said}); ingest again"
    return f"the vector store at {location} failed: {said}"


def _batches(ids: Iterable[str], size: int) -> Iterator[list[str]]:
    remaining = iter(dict.fromkeys(ids))
    while batch := list(islice(remaining, size)):
        yield batch


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None
