"""A collection that nobody changes any more is read in a quicker way, with the same results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from retrieval.collections.chroma import ChromaStore, open_collection
from retrieval.embedding.protocol import Embedder
from retrieval.errors import StoreError
from retrieval.stores.metadata import Where
from retrieval.stores.metric import Space
from retrieval.stores.store import Stamp, Vectors
from retrieval.types import Chunk
from tests.retrieval.doubles import BagOfWords
from tests.retrieval.store_contract import DIMENSION, StoreContract, fill, stamp_of, vectors

EMBEDDER = BagOfWords(dimension=DIMENSION)


class Reopened:
    """Writes through one store, and reads through another that is opened after each change, as immutable."""

    def __init__(self, folder: Path, writer: ChromaStore) -> None:
        self._folder, self._writer = folder, writer
        self._reader: ChromaStore | None = None
        self._closed = False

    @property
    def name(self) -> str:
        return self._writer.name

    @property
    def space(self) -> Space:
        return self._writer.space

    @property
    def model(self) -> str | None:
        return self._writer.model

    @property
    def dimension(self) -> int | None:
        return self._writer.dimension

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        return await (await self._read()).query(vector, n_results, where, exclude)

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        return await (await self._read()).get(ids)

    async def scan(self) -> AsyncIterator[Chunk]:
        async for chunk in (await self._read()).scan():
            yield chunk

    @asynccontextmanager
    async def writing(self, embedder: Embedder) -> AsyncIterator[Embedder]:
        async with self._writer.writing(embedder) as inner:
            yield inner

    async def upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> None:
        await self._writer.upsert(chunks, vectors, stamps, remove)
        if self._reader is not None:
            await self._reader.close()
            self._reader = None

    async def count(self) -> int:
        return await (await self._read()).count()

    async def stamps(self) -> dict[str, Stamp]:
        return await (await self._read()).stamps()

    async def close(self) -> None:
        self._closed = True
        await self._writer.close()
        if self._reader is not None:
            await self._reader.close()

    async def _read(self) -> ChromaStore:
        if self._closed:
            return self._writer
        if self._reader is None:
            self._reader = await open_collection(str(self._folder), "rules", immutable=True)
        return self._reader


class TestImmutableChroma(StoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Reopened]:
        store = Reopened(tmp_path, await open_collection(str(tmp_path), "rules", create=True, embedder=EMBEDDER))
        yield store
        await store.close()


async def test_both_ways_of_reading_give_the_same(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True, embedder=EMBEDDER) as mutable:
        await fill(mutable, 80)
        async with await open_collection(str(tmp_path), "rules", immutable=True) as immutable:
            for vector in vectors(5, seed=9):
                for where in (None, {"chunk_type": "row"}):
                    expected = await mutable.query(vector, 12, where, ["c001"])

                    assert expected == await immutable.query(vector, 12, where, ["c001"])


async def test_it_refuses_to_be_changed(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True, embedder=EMBEDDER) as store:
        chunks = await fill(store, 2)
    async with await open_collection(str(tmp_path), "rules", immutable=True) as store:
        with pytest.raises(StoreError, match="without `immutable`"):
            await store.upsert(chunks, vectors(2), [stamp_of(chunk) for chunk in chunks])
        with pytest.raises(StoreError, match="without `immutable`"):
            async with store.writing(EMBEDDER):
                pass
