"""Several collections read as one give what one collection gives that holds everything, under the names used there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from retrieval.catalogs.catalog import Catalog
from retrieval.collections import chroma
from retrieval.collections.local.build import build
from retrieval.collections.local.layout import current_index, lease
from retrieval.collections.local.store import LocalStore, open_local
from retrieval.collections.multi_store import DirectedUnionStore, UnionStore, open_collections, union_of
from retrieval.errors import CollectionEmpty, CollectionNotFound, EmbeddingError, StoreError
from retrieval.searching.ranking import Lexical
from retrieval.searching.retriever import Retriever
from retrieval.stores.metadata import Where
from retrieval.stores.metric import Space
from retrieval.stores.store import Directed, MemoryStore, Stamp, Store, Vectors
from retrieval.text.normal import Words
from retrieval.types import Chunk, Policy, Retrieved, SubQuery
from tests.retrieval.books import BOOKS, EMBEDDER, EVERYTHING, shelve
from tests.retrieval.doubles import BagOfWords, ids
from tests.retrieval.store_contract import WHERES

OPEN = Policy(6, absolute_min=0, relative_threshold=0, gap_threshold=9, distance_offset=9)
"""No cut ever applies."""


QUERIES = [
    SubQuery("q1", "an owl of level 3"),
    SubQuery("q2", "armor class 6", entities=("Owlbear", "black bear")),
    SubQuery("q3", "owl armor class 6 level 3", chunk_types=("row", "table"), tags=("combat", "class")),
    SubQuery("q4", "a sword", entities=("fighters",), tags=("monster",)),
    SubQuery("q5", "bear"),
]


async def kept(folder: Path, chunks: Sequence[Chunk] = ()) -> LocalStore:
    """A local collection, built in this process: the same work without the second that a new process takes to start."""

    async def build_here(folder: Path) -> None:
        await asyncio.to_thread(build, folder)

    store = await open_local(folder, model=EMBEDDER.name, build=build_here)
    if chunks:
        await shelve(store, chunks)
    return store


def united(*stores: Store) -> UnionStore:
    """The union of stores that hold the books of their names."""
    return union_of(stores, [Catalog.from_chunks(BOOKS[store.name]) for store in stores])


SPACES: dict[str, dict[str, Space]] = {
    "memory": {"rules": "cosine", "monsters": "cosine"},
    "other spaces": {"rules": "l2", "monsters": "ip"},
}


@pytest.fixture(scope="module", params=["memory", "other spaces", "local"])
async def union(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[UnionStore]:
    if request.param == "local":
        folder = tmp_path_factory.mktemp("local")
        stores: list[Store] = [await kept(folder / name, chunks) for name, chunks in BOOKS.items()]
    else:
        stores = [MemoryStore(name, space=space) for name, space in SPACES[request.param].items()]
        for store in stores:
            await shelve(store, BOOKS[store.name])
    async with united(*stores) as made:
        yield made


@pytest.fixture(scope="module")
async def oracle() -> MemoryStore:
    """One collection that holds everything."""
    store = MemoryStore()
    await shelve(store, EVERYTHING)
    return store


@pytest.fixture(scope="module")
async def both(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[DirectedUnionStore, LocalStore]]:
    """A union of local collections, and a local one that holds everything."""
    folder = tmp_path_factory.mktemp("both")
    made = united(*[await kept(folder / name, chunks) for name, chunks in BOOKS.items()])
    assert isinstance(made, DirectedUnionStore)
    async with made, await kept(folder / "everything", EVERYTHING) as everything:
        yield made, everything


IDS = ["monsters:c007", "rules:c007", "c007", "rules:never", "rules:c001"]


@pytest.mark.parametrize(
    "where",
    [*WHERES, {"id": IDS}, {"id": "rules:c007"}, {"id": IDS, "source": ["rules:one.md", "monsters.md", "one.md"]}],
    ids=str,
)
@pytest.mark.parametrize("excluded", [0, 40])
async def test_queries_agree_with_one_collection(
    union: UnionStore, oracle: MemoryStore, where: Where | None, excluded: int
) -> None:
    unwanted = [chunk.id for chunk in EVERYTHING[::2][:excluded]]
    for vector in await EMBEDDER.embed([query.text for query in QUERIES]):
        expected = await oracle.query(vector, 12, where, unwanted)
        actual = await union.query(vector, 12, where, unwanted)

        assert [chunk for chunk, _ in expected] == [chunk for chunk, _ in actual]
        assert pytest.approx([d for _, d in expected], abs=1e-5) == [d for _, d in actual]


async def test_all_chunks_are_there_under_their_names(union: UnionStore, oracle: MemoryStore) -> None:
    sources = {id_: (stamp.content_hash, stamp.source) for id_, stamp in (await oracle.stamps()).items()}

    assert (120, "rules,monsters", "cosine", 8) == (await union.count(), union.name, union.space, union.dimension)
    assert {chunk.id: chunk for chunk in EVERYTHING} == {chunk.id: chunk async for chunk in union.scan()}
    assert sources == {id_: (stamp.content_hash, stamp.source) for id_, stamp in (await union.stamps()).items()}
    assert IDS[:2] + IDS[4:] == [chunk.id for chunk in await union.get(IDS)]
    assert Catalog.from_chunks(EVERYTHING) == union.catalog


async def test_nothing_can_be_written(union: UnionStore) -> None:
    with pytest.raises(StoreError, match="rules,monsters are open together"):
        await union.upsert([], np.zeros((0, 8), dtype=np.float32), [])
    with pytest.raises(StoreError, match="rules,monsters are open together"):
        async with union.writing(EMBEDDER):
            pass


async def test_a_vector_of_another_length_is_refused(union: UnionStore) -> None:
    with pytest.raises(EmbeddingError, match="vectors of 8 numbers"):
        await union.query(np.ones(3, dtype=np.float32), 1)


@pytest.mark.parametrize(
    "where", [None, {"chunk_type": ["row", "table"]}, {"tags": "combat"}, {"id": IDS}, {"source": "rules.md"}], ids=str
)
@pytest.mark.parametrize("wanted", [1, 2, 5, 12, 30, 60, 100, 200])
async def test_eligible_chunks_and_look_alikes_are_those_of_one_collection(
    both: tuple[DirectedUnionStore, LocalStore], wanted: int, where: Where | None
) -> None:
    union, everything = both
    for query in QUERIES:
        (vector,) = await EMBEDDER.embed([query.text])
        expected = await everything.query_eligible(vector, wanted, Words(query.text), where)

        assert expected == await union.query_eligible(vector, wanted, Words(query.text), where)


async def retrieved(store: Store, policy: Policy) -> list[Retrieved]:
    retriever = Retriever(store, EMBEDDER, policy, clock=lambda: 0.0)
    return [await retriever.retrieve(query) for query in QUERIES]


POLICIES = {"plain": OPEN, "cuts": Policy(6), "hybrid": replace(OPEN, hybrid=True), "off": replace(OPEN, filters=False)}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
async def test_retrieval_is_that_of_one_collection_to_the_last_drop(
    both: tuple[DirectedUnionStore, LocalStore], oracle: MemoryStore, policy: Policy
) -> None:
    union, everything = both
    found = await retrieved(union, policy)

    assert await retrieved(everything, policy) == found
    assert [ids(one.hits) for one in await retrieved(oracle, policy)] == [ids(one.hits) for one in found]


async def test_retrieval_from_undirected_members_is_that_of_one_collection_too(oracle: MemoryStore) -> None:
    stores = [MemoryStore(name) for name in BOOKS]
    for store in stores:
        await shelve(store, BOOKS[store.name])
    union = united(*stores)

    assert not isinstance(union, Directed)
    assert await retrieved(oracle, OPEN) == await retrieved(union, OPEN)


async def test_words_are_searched_in_all_members_at_once(union: UnionStore, oracle: MemoryStore) -> None:
    for text in ("monsters 7", "owl sword", "nothing of the kind"):
        assert await Lexical(oracle).search(text, 20) == await Lexical(union).search(text, 20)


async def test_of_the_same_text_in_two_collections_the_nearer_one_stays() -> None:
    embedder, text = BagOfWords(), "it sleeps all winter long"
    stores, chunks = [MemoryStore("rules"), MemoryStore("zoo")], [Chunk("c1", text, "Rules"), Chunk("c1", text, "Bear")]
    for store, chunk in zip(stores, chunks, strict=True):
        vectors = await embedder.embed([f"{chunk.title} {chunk.text}"])
        await store.upsert([chunk], vectors, [Stamp("hash")])
    union = union_of(stores, [Catalog.from_chunks([chunk]) for chunk in chunks])
    found = await Retriever(union, embedder, OPEN).retrieve(SubQuery("q", "a bear in winter"))

    assert ["zoo:c1"] == ids(found.hits)
    assert [("rules:c1", "duplicate", "same text as zoo:c1")] == [(d.chunk_id, d.rule, d.reason) for d in found.drops]


async def test_equally_near_chunks_come_by_their_ids() -> None:
    stores, chunk = [MemoryStore("zoo"), MemoryStore("rules")], Chunk("c1", "a bear", "Bear")
    for store in stores:
        await shelve(store, [chunk])
    union = union_of(stores, [Catalog.from_chunks([chunk])] * 2)
    (vector,) = await EMBEDDER.embed(["an owl"])

    assert ["rules:c1", "zoo:c1"] == [chunk.id for chunk, _ in await union.query(vector, 5)]


class Failing(MemoryStore):
    """Fails in everything it is asked, and in being closed."""

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        raise StoreError("the shelf fell over")

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        raise StoreError("the shelf fell over")

    def scan(self) -> AsyncIterator[Chunk]:
        raise StoreError("the shelf fell over")

    async def count(self) -> int:
        raise StoreError("the shelf fell over")

    async def stamps(self) -> dict[str, Stamp]:
        raise StoreError("the shelf fell over")

    async def close(self) -> None:
        raise StoreError("the shelf fell over")


async def scanned(store: Store) -> object:
    return [chunk async for chunk in store.scan()]


QUESTIONS: dict[str, Callable[[Store], Awaitable[object]]] = {
    "query": lambda store: store.query(np.ones(8, dtype=np.float32), 3),
    "get": lambda store: store.get(IDS),
    "scan": scanned,
    "count": lambda store: store.count(),
    "stamps": lambda store: store.stamps(),
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
async def test_a_member_that_fails_is_named_and_nothing_is_answered_without_it(
    ask: Callable[[Store], Awaitable[object]],
) -> None:
    with pytest.raises(StoreError, match="collection 'monsters': the shelf fell over"):
        await ask(united(MemoryStore("rules"), Failing("monsters")))


@pytest.mark.parametrize("names", [("rules", "monsters"), ("monsters", "rules")])
async def test_closing_closes_all_though_one_fails(names: tuple[str, str]) -> None:
    stores = {"rules": MemoryStore("rules"), "monsters": Failing("monsters")}
    with pytest.raises(StoreError, match="the shelf fell over"):
        await united(*(stores[name] for name in names)).close()
    with pytest.raises(StoreError, match="closed"):
        await stores["rules"].count()


class Waiting(MemoryStore):
    """Answers no query before its `gate` is open."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.asked, self.gate = asyncio.Event(), asyncio.Event()

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        self.asked.set()
        await self.gate.wait()
        return []


async def test_cancelling_a_query_cancels_it_in_every_member() -> None:
    stores, before = [Waiting("rules"), Waiting("monsters")], asyncio.all_tasks()
    asking = asyncio.create_task(united(*stores).query(np.ones(8, dtype=np.float32), 3))
    for store in stores:
        await store.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert before == asyncio.all_tasks()


async def test_a_failure_is_told_when_no_member_is_at_work_any_more() -> None:
    slow, before = Waiting("rules"), asyncio.all_tasks()
    asking = asyncio.create_task(united(slow, Failing("monsters")).query(np.ones(8, dtype=np.float32), 3))
    await slow.asked.wait()
    for _ in range(10):
        await asyncio.sleep(0)  # the other one has long failed
    assert not asking.done()
    slow.gate.set()
    with pytest.raises(StoreError, match="the shelf fell over"):
        await asking
    assert before == asyncio.all_tasks()


async def test_members_of_different_models_or_lengths_are_not_compared() -> None:
    plain, other = MemoryStore("rules", model="one"), MemoryStore("monsters", model="another")
    with pytest.raises(EmbeddingError, match="'monsters' has the embedding model 'another', and 'rules' has 'one'"):
        united(plain, other)
    short, long = MemoryStore("rules"), MemoryStore("monsters")
    await shelve(short, BOOKS["rules"])
    await long.upsert([Chunk("c1", "", "")], np.ones((1, 9), dtype=np.float32), [Stamp("h")])
    with pytest.raises(EmbeddingError, match="'monsters' has vectors of length 9, and 'rules' has 8"):
        united(short, long)


def is_read(folder: Path) -> bool:
    """Whether somebody has the local collection open."""
    index = current_index(folder)
    assert index is not None
    lock = lease(index)
    try:
        lock.acquire_write(blocking=False)
    except TimeoutError:
        return True
    finally:
        lock.close()
    return False


async def test_one_name_opens_the_collection_as_it_is(tmp_path: Path) -> None:
    await (await kept(tmp_path / "rules", BOOKS["rules"])).close()
    store = await open_collections(str(tmp_path), ["rules"], embedder=EMBEDDER)

    assert isinstance(store, LocalStore)
    assert ["c007"] == [chunk.id for chunk in await store.get(["c007"])]
    await store.close()


async def test_local_and_plain_collections_can_be_asked_together(
    tmp_path: Path, oracle: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    await (await kept(tmp_path / "rules", BOOKS["rules"])).close()
    async with await chroma.open_collection(str(tmp_path), "monsters", create=True, embedder=EMBEDDER) as plain:
        await shelve(plain, BOOKS["monsters"])
    store = await open_collections(str(tmp_path), ["rules", "monsters"], embedder=EMBEDDER)
    (vector,) = await EMBEDDER.embed(["an owl"])

    assert is_read(tmp_path / "rules")
    assert not isinstance(store, Directed)
    assert [c for c, _ in await oracle.query(vector, 30)] == [c for c, _ in await store.query(vector, 30)]
    await store.close()
    assert not is_read(tmp_path / "rules")


async def test_when_one_can_not_be_opened_the_others_are_closed_again(tmp_path: Path) -> None:
    await (await kept(tmp_path / "rules", BOOKS["rules"])).close()
    with pytest.raises(CollectionNotFound, match=r"'monsters' \(existing: rules\)") as caught:
        await open_collections(str(tmp_path), ["rules", "monsters"], embedder=EMBEDDER)
    assert ("monsters", ("rules",)) == (caught.value.name, caught.value.available)
    assert not is_read(tmp_path / "rules")

    await (await open_local(tmp_path / "empty", model=EMBEDDER.name)).close()
    with pytest.raises(CollectionEmpty, match=r"'empty' is empty.* versus ingest PATH --collection empty"):
        await open_collections(str(tmp_path), ["rules", "empty"], embedder=EMBEDDER)
    assert not is_read(tmp_path / "rules")

    await (await open_local(tmp_path / "monsters", model="another")).close()
    with pytest.raises(EmbeddingError, match=r"'monsters' .*'another'"):
        await open_collections(str(tmp_path), ["rules", "monsters"])
    assert not is_read(tmp_path / "rules")
