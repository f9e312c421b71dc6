"""The vectors of the names in a collection's tables: kept at ingestion, known to questions, and never missed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrieval.collections.local.build import build
from retrieval.collections.local.name_vectors import NAMES, NameVectors
from retrieval.collections.local.store import LocalStore, open_local
from retrieval.collections.multi_store import union_of
from retrieval.embedding.known import KnowingEmbedder
from retrieval.embedding.protocol import Embedder
from retrieval.errors import EmbeddingError
from retrieval.ingest.index import Indexed, index
from retrieval.stores.store import Vectors
from retrieval.types import Chunk, Table
from tests.retrieval.doubles import BagOfWords


def boats(*rows: str) -> Chunk:
    table = Table("Boats", (("Boat",), ("Crew",)), tuple((row, "4") for row in rows))
    return Chunk("b", "The boats of the harbour.", "Boats", "boats.md", tables=(table,))


class Watched:
    """An embedder that notes what it is asked for; it fails if one of the texts is `broken`."""

    def __init__(self, broken: str = "") -> None:
        self._inner, self._broken = BagOfWords(), broken
        self.name, self.dimension = self._inner.name, self._inner.dimension
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if self._broken in texts:
            raise EmbeddingError("the model is busy")
        self.asked += texts
        return await self._inner.embed(texts)


async def kept(folder: Path) -> LocalStore:
    async def build_here(folder: Path) -> None:
        await asyncio.to_thread(build, folder)

    return await open_local(folder, model=BagOfWords().name, build=build_here)


async def ingested(store: LocalStore, chunk: Chunk, embedder: Embedder) -> Indexed:
    return await index([chunk], store, embedder, sources={"boats.md": "boats.md"})


async def test_headers_and_rows_are_embedded_at_ingestion_and_only_the_question_when_it_is_asked(
    tmp_path: Path,
) -> None:
    watched = Watched()
    async with await kept(tmp_path / "boats") as store:
        report = await ingested(store, boats("Kite", "Rush", "Wren"), watched)
        assert report.embedded == 1, "the report counts chunks"
        assert set(watched.asked) >= {"Boat", "Crew", "Kite", "Rush", "Wren"}
    watched.asked.clear()
    async with await kept(tmp_path / "boats") as store:
        texts = ["how many sail the Kite?", "Crew", "Kite"]
        vectors = await KnowingEmbedder(watched, store.name_vectors).embed(texts)
    assert watched.asked == texts[:1]
    assert np.array_equal(vectors, await BagOfWords().embed(texts))


async def test_a_later_ingestion_embeds_the_new_names_alone(tmp_path: Path) -> None:
    async with await kept(tmp_path / "boats") as store:
        await ingested(store, boats("Kite", "Rush"), Watched())
        watched = Watched()
        await ingested(store, boats("Kite", "Rush", "Wren"), watched)
        assert [text for text in watched.asked if "\n" not in text] == ["Wren"]


async def test_a_model_that_fails_at_names_fails_no_ingestion(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with await kept(tmp_path / "boats") as store:
        report = await ingested(store, boats("Kite", "Rush"), Watched(broken="Rush"))
        assert (report.embedded, await store.count()) == (1, 1)
        assert await store.name_vectors(["Kite"]) == {}
    assert "the model is busy" in caplog.text


@pytest.mark.parametrize("damage", ["gone", "no database", "another vector"])
async def test_what_is_lost_or_damaged_is_embedded_anew(damage: str, tmp_path: Path) -> None:
    async with await kept(tmp_path / "boats") as store:
        await ingested(store, boats("Kite", "Rush"), Watched())
        [(_, vector)] = (await store.name_vectors(["Kite"])).items()
    names = tmp_path / "boats" / NAMES
    if damage == "gone":
        names.unlink()
    elif damage == "no database":
        names.write_bytes(b"rubbish" * 1000)
    else:
        names.write_bytes(names.read_bytes().replace(vector.tobytes(), bytes(vector.nbytes)))
    watched = Watched()
    async with await kept(tmp_path / "boats") as store:
        found = await KnowingEmbedder(watched, store.name_vectors).embed(["Kite"])
    assert watched.asked == ["Kite"]
    assert np.array_equal(found[0], vector)


async def test_several_collections_know_the_names_of_all(tmp_path: Path) -> None:
    stores = [await kept(tmp_path / name) for name in ("east", "west")]
    for store, row in zip(stores, ("Kite", "Wren"), strict=True):
        await ingested(store, boats(row), Watched())
    async with union_of(stores, [store.catalog for store in stores]) as union:
        assert set(await union.name_vectors(["Kite", "Wren", "Rush"])) == {"Kite", "Wren"}


async def test_other_models_have_other_vectors(tmp_path: Path) -> None:
    async with await kept(tmp_path / "boats") as store:
        await ingested(store, boats("Kite"), Watched())

    assert NameVectors(tmp_path / "boats", "another").known(["Kite"]) == {}
