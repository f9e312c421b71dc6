"""Chroma keeps the contract, embedded and as a server; what it raises is mapped; reading creates nothing."""

from __future__ import annotations

import asyncio
import logging
import random
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import chromadb
import chromadb.errors
import pytest
from chromadb.config import Settings

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.chroma import ChromaServer, ChromaStore, delete_collection, list_collections, open_collection
from retrieval.collections.chroma.connect import mapped
from retrieval.collections.chroma.store import space_of
from retrieval.errors import CollectionNotFound, EmbeddingError, StoreError
from retrieval.ingest.index import index
from retrieval.searching.requery import Strategy
from retrieval.searching.retriever import Retriever
from retrieval.stores.store import MemoryStore
from retrieval.types import Policy, QueryMust, SubQuery
from tests.retrieval.doubles import BagOfWords, RandomVectors, ids
from tests.retrieval.store_contract import DIMENSION, StoreContract, corpus, fill, vectors

EMBEDDER = BagOfWords(dimension=DIMENSION)
NUMBERS = count()


class TestEmbeddedChroma(StoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[ChromaStore]:
        async with await open_collection(str(tmp_path), "rules", create=True, embedder=EMBEDDER) as store:
            yield store


class TestChromaServer(StoreContract):
    @pytest.fixture
    async def store(self, chroma_server: str) -> AsyncIterator[ChromaStore]:
        name = f"rules-{next(NUMBERS)}"
        async with await open_collection(chroma_server, name, create=True, embedder=EMBEDDER) as store:
            yield store


class TestServerWithSmallPages(StoreContract):
    @pytest.fixture
    async def store(self, chroma_server: str) -> AsyncIterator[ChromaStore]:
        place, name = ChromaServer(chroma_server, page=60), f"rules-{next(NUMBERS)}"
        async with await open_collection(place, name, create=True, embedder=EMBEDDER) as store:
            yield store


def foreign(folder: Path, space: str | None, metadatas: list[dict[str, Any]]) -> None:
    """Fill a collection as others do: no recorded model, their own metadata."""
    settings = Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg]
    client = chromadb.PersistentClient(str(folder), settings=settings)
    metadata = {"hnsw:space": space} if space else None
    collection = client.create_collection("theirs", metadata=metadata)
    numbers = range(len(metadatas))
    collection.add(
        ids=[f"f{n}" for n in numbers],
        embeddings=vectors(len(metadatas)),
        documents=[f"doc {n}" for n in numbers],
        metadatas=metadatas,  # type: ignore[arg-type]
    )
    client.close()  # type: ignore[attr-defined]


async def test_a_collection_survives_closing_and_remembers_its_model(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True, embedder=EMBEDDER) as store:
        await fill(store, 3)
    async with await open_collection(str(tmp_path), "rules") as store:
        assert 3 == await store.count()
        assert ("bag-of-words", DIMENSION, "cosine") == (store.model, store.dimension, store.space)
    assert ("rules",) == await list_collections(str(tmp_path))


async def test_another_embedder_is_refused(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True, embedder=EMBEDDER):
        pass

    with pytest.raises(EmbeddingError, match="bag-of-words"):
        await open_collection(str(tmp_path), "rules", embedder=BagOfWords("another", DIMENSION))


async def test_an_embedder_of_yet_unknown_length_is_recorded_when_vectors_come(tmp_path: Path) -> None:
    embedder = BagOfWords(dimension=DIMENSION)
    embedder.dimension = None
    async with await open_collection(str(tmp_path), "rules", create=True, embedder=embedder) as store:
        assert None is store.dimension
        await fill(store, 1)
    async with await open_collection(str(tmp_path), "rules") as store:
        assert (DIMENSION, "bag-of-words") == (store.dimension, store.model)


async def test_a_missing_folder_stays_missing(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "such"

    with pytest.raises(CollectionNotFound, match="none yet"):
        await open_collection(str(missing), "rules")
    assert () == await list_collections(str(missing))
    with pytest.raises(CollectionNotFound):
        await delete_collection(str(missing), "rules")
    assert [] == list(tmp_path.iterdir())


async def test_a_folder_without_a_database_stays_empty(tmp_path: Path) -> None:
    with pytest.raises(CollectionNotFound):
        await open_collection(str(tmp_path), "rules")

    assert [] == list(tmp_path.iterdir())


async def test_an_unknown_collection_names_those_that_exist(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True):
        pass

    with pytest.raises(CollectionNotFound) as caught:
        await open_collection(str(tmp_path), "monsters")
    assert ("monsters", ("rules",)) == (caught.value.name, caught.value.available)


async def test_a_deleted_collection_is_gone_and_its_user_is_told(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True) as store:
        await fill(store, 1)
        await delete_collection(str(tmp_path), "rules")

        with pytest.raises(StoreError, match="ingest again"):
            await store.count()
    assert () == await list_collections(str(tmp_path))


async def test_closing_one_of_two_on_a_folder_leaves_the_other_working(tmp_path: Path) -> None:
    one = await open_collection(str(tmp_path), "rules", create=True)
    two = await open_collection(f"{tmp_path}/./", "rules")
    await fill(one, 4)
    await one.close()

    assert 4 == await two.count()
    assert 2 == len(await two.query(vectors(1)[0], 2))
    await two.close()


async def test_what_another_writes_is_read_anew(tmp_path: Path) -> None:
    """Chunks are decoded once, by their content hash; a rewritten one has another."""
    (old,) = corpus(1)
    new = replace(old, title="Rewritten", tags=("fresh",))
    async with (
        await open_collection(str(tmp_path), "rules", create=True, embedder=EMBEDDER) as writer,
        await open_collection(str(tmp_path), "rules", embedder=EMBEDDER) as reader,
    ):
        await index([old], writer, EMBEDDER, sources={old.source: ""})
        assert [old] == await reader.get([old.id])
        await index([new], writer, EMBEDDER, sources={new.source: ""})
        assert [new] == await reader.get([old.id])


async def test_many_opening_one_folder_at_once_share_it(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True) as first:
        await fill(first, 4)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(open_collection(str(tmp_path), "rules")) for _ in range(8)]
    counts = []
    for task in tasks:
        async with task.result() as store:
            counts.append(await store.count())

    assert [4] * 8 == counts


async def test_many_creating_one_collection_at_once_get_the_same(chroma_server: str) -> None:
    name = f"rules-{next(NUMBERS)}"
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(open_collection(chroma_server, name, create=True)) for _ in range(6)]
    await fill(tasks[0].result(), 3)

    assert [3] * 6 == [await task.result().count() for task in tasks]
    for task in tasks:
        await task.result().close()


async def test_a_name_that_chroma_refuses_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="3-512 characters"):
        await open_collection(str(tmp_path), "a", create=True)


async def test_no_server_says_how_to_start_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        url = f"http://127.0.0.1:{port}"

        with pytest.raises(StoreError, match=f"chroma run --path data/chroma --port {port}$"):
            await open_collection(url, "rules")


async def test_a_server_that_says_nothing_is_given_up_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"

        with pytest.raises(StoreError, match="timed out"):
            await open_collection(ChromaServer(url, patience=0.2), "rules")


async def test_a_broken_database_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "chroma.sqlite3").write_bytes(b"this is not a database, but it is long enough to be read as one")

    with pytest.raises(StoreError, match="failed"):
        await open_collection(str(tmp_path), "rules")


@pytest.mark.parametrize("error", chromadb.errors.error_types.values(), ids=str)
def test_no_error_of_chromadb_gets_through(error: type[Exception]) -> None:
    def fail() -> None:
        raise error("what chromadb says") if error is not chromadb.errors.ChromaError else ValueError("what it says")

    with pytest.raises(StoreError, match="says"):
        mapped("somewhere", fail)


async def test_a_server_that_is_not_chroma_is_a_store_error(chroma_server: str) -> None:
    with pytest.raises(StoreError):
        await list_collections("http://127.0.0.1:notaport")
    with pytest.raises(CollectionNotFound):
        await open_collection(chroma_server, "no-such-collection")


@pytest.mark.parametrize(("space", "expected"), [(None, "l2"), ("cosine", "cosine"), ("ip", "ip"), ("l2", "l2")])
async def test_collections_of_others_are_read_in_their_own_space(
    tmp_path: Path, space: str | None, expected: str
) -> None:
    foreign(tmp_path, space, [{"title": "T"}, {"name": "N", "page": 9.0, "type": "rule"}, {"book": "x"}])
    async with await open_collection(str(tmp_path), "theirs", embedder=EMBEDDER) as store:
        found = {chunk.id: chunk for chunk in await store.get(["f0", "f1", "f2"])}

        assert (expected, None) == (store.space, store.model)
        assert ["T", "N", "f2"] == [chunk.title for chunk in found.values()]
        assert (9, "rule", "doc 1") == (found["f1"].page, found["f1"].chunk_type, found["f1"].text)


async def test_entities_are_found_in_a_collection_of_others_behind_everything_else(tmp_path: Path) -> None:
    foreign(tmp_path, None, [{"name": f"Rule {n}", "uid": f"f{n}"} for n in range(60)] + [{"name": "Owlbears"}])
    async with await open_collection(str(tmp_path), "theirs", embedder=EMBEDDER) as store:
        catalog = Catalog.from_chunks([chunk async for chunk in store.scan()])
        retriever = Retriever(store, EMBEDDER, Policy(max_chunks=4), catalog=catalog)
        found = await retriever.retrieve(SubQuery("q1", "doc 1", entities=("the owlbear",)))

    assert "f60" in ids(found.hits)


async def test_a_malformed_rule_of_others_keeps_its_chunk_and_warns_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    foreign(tmp_path, "cosine", [{"query_must": "{oops"}, {"query_must": '{"contain": "bear"}'}])
    async with await open_collection(str(tmp_path), "theirs") as store:
        with caplog.at_level(logging.WARNING, "retrieval.collections.chroma"):
            await store.get(["f0"])
            broken, good = await store.get(["f0", "f1"])

    assert None is broken.query_must
    assert good.query_must is not None
    assert "bear" == good.query_must.contain
    assert 1 == len(caplog.records)
    assert "'f0'" in caplog.text


async def test_excluding_works_without_ids_in_the_metadata(tmp_path: Path) -> None:
    foreign(tmp_path, "cosine", [{"title": f"T{n}"} for n in range(30)])
    async with await open_collection(str(tmp_path), "theirs") as store:
        vector = vectors(1, seed=4)[0]
        ranking = [chunk.id for chunk, _ in await store.query(vector, 30)]
        actual = [chunk.id for chunk, _ in await store.query(vector, 5, exclude=ranking[:10])]

    assert ranking[10:15] == actual


@pytest.mark.parametrize("strategy", ["widen", "exclude"])
@pytest.mark.parametrize("seed", range(6))
async def test_retrieval_agrees_with_the_oracle(tmp_path: Path, seed: int, strategy: Strategy) -> None:
    pick, embedder = random.Random(seed), RandomVectors()
    rules = [None, None, QueryMust(contain="cleric"), QueryMust(contain_one_of=(("monk", "druid"), ("ac 6",)))]
    chunks = [replace(one, query_must=pick.choice(rules)) for one in corpus(150, seed)]
    query = SubQuery(
        "q1",
        pick.choice(["a cleric against AC 6", "a druid against armor class 6", "an owlbear"]),
        entities=pick.choice([(), ("Druid",), ("black bear", "fighter")]),
        chunk_types=pick.choice([(), ("row",), ("row", "table")]),
        tags=pick.choice([(), ("combat",), ("class", "monster")]),
    )
    oracle = MemoryStore()
    async with await open_collection(str(tmp_path), "rules", create=True, embedder=embedder) as store:
        for each in (oracle, store):
            await index(chunks, each, embedder, sources={"one.md": "", "two.md": ""})
        expected = await Retriever(oracle, embedder, Policy(absolute_min=0)).retrieve(query)
        actual = await Retriever(store, embedder, Policy(absolute_min=0), strategy=strategy).retrieve(query)

    assert ids(expected.hits) == ids(actual.hits)
    assert expected.dropped == actual.dropped
    assert (expected.stop, expected.rounds, expected.fetched) == (actual.stop, actual.rounds, actual.fetched)


def test_a_space_nobody_knows_is_an_error() -> None:
    with pytest.raises(StoreError, match="hamming"):
        space_of({"hnsw": {"space": "hamming"}}, {})


async def test_cancelling_a_query_leaves_the_store_usable(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True) as store:
        await fill(store, 10)
        tasks = [asyncio.create_task(store.query(vectors(1)[0], 3)) for _ in range(10)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

        assert 3 == len(await store.query(vectors(1)[0], 3))


async def test_chunks_are_unchanged_by_storage(tmp_path: Path) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True) as store:
        await fill(store, 50)

        assert corpus(50) == sorted([chunk async for chunk in store.scan()], key=lambda chunk: chunk.id)


@pytest.mark.parametrize("count", [0, 1, 1050])
async def test_chunks_come_with_the_vectors_they_were_stored_with(tmp_path: Path, count: int) -> None:
    async with await open_collection(str(tmp_path), "rules", create=True) as store:
        await fill(store, count)
        pages = [page async for page in store.scan_with_vectors()]

    found = {chunk.id: vector for chunks, some in pages for chunk, vector in zip(chunks, some, strict=True)}
    expected = dict(zip([chunk.id for chunk in corpus(count)], vectors(count), strict=True))
    assert expected.keys() == found.keys()
    assert all(pytest.approx(expected[id_], abs=1e-6) == found[id_] for id_ in expected)
