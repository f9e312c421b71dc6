"""What every store must do; each store's tests inherit this suite, and `MemoryStore` is the oracle."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.errors import EmbeddingError, StoreError
from retrieval.stores.metadata import Where
from retrieval.stores.store import MemoryStore, Stamp, Store
from retrieval.types import Chunk, QueryMust, RangeRule, Table
from tests.retrieval.doubles import BagOfWords

DIMENSION = 8

FULL = Chunk(
    "book#1",
    "Level 1-3 hits AC −6 on 20\nline two",
    "Attack Matrix — Clerics",
    source="book.md",
    headings=("Combat", "Tables"),
    page=12,
    line=345,
    chunk_type="row",
    tags=("combat", "matrix"),
    query_must=QueryMust((("cleric", "druid"), ("armor class 6",)), ("a",), "b", RangeRule(1, 3, ("level",))),
    tables=(Table("I.A.", (("Level",), ("Armor class", "-6")), (("1-3", "20"), ("4-6", "18")), ("a note",)),),
)


def vectors(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Random unit vectors, shape (count, DIMENSION)."""
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSION))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def corpus(count: int, seed: int = 0) -> list[Chunk]:
    """Random chunks of two sources, three types, a few titles and up to three tags in any order."""
    pick = random.Random(seed)
    return [
        Chunk(
            f"c{number:03}",
            f"text {number}",
            pick.choice(["The Fighter", "Druids", "Bear, Black", "Owlbear"]),
            source=pick.choice(["one.md", "two.md"]),
            chunk_type=pick.choice(["section", "row", "table"]),
            tags=tuple(pick.sample(["combat", "class", "monster"], pick.randint(0, 3))),
        )
        for number in range(count)
    ]


def stamp_of(chunk: Chunk) -> Stamp:
    """A stamp that tells chunks apart."""
    return Stamp(f"h{chunk.id}", chunk.source, f"root of {chunk.source}")


async def fill(store: Store, count: int, seed: int = 0) -> list[Chunk]:
    chunks = corpus(count, seed)
    await store.upsert(chunks, vectors(count, seed), [stamp_of(chunk) for chunk in chunks])
    return chunks


WHERES: list[Where | None] = [
    None,
    {"chunk_type": "row"},
    {"chunk_type": ["row", "table"]},
    {"tag_0": "combat"},
    {"tags": "combat"},
    {"title_key": ["fighter", "bear black"], "tags": "monster"},
    {"id": ["c003", "c041", "c077", "missing"]},
    {"id": [f"c{n:03}" for n in range(0, 80, 2)], "chunk_type": "row"},
    {"id": []},
    {"chunk_type": "nothing"},
    {"chunk_type": []},
]


class StoreContract:
    """Subclasses give a fixture `store`: empty, cosine space, vectors of `DIMENSION` numbers."""

    async def test_a_chunk_comes_back_as_it_was_written(self, store: Store) -> None:
        await store.upsert([FULL], vectors(1), [Stamp("hash", FULL.source, "/books")])

        assert [FULL] == await store.get([FULL.id])
        assert {FULL.id: Stamp("hash", "book.md", "/books")} == await store.stamps()

    async def test_an_empty_collection_answers_with_nothing(self, store: Store) -> None:
        assert [] == await store.query(vectors(1)[0], 5)
        assert [] == [chunk async for chunk in store.scan()]
        assert ([], {}, 0) == (await store.get(["c1"]), await store.stamps(), await store.count())

    async def test_nothing_to_do_is_no_error(self, store: Store) -> None:
        await store.upsert([], np.zeros((0, DIMENSION), dtype=np.float32), [])
        await store.upsert([], np.zeros((0, DIMENSION), dtype=np.float32), [], ["never-there"])

        assert [] == await store.get([])

    async def test_queries_agree_with_the_oracle(self, store: Store) -> None:
        oracle = MemoryStore()
        chunks = await fill(store, 80)
        await fill(oracle, 80)
        for where, excluded, vector in product(WHERES, (0, 25), vectors(3, seed=9)):
            unwanted = [chunk.id for chunk in chunks[:excluded]]
            expected = await oracle.query(vector, 12, where, unwanted)
            actual = await store.query(vector, 12, where, unwanted)

            assert [chunk for chunk, _ in expected] == [chunk for chunk, _ in actual], f"{where} without {excluded}"
            assert pytest.approx([d for _, d in expected], abs=1e-5) == [d for _, d in actual], where

    async def test_asking_for_more_than_there_is_gives_all(self, store: Store) -> None:
        await fill(store, 20)

        assert 20 == len(await store.query(vectors(1)[0], 500))

    async def test_upserting_again_replaces(self, store: Store) -> None:
        await fill(store, 5)
        changed = replace(FULL, id="c000", tags=("one",))
        await store.upsert([changed], vectors(1, seed=5), [Stamp("new")])

        assert [changed] == await store.get(["c000"])
        assert 5 == await store.count()
        assert Stamp("new", FULL.source) == (await store.stamps())["c000"]

    async def test_get_keeps_the_order_and_leaves_out_the_missing(self, store: Store) -> None:
        await fill(store, 5)

        assert ["c003", "c001"] == [chunk.id for chunk in await store.get(["c003", "missing", "c001"])]

    async def test_deleted_chunks_are_gone(self, store: Store) -> None:
        await fill(store, 5)
        await store.upsert([], np.zeros((0, DIMENSION), dtype=np.float32), [], ["c000", "c004"])

        assert ["c001", "c002", "c003"] == sorted([chunk.id async for chunk in store.scan()])
        assert 3 == len(await store.query(vectors(1)[0], 5))

    async def test_one_change_writes_and_removes(self, store: Store) -> None:
        await fill(store, 5)
        await store.upsert([FULL], vectors(1, seed=5), [stamp_of(FULL)], ["c000", "c001"])

        assert {"book#1", "c002", "c003", "c004"} == {chunk.id async for chunk in store.scan()}

    async def test_what_is_written_under_one_hold_is_there_when_it_ends(self, store: Store) -> None:
        async with store.writing(BagOfWords(dimension=DIMENSION)) as embedder:
            await store.upsert([FULL], await embedder.embed([FULL.text]), [stamp_of(FULL)])

        assert [FULL] == await store.get([FULL.id])
        assert [FULL] == [chunk for chunk, _ in await store.query(vectors(1)[0], 5)]

    async def test_every_chunk_has_its_stamp(self, store: Store) -> None:
        chunks = await fill(store, 30)

        assert {chunk.id: stamp_of(chunk) for chunk in chunks} == await store.stamps()

    async def test_more_chunks_than_one_page_or_batch(self, store: Store) -> None:
        chunks = await fill(store, 2100)

        assert {chunk.id for chunk in chunks} == {chunk.id async for chunk in store.scan()}
        assert 2100 == await store.count() == len(await store.stamps())
        assert 2100 == len(await store.get([chunk.id for chunk in chunks]))

    async def test_the_dimension_is_known_once_there_are_vectors(self, store: Store) -> None:
        await fill(store, 1)

        assert ("cosine", DIMENSION) == (store.space, store.dimension)

    async def test_vectors_of_another_length_are_refused(self, store: Store) -> None:
        await fill(store, 3)

        with pytest.raises(EmbeddingError, match="vectors of 8 numbers"):
            await store.query(np.ones(3, dtype=np.float32), 1)
        with pytest.raises(EmbeddingError, match="vectors of 8 numbers"):
            await store.upsert([FULL], np.ones((1, 3), dtype=np.float32), [Stamp("h")])

    async def test_numbers_that_are_not_finite_are_refused(self, store: Store) -> None:
        with pytest.raises(EmbeddingError, match="not finite"):
            await store.upsert([FULL], np.full((1, DIMENSION), np.nan, dtype=np.float32), [Stamp("h")])

        assert 0 == await store.count()

    async def test_a_closed_store_says_so(self, store: Store) -> None:
        await store.close()
        await store.close()

        with pytest.raises(StoreError, match="closed"):
            await store.count()
        with pytest.raises(StoreError, match="closed"):
            await store.query(vectors(1)[0], 1)
