"""Plain Chroma collections, which others made, become local ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from retrieval.collections import chroma
from retrieval.collections.chroma import Location
from retrieval.collections.local.store import LocalStore
from retrieval.collections.opening import has_collection, list_collections, open_collection
from retrieval.errors import EmbeddingError
from tests.retrieval.doubles import BagOfWords
from tests.retrieval.store_contract import DIMENSION, fill


@pytest.mark.slow
async def test_a_plain_collection_is_taken_over_once_however_many_want_to(tmp_path: Path) -> None:
    embedder = BagOfWords(dimension=DIMENSION)
    async with await chroma.open_collection(str(tmp_path), "rules", create=True, embedder=embedder) as plain:
        chunks = await fill(plain, 30)

    wanted = (open_collection(str(tmp_path), "rules", create=True, embedder=embedder) for _ in range(3))
    stores = await asyncio.gather(*wanted, return_exceptions=True)
    for store in stores:
        if isinstance(store, BaseException):
            assert "another process is taking over a collection" in str(store)
        else:
            assert {chunk.id for chunk in chunks} == set(await store.stamps())
            await store.close()
    assert any(isinstance(store, LocalStore) for store in stores)
    assert [] == [*tmp_path.glob(".*.adopting")]


async def test_vectors_of_another_length_are_not_taken_over(tmp_path: Path) -> None:
    async with await chroma.open_collection(str(tmp_path), "rules", create=True) as plain:
        await fill(plain, 3)

    with pytest.raises(EmbeddingError, match="holds vectors of 8 numbers"):
        await open_collection(str(tmp_path), "rules", create=True, embedder=BagOfWords(dimension=16))
    async with await chroma.open_collection(str(tmp_path), "rules") as plain:
        assert 3 == await plain.count()
    assert ("rules",) == await list_collections(str(tmp_path))


async def test_it_is_known_whether_there_is_a_collection_of_any_sort(tmp_path: Path, chroma_server: str) -> None:
    async def made(location: Location, plain: bool) -> tuple[bool, bool]:
        before = await has_collection(location, "known")
        opened = chroma.open_collection if plain else open_collection
        await (await opened(location, "known", create=True, embedder=BagOfWords())).close()
        return before, await has_collection(location, "known")

    assert (False, True) == await made(str(tmp_path / "kept"), plain=False)
    assert (False, True) == await made(str(tmp_path / "plain"), plain=True)
    assert (False, True) == await made(chroma_server, plain=True)
