"""One open collection of Chroma, as a `Store`.

Calls run in threads, a few at a time. Waiting queries that differ only in their vector become one call of chromadb.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import numpy as np

from retrieval.collections.chroma.connect import close_client, mapped
from retrieval.collections.chroma.location import Location, server_of
from retrieval.collections.chroma.rows import Candidate, Nearest, OnRow, Rows, batches, condition, stamp_of
from retrieval.embedding.batching import Coalescer
from retrieval.embedding.protocol import Embedder
from retrieval.errors import StoreError
from retrieval.stores.metadata import Where, listed
from retrieval.stores.metric import Space
from retrieval.stores.store import Stamp, Vectors, checked
from retrieval.types import Chunk

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection as ChromaCollection

    from retrieval.collections.chroma.connect import Client

T = TypeVar("T")

CONCURRENT_CALLS = 4
"""More than the processors: chromadb holds the interpreter for part of a call, and another call searches meanwhile."""
LARGEST_QUERY = 16
"""The most vectors in one call. 256 queries of 20,000 chunks take half the time of single calls; more save nothing."""
PAGE = 1000
"""The rows of a folder in one call; a server has its own limit."""
WRITE_BATCH = 200
"""The chunks in one call. chromadb holds the interpreter while writing: 0.2 s for these, 3 s for 5000, no slower in
all.
"""


class ChromaStore:
    """One open collection. Get it from `open_collection`; close it, or use it as an asynchronous context manager.

    `immutable` promises that nobody writes to it while it is open, so that each chunk is fetched only once. `on_row` is
    called with every decoded row and may reject it.
    """

    def __init__(
        self,
        client: Client,
        collection: ChromaCollection,
        location: Location,
        *,
        immutable: bool = False,
        on_row: OnRow | None = None,
    ) -> None:
        self._client = client
        self._collection = collection
        self._location = location
        self._immutable = immutable
        server = server_of(location)
        self._page = server.page if server else PAGE
        self._most_results = server.page if server else sys.maxsize
        self._rows = Rows(collection, self._page, immutable=immutable, on_row=on_row)
        self._slots = asyncio.Semaphore(CONCURRENT_CALLS)
        self._queries = Coalescer(self._nearest, key=Nearest.kind, lanes=CONCURRENT_CALLS, largest=LARGEST_QUERY)
        self._metadata: Mapping[str, Any] = collection.metadata or {}
        self._dimension = _whole(self._metadata.get("dimension"))
        self._closed = False

    @property
    def name(self) -> str:
        """The collection's name."""
        return self._collection.name

    @property
    def identity(self) -> str:
        """Chroma's globally unique id of this collection."""
        return str(self._collection.id)

    @property
    def space(self) -> Space:
        """The space in which this collection measures."""
        return space_of(self._collection.configuration_json, self._metadata)

    @property
    def model(self) -> str | None:
        """The recorded embedding model; `None` in a foreign collection."""
        model = self._metadata.get("model")
        return None if model is None else str(model)

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` while unknown."""
        return self._dimension

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[Candidate]:
        """Return the nearest chunks; see `Store.query`."""
        self._require_open()
        array = checked(vector, self._dimension)
        if where and not all(map(listed, where.values())):
            return []  # chromadb rejects an empty choice
        found: list[Candidate] = []
        while len(found) < n_results:
            limit = min(n_results - len(found), self._most_results)
            unwanted = frozenset(exclude).union(chunk.id for chunk, _ in found)
            more = await self._without(unwanted, array, limit, where)
            found += more
            if len(more) < limit:
                break
        return found

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids; see `Store.get`."""
        found = await self._ask(partial(self._rows.by_id, ids))
        return [found[id_] for id_ in ids if id_ in found]

    async def ids_where(self, where: Where) -> list[str]:
        """Return the ids of all chunks that meet a condition."""
        if not all(map(listed, where.values())):
            return []  # chromadb rejects an empty choice
        return await self._ask(partial(self._rows.ids_where, where))

    async def scan(self) -> AsyncIterator[Chunk]:
        """Yield every chunk once; see `Store.scan`."""
        async for page in self._pages(["documents", "metadatas"]):
            for chunk in self._rows.chunks(page["ids"], page["documents"], page["metadatas"]):
                yield chunk

    async def scan_with_vectors(self) -> AsyncIterator[tuple[list[Chunk], Vectors]]:
        """Yield every chunk once, page by page, with the stored vectors, shape (n, dimension)."""
        async for page in self._pages(["documents", "metadatas", "embeddings"]):
            if page["ids"]:
                chunks = self._rows.chunks(page["ids"], page["documents"], page["metadatas"])
                yield list(chunks), np.asarray(page["embeddings"], dtype=np.float32)

    @asynccontextmanager
    async def writing(self, embedder: Embedder) -> AsyncIterator[Embedder]:
        """Hold nothing: readers see each write at once; see `Store.writing`."""
        self._require_mutable()
        yield embedder

    async def upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> None:
        """Write chunks, in calls as large as chromadb accepts, then remove others; see `Store.upsert`."""
        self._require_mutable()
        array = checked(vectors, self._dimension, len(chunks))
        if chunks and self._dimension is None:
            await self._record_dimension(array.shape[-1])
        rows = list(zip(chunks, stamps, strict=True))
        size = min(WRITE_BATCH, await self._ask(self._client.get_max_batch_size))
        for start in range(0, len(rows), size):
            part = slice(start, start + size)
            await self._ask(partial(self._rows.write, rows[part], array[part]))
        for ids in batches(remove, self._page):
            await self._ask(partial(self._collection.delete, ids=ids))

    async def count(self) -> int:
        """Return the number of chunks."""
        return await self._ask(self._collection.count)

    async def stamps(self) -> dict[str, Stamp]:
        """Return every stamp; see `Store.stamps`."""
        found: dict[str, Stamp] = {}
        async for page in self._pages(["metadatas"]):
            found |= {id_: stamp_of(flat or {}) for id_, flat in zip(page["ids"], page["metadatas"], strict=True)}
        return found

    async def close(self) -> None:
        """Release the client; other users of the folder in this process are not affected."""
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(close_client, self._client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *details: object) -> None:
        await self.close()

    async def _ask(self, call: Callable[[], T]) -> T:
        self._require_open()
        async with self._slots:
            return await asyncio.to_thread(mapped, self._location, call)

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError(f"collection {self.name!r} is closed")

    def _require_mutable(self) -> None:
        if self._immutable:
            raise StoreError(
                f"collection {self.name!r} is open as one that nobody changes; open it without `immutable`"
            )

    async def _without(
        self, unwanted: frozenset[str], vector: Vectors, n_results: int, where: Where | None
    ) -> list[Candidate]:
        # Ids are not metadata: foreign collections need not repeat them there, and Chroma has its own parameter for
        # them.
        rest = {field: value for field, value in (where or {}).items() if field != "id"}
        if where and "id" in where:
            ids = tuple(sorted(set(map(str, listed(where["id"]))) - unwanted))
            return await self._queries.ask(Nearest(vector, n_results, condition(rest), ids)) if ids else []
        found = await self._queries.ask(Nearest(vector, n_results, condition(where, unwanted)))
        remaining = [pair for pair in found if pair[0].id not in unwanted]
        if len(remaining) < len(found):
            # A foreign collection has no `id` in its metadata, so the condition could not exclude anything.
            wider = await self._queries.ask(Nearest(vector, n_results + len(unwanted), condition(where)))
            remaining = [pair for pair in wider if pair[0].id not in unwanted]
        return remaining[:n_results]

    async def _nearest(self, alike: list[Nearest]) -> list[list[Candidate]]:
        return await self._ask(partial(self._rows.nearest, alike))

    async def _pages(self, include: Sequence[str]) -> AsyncIterator[Mapping[str, Any]]:
        offset = 0
        while True:
            page = await self._ask(partial(self._rows.page, include, offset))
            yield page
            offset += self._page
            if len(page["ids"]) < self._page:
                return

    async def _record_dimension(self, dimension: int) -> None:
        metadata = {**self._metadata, "dimension": dimension}
        # chromadb refuses to be given the space again, even the same one.
        modifiable = {name: value for name, value in metadata.items() if not name.startswith("hnsw:")}
        await self._ask(lambda: self._collection.modify(metadata=modifiable))
        self._metadata, self._dimension = metadata, dimension


def space_of(configuration: Mapping[str, Any], metadata: Mapping[str, Any]) -> Space:
    """Return the space a collection measures in: from its configuration, or from older versions' metadata.

    Chroma's default is squared L2.
    """
    index = configuration.get("hnsw") or configuration.get("spann") or {}
    space = index.get("space") or metadata.get("hnsw:space") or "l2"
    if space not in ("cosine", "l2", "ip"):
        raise StoreError(f"the collection measures in the space {space!r}; cosine, l2 and ip are understood")
    return cast(Space, space)


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None
