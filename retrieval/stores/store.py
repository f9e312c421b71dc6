"""Stores of chunks and their vectors: the protocol of every store, and an exact store in memory.

`MemoryStore` is the oracle for the others and the fake for tests; it is also suitable for a few thousand chunks that
need not outlive the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.protocol import Embedder
from retrieval.errors import EmbeddingError, StoreError
from retrieval.stores.metadata import Scalar, Where, encode, matches
from retrieval.stores.metric import Space
from retrieval.text.normal import Words
from retrieval.types import Chunk

Vectors = NDArray[np.float32]


class Stamp(NamedTuple):
    """Data stored beside a chunk to detect changes at ingestion: its content hash and its origin.

    `root` is the folder or file that was named to `versus ingest`, or the chunk file that declares the source; `""` if
    not recorded.
    """

    content_hash: str
    source: str = ""
    root: str = ""


class Fetched(NamedTuple):
    """Candidates, nearest first, and whether they are all that a query may have."""

    candidates: tuple[tuple[Chunk, float], ...]
    complete: bool


class Store(Protocol):
    """A collection of chunks with vectors, from one embedding model. Every failure is a `StoreError`."""

    @property
    def name(self) -> str:
        """The collection's name."""
        ...

    @property
    def space(self) -> Space:
        """The meaning of `query`'s distances; see `retrieval.stores.metric`."""
        ...

    @property
    def model(self) -> str | None:
        """The embedding model of the vectors; `None` if not recorded."""
        ...

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` while the collection is empty."""
        ...

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        """Return the nearest chunks with their distances in `space`, nearest first, ties by id.

        `vector` has shape (dimension,). Fewer than `n_results` are returned only if there are no more. None of the ids
        in `exclude` is returned.
        """
        ...

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids, in the given order; ids that do not exist are left out."""
        ...

    def scan(self) -> AsyncIterator[Chunk]:
        """Yield every chunk once, page by page, in no particular order."""
        ...

    def writing(self, embedder: Embedder) -> AbstractAsyncContextManager[Embedder]:
        """Hold the collection for a change: nobody else can write, and readers see it only when this ends successfully.

        Yields the embedder to use, which may know vectors of texts embedded before. A store without such transactions
        shows each write to its readers at once. `StoreError` if another writer holds it.
        """
        ...

    async def upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> None:
        """Write chunks with their vectors, shape (n, dimension), replacing equal ids, and remove others.

        Ids to remove that do not exist are no error.
        """
        ...

    async def count(self) -> int:
        """Return the number of chunks."""
        ...

    async def stamps(self) -> dict[str, Stamp]:
        """Return the stamp of every id."""
        ...

    async def close(self) -> None:
        """Release the store's resources; closing twice is no error."""
        ...


@runtime_checkable
class Directed(Protocol):
    """A store that knows the rules of all its chunks, and so finds those eligible for a query directly."""

    async def query_eligible(
        self, vector: Vectors, n_results: int, query: Words, where: Where | None = None
    ) -> Fetched:
        """Return the `n_results` nearest chunks whose rules the query satisfies, with their distances in `space`.

        Look-alikes are added, at most as many: chunks as near that are not eligible. They fail the screens and are
        recorded as drops.
        """
        ...


@runtime_checkable
class KnowsNames(Protocol):
    """A store with the vectors of the names in its tables, so that questions need not embed them."""

    async def name_vectors(self, texts: Sequence[str]) -> Mapping[str, Vectors]:
        """Return the vectors, by the store's model, of those texts that are known names."""
        ...


def require_same_model(store: Store, embedder: Embedder) -> None:
    """Raise `EmbeddingError` if the store's vectors come from another model than the embedder's.

    Comparing vectors of two models raises no error but is meaningless.
    """
    if store.model is not None and store.model != embedder.name:
        raise EmbeddingError(
            f"collection {store.name!r} was made with the embedding model {store.model!r}, not {embedder.name!r}. "
            f"Set the model to {store.model!r}, or ingest into another collection"
        )
    if None not in (store.dimension, embedder.dimension) and store.dimension != embedder.dimension:
        raise EmbeddingError(
            f"collection {store.name!r} holds vectors of {store.dimension} numbers, "
            f"the embedding model {embedder.name!r} makes {embedder.dimension}. Choose the model it was made with"
        )


def checked(vectors: Vectors, dimension: int | None, rows: int | None = None) -> Vectors:
    """Return the vectors as 32-bit floats; `EmbeddingError` if their shape or a number in them is invalid.

    A store would accept a NaN silently and then return arbitrary neighbors.
    """
    array = np.asarray(vectors, dtype=np.float32)
    if rows is not None and array.shape[:1] != (rows,):
        raise EmbeddingError(f"{rows} texts need as many vectors, got an array of shape {array.shape}")
    if dimension is not None and array.size and array.shape[-1] != dimension:
        raise EmbeddingError(f"this collection holds vectors of {dimension} numbers, got {array.shape[-1]}")
    if not np.isfinite(array).all():
        raise EmbeddingError("the embedding model returned a number that is not finite")
    return array


class MemoryStore:
    """An exact store in memory, for tests, oracles and small collections; nothing is written anywhere.

    >>> MemoryStore("rules").space
    'cosine'
    """

    def __init__(self, name: str = "memory", *, space: Space = "cosine", model: str | None = None) -> None:
        self.name = name
        self.space: Space = space
        self.model = model
        self._chunks: dict[str, Chunk] = {}
        self._flat: dict[str, dict[str, Scalar]] = {}
        self._vectors: dict[str, Vectors] = {}
        self._stamps: dict[str, Stamp] = {}
        self._closed = False

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` while the store is empty."""
        return next((len(vector) for vector in self._vectors.values()), None)

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        """Return the nearest chunks; see `Store.query`."""
        self._require_open()
        checked(vector, self.dimension)
        unwanted = frozenset(exclude)
        ids = [id_ for id_, flat in self._flat.items() if id_ not in unwanted and matches(flat, where or {})]
        if not ids:
            return []
        stacked = np.stack([self._vectors[id_] for id_ in ids])
        distances = await asyncio.to_thread(_distances, stacked, vector, self.space)
        nearest = sorted(zip(distances.tolist(), ids, strict=True))[:n_results]
        return [(self._chunks[id_], distance) for distance, id_ in nearest]

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids; see `Store.get`."""
        self._require_open()
        return [self._chunks[id_] for id_ in ids if id_ in self._chunks]

    async def scan(self) -> AsyncIterator[Chunk]:
        """Yield every chunk once; see `Store.scan`."""
        self._require_open()
        for chunk in list(self._chunks.values()):
            yield chunk

    @asynccontextmanager
    async def writing(self, embedder: Embedder) -> AsyncIterator[Embedder]:
        """Hold nothing, as there are no transactions; see `Store.writing`."""
        yield embedder

    async def upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> None:
        """Write and remove chunks; see `Store.upsert`."""
        self._require_open()
        array = checked(vectors, self.dimension, len(chunks))
        for chunk, vector, stamp in zip(chunks, array, stamps, strict=True):
            self._chunks[chunk.id] = chunk
            self._flat[chunk.id] = encode(chunk)
            self._vectors[chunk.id] = vector
            self._stamps[chunk.id] = stamp._replace(source=chunk.source)
        for id_ in self._chunks.keys() & set(remove):
            del self._chunks[id_], self._flat[id_], self._vectors[id_], self._stamps[id_]

    async def count(self) -> int:
        """Return the number of chunks."""
        self._require_open()
        return len(self._chunks)

    async def stamps(self) -> dict[str, Stamp]:
        """Return every stamp; see `Store.stamps`."""
        self._require_open()
        return dict(self._stamps)

    async def close(self) -> None:
        """Refuse all further use."""
        self._closed = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *details: object) -> None:
        await self.close()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError(f"collection {self.name!r} is closed")


def _distances(vectors: Vectors, vector: Vectors, space: Space) -> NDArray[np.float64]:
    """Return distances as Chroma defines them: squared L2, 1 - inner product, 1 - cosine."""
    rows, query = vectors.astype(np.float64), np.asarray(vector, dtype=np.float64)
    if space == "l2":
        return np.asarray(((rows - query) ** 2).sum(axis=1))
    # Row by row, not `rows @ query`: equal vectors then have equal distances, wherever they are stored.
    products = (rows * query).sum(axis=1)
    if space == "ip":
        return np.asarray(1 - products)
    norms = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    return np.asarray(1 - products / np.maximum(norms, 1e-30))
