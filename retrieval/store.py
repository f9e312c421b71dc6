"""Where chunks and their vectors live: the protocol every store keeps, and an exact one in memory.

`MemoryStore` is the oracle the others are compared with, and the fake for tests; it is also a fair choice for a few
thousand chunks that need not outlive the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.embed import Embedder
from retrieval.errors import EmbeddingError, StoreError
from retrieval.metadata import Scalar, Where, encode, matches
from retrieval.space import Space
from retrieval.types import Chunk

Vectors = NDArray[np.float32]


class Store(Protocol):
    """A collection of chunks with vectors, from one embedding model. Every failure is a `StoreError`."""

    @property
    def name(self) -> str:
        """The collection's name."""
        ...

    @property
    def space(self) -> Space:
        """What `query`'s distances mean; see `retrieval.space`."""
        ...

    @property
    def model(self) -> str | None:
        """The embedding model that the vectors came from; `None` when nobody recorded it."""
        ...

    @property
    def dimension(self) -> int | None:
        """How long the vectors are; `None` while the collection is empty."""
        ...

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        """Return the nearest chunks with their distances in `space`, nearest first, equal ones by id.

        `vector` has shape (dimension,). Fewer than `n_results` come back only when there are no more. None of the
        ids in `exclude` comes back.
        """
        ...

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids, in the order asked; ids that do not exist are left out."""
        ...

    def scan(self) -> AsyncIterator[Chunk]:
        """Yield every chunk once, page by page, in no particular order."""
        ...

    async def upsert(self, chunks: Sequence[Chunk], vectors: Vectors, hashes: Sequence[str]) -> None:
        """Write chunks with their vectors, shape (n, dimension), and content hashes, replacing equal ids."""
        ...

    async def delete(self, ids: Collection[str]) -> None:
        """Remove these ids; those that do not exist are no error."""
        ...

    async def count(self) -> int:
        """Return how many chunks there are."""
        ...

    async def hashes(self, source: str | None = None) -> dict[str, str]:
        """Return the content hash of every id, or of those from one source; `""` where none was recorded."""
        ...

    async def close(self) -> None:
        """Release what the store holds; closing twice is no error."""
        ...


def require_same_model(store: Store, embedder: Embedder) -> None:
    """Raise `EmbeddingError` when the store's vectors come from another model than the embedder's.

    Vectors of two models can be compared without an error, and mean nothing.
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
    """Return the vectors as 32-bit floats, or raise `EmbeddingError` when their shape or a number in them is wrong.

    A store would take a NaN without a word and then return arbitrary neighbours.
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
        self._hashes: dict[str, str] = {}
        self._closed = False

    @property
    def dimension(self) -> int | None:
        """How long the vectors are; `None` while the store is empty."""
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

    async def upsert(self, chunks: Sequence[Chunk], vectors: Vectors, hashes: Sequence[str]) -> None:
        """Write chunks; see `Store.upsert`."""
        self._require_open()
        array = checked(vectors, self.dimension, len(chunks))
        for chunk, vector, content_hash in zip(chunks, array, hashes, strict=True):
            self._chunks[chunk.id] = chunk
            self._flat[chunk.id] = encode(chunk)
            self._vectors[chunk.id] = vector
            self._hashes[chunk.id] = content_hash

    async def delete(self, ids: Collection[str]) -> None:
        """Remove these ids; see `Store.delete`."""
        self._require_open()
        for id_ in self._chunks.keys() & set(ids):
            del self._chunks[id_], self._flat[id_], self._vectors[id_], self._hashes[id_]

    async def count(self) -> int:
        """Return how many chunks there are."""
        self._require_open()
        return len(self._chunks)

    async def hashes(self, source: str | None = None) -> dict[str, str]:
        """Return the content hashes; see `Store.hashes`."""
        self._require_open()
        return {id_: h for id_, h in self._hashes.items() if source is None or self._chunks[id_].source == source}

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
    """Distances as Chroma defines them: squared L2, 1 - inner product, 1 - cosine."""
    rows, query = vectors.astype(np.float64), np.asarray(vector, dtype=np.float64)
    if space == "l2":
        return np.asarray(((rows - query) ** 2).sum(axis=1))
    # Row by row, not `rows @ query`: equal vectors then have equal distances, wherever they stand.
    products = (rows * query).sum(axis=1)
    if space == "ip":
        return np.asarray(1 - products)
    norms = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    return np.asarray(1 - products / np.maximum(norms, 1e-30))
