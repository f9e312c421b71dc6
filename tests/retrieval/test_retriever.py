"""The retriever end to end over the exact store: screens, refills, pins, cuts and every number it reports."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from retrieval.catalogs.catalog import Catalog
from retrieval.errors import EmbeddingError, StoreError
from retrieval.filters import SCREENS
from retrieval.filters.protocol import chain
from retrieval.ingest.index import index
from retrieval.searching.prefilter import native_filter
from retrieval.searching.requery import HEADROOM, Strategy, hits_of
from retrieval.searching.retriever import Retriever
from retrieval.stores.metadata import Where
from retrieval.stores.metric import Space
from retrieval.stores.store import MemoryStore
from retrieval.types import Chunk, Policy, QueryMust, SubQuery
from tests.retrieval.doubles import BagOfWords, ids
from tests.retrieval.placed import Placed, shelve

OPEN = Policy(absolute_min=0, relative_threshold=0, gap_threshold=9, distance_offset=9)
"""No cut ever applies."""


def matrix(armor_class: int) -> Chunk:
    """One of a family of nearly identical tables, as in seed document 1."""
    rule = QueryMust(contain_one_of=(("cleric", "druid", "monk"), (f"armor class {armor_class}",)))
    text = f"attack matrix for cleric druid monk opponent armor class {armor_class} level roll to hit"
    return Chunk(f"m{armor_class:+}", text, "Attack Matrix", "book.md", chunk_type="row", query_must=rule)


FAMILY = [matrix(armor_class) for armor_class in range(-10, 11)]
STRENGTH = Chunk("strength", "strength to hit bonus", "Strength", "book.md", tags=("ability", "combat"))
FIGHTER = Chunk("fighter", "sturdy warriors in mail", "The Fighter", "book.md", tags=("class",))
CHUNKS = [*FAMILY, STRENGTH, FIGHTER]
QUESTION = SubQuery("q1", "roll to hit for a level 7 cleric against opponent armor class 6")


class Watched(MemoryStore):
    """Remembers what it was asked."""

    def __init__(self, space: Space = "cosine") -> None:
        super().__init__(space=space)
        self.asked: list[tuple[int, Where | None]] = []

    async def query(
        self, vector: NDArray[np.float32], n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        self.asked.append((n_results, where))
        return await super().query(vector, n_results, where, exclude)


async def filled(chunks: Sequence[Chunk] = CHUNKS, space: Space = "cosine") -> Watched:
    store = Watched(space)
    await index(chunks, store, BagOfWords(), sources={"book.md": ""})
    return store


async def test_only_the_matching_table_of_a_family_survives_and_buried_chunks_surface() -> None:
    retrieved = await Retriever(await filled(), BagOfWords(), replace(OPEN, max_chunks=3)).retrieve(QUESTION)

    assert {"m+6", "strength"} <= set(ids(retrieved.hits))
    assert 20 == retrieved.dropped["query_must"]
    assert all(hit.chunk.chunk_type != "row" or hit.chunk.id == "m+6" for hit in retrieved.hits)


async def test_without_filters_the_wrong_tables_crowd_out_the_rest() -> None:
    store = await filled()
    retrieved = await Retriever(store, BagOfWords(), Policy(max_chunks=5, filters=False)).retrieve(QUESTION)

    assert ["row"] * 5 == [hit.chunk.chunk_type for hit in retrieved.hits]
    assert (1, 5, (), "none") == (retrieved.rounds, retrieved.fetched, retrieved.drops, retrieved.cut)
    assert [(5, None)] == store.asked


async def test_every_number_is_reported() -> None:
    ticks: Iterator[int] = count()
    retriever = Retriever(await filled(), BagOfWords(), Policy(max_chunks=3), clock=lambda: next(ticks) / 1000)
    retrieved = await retriever.retrieve(QUESTION)

    assert QUESTION == retrieved.sub_query
    assert pytest.approx(1.0) == retrieved.ms
    assert retrieved.fetched == len(retrieved.hits) + len(retrieved.drops)
    assert retrieved.best_score == max(hit.relevance for hit in retrieved.hits)
    assert pytest.approx(retrieved.best_score * 0.4) == retrieved.dynamic_threshold
    assert 0.3 == retrieved.absolute_min
    assert max(retrieved.dynamic_threshold, 0.3) == retrieved.effective_threshold
    assert retrieved.rounds >= 1
    assert all(drop.reason for drop in retrieved.drops)


async def test_a_named_entity_is_found_though_the_ranking_buries_it() -> None:
    retriever = Retriever(await filled(), BagOfWords(), Policy(max_chunks=3))
    plain = await retriever.retrieve(QUESTION)
    named = await retriever.retrieve(SubQuery("q1", QUESTION.text, entities=("fighters", "no such thing")))
    assert {"fighter"} == named.pinned

    assert "fighter" not in ids(plain.hits)
    assert "fighter" in ids(named.hits)
    assert len(named.hits) <= 3


async def test_the_best_score_counts_a_chunk_that_was_asked_for_by_name() -> None:
    retriever = Retriever(await filled(), BagOfWords(), Policy(max_chunks=3))
    retrieved = await retriever.retrieve(SubQuery("q1", "the fighter", entities=("fighter",)))
    named, *others = retrieved.hits
    assert named.chunk.id in retrieved.pinned
    assert named.relevance == retrieved.best_score
    assert all(hit.relevance < retrieved.best_score for hit in others)
    assert retrieved.dynamic_threshold < 0.4 * retrieved.best_score  # no bar for others is raised by a name


async def test_the_best_score_counts_a_chunk_that_was_asked_for_by_id() -> None:
    retriever = Retriever(await filled(), BagOfWords(), Policy(max_chunks=3))
    retrieved = await retriever.retrieve(SubQuery("q1", "the fighter", chunk_ids=("fighter",)))
    assert frozenset({"fighter"}) == retrieved.pinned
    assert "fighter" == retrieved.hits[0].chunk.id
    assert retrieved.hits[0].relevance == retrieved.best_score
    assert retrieved.dynamic_threshold < 0.4 * retrieved.best_score


async def test_a_chunk_that_was_asked_for_by_id_is_cut_by_no_threshold() -> None:
    retriever = Retriever(await filled(), BagOfWords(), Policy(absolute_min=1.0, min_chunks=0))
    retrieved = await retriever.retrieve(SubQuery("q1", "anything at all", chunk_ids=("fighter",)))
    assert ["fighter"] == ids(retrieved.hits)


async def test_a_named_entity_must_still_satisfy_its_own_rule() -> None:
    query = SubQuery("q1", QUESTION.text, entities=("Attack Matrix",))
    retrieved = await Retriever(await filled(), BagOfWords(), Policy(max_chunks=4)).retrieve(query)

    assert ["m+6"] == [hit.chunk.id for hit in retrieved.hits if hit.chunk.chunk_type == "row"]
    assert retrieved.fetched == len(retrieved.hits) + len(retrieved.drops)


async def test_an_entity_with_many_chunks_leaves_room_for_others() -> None:
    parts = [Chunk(f"p{n}", f"part {n} of the long chapter", "Chapter", "book.md") for n in range(30)]
    store = await filled([*parts, STRENGTH, FIGHTER])
    query = SubQuery("q1", "strength to hit", entities=("Chapter", "Fighter"))
    retrieved = await Retriever(store, BagOfWords(), Policy(max_chunks=4)).retrieve(query)

    assert {"strength", "fighter"} <= set(ids(retrieved.hits))


async def test_a_named_entity_is_found_behind_any_number_of_look_alikes_of_its_name() -> None:
    crowd = [replace(matrix(9), id=f"n{n}", text=f"{QUESTION.text} {n}") for n in range(150)]
    nearer = [Chunk(f"p{n}", f"{QUESTION.text} in chapter {n}", "Combat", "book.md") for n in range(20)]
    wanted = Chunk("wanted", "prose about matrices", "Attack Matrix", "book.md")
    query = replace(QUESTION, entities=("Attack Matrix",))
    retrieved = await Retriever(await filled([*crowd, *nearer, wanted]), BagOfWords(), Policy()).retrieve(query)

    assert "wanted" in ids(retrieved.hits)


async def test_a_long_chapter_does_not_bury_another_named_entity() -> None:
    parts = [Chunk(f"p{n}", f"strength to hit {n}", "Chapter", "book.md") for n in range(150)]
    query = SubQuery("q1", "strength to hit", entities=("Chapter", "Fighter"))
    retrieved = await Retriever(await filled([*parts, FIGHTER]), BagOfWords(), Policy(max_chunks=4)).retrieve(query)

    assert "fighter" in ids(retrieved.hits)


async def test_words_find_a_chunk_behind_any_number_of_look_alikes_that_have_them_too() -> None:
    crowd = [replace(matrix(9), id=f"n{n:03}", text=f"wyvern {n}", title="Wyvern") for n in range(150)]
    nearer = [Chunk(f"p{n}", f"what is there to tell about this {n}", "This", "book.md") for n in range(20)]
    wanted = Chunk("wanted", "lore of old about the wyvern and the dragon", "Lore", "book.md")
    retriever = Retriever(await filled([*crowd, *nearer, wanted]), BagOfWords(), replace(OPEN, max_chunks=4))
    query = SubQuery("q1", "what is there to tell about this wyvern")

    assert "wanted" not in ids((await retriever.retrieve(query)).hits)
    assert "wanted" in ids((await retriever.retrieve(query, replace(OPEN, max_chunks=4, hybrid=True))).hits)


def test_the_store_filters_by_chunk_types_and_the_first_tag() -> None:
    query = SubQuery("q", "x", chunk_types=("section", "table"), tags=("combat", "ability"))

    assert {"chunk_type": ["section", "table"], "tags": "combat"} == native_filter(query)
    assert None is native_filter(QUESTION)


async def test_what_is_rarer_than_it_seemed_is_left_to_the_stores_own_filter_before_that_would_cost_less() -> None:
    """Half of all chunks have the tag, but none of those that are near."""
    shelf = [Chunk(f"c{n:03}", f"text {n}", f"T{n}", tags=("rare",) if n >= 500 else ()) for n in range(1000)]
    embedder = Placed(["x"], {chunk.text: [0.99 - 0.0005 * n] for n, chunk in enumerate(shelf)})
    store = Watched()
    await shelve(store, shelf, embedder)
    retriever = Retriever(store, embedder, OPEN, catalog=Catalog.from_chunks(shelf))
    retrieved = await retriever.retrieve(SubQuery("q", "x", tags=("rare",)))

    assert [f"c{n}" for n in range(500, 512)] == ids(retrieved.hits)
    assert [(24, None), (24, {"tags": "rare"})] == store.asked


async def test_all_tags_and_any_chunk_type_hold_whatever_the_order_of_tags() -> None:
    store = await filled()
    query = SubQuery("q", "strength", chunk_types=("section", "table"), tags=("combat", "ability"))
    retrieved = await Retriever(store, BagOfWords(), OPEN).retrieve(query)

    assert ["strength"] == ids(retrieved.hits)
    assert {"chunk_type": ["section", "table"], "tags": "combat"} == store.asked[0][1]


async def test_an_empty_store_gives_an_empty_result() -> None:
    retrieved = await Retriever(MemoryStore(), BagOfWords()).retrieve(QUESTION)

    assert ((), "exhausted", 1, 0.0) == (retrieved.hits, retrieved.stop, retrieved.rounds, retrieved.best_score)


async def test_at_least_min_chunks_are_left_when_all_is_poor() -> None:
    retriever = Retriever(await filled(), BagOfWords(), Policy(absolute_min=1.0, min_chunks=2))

    assert 2 == len((await retriever.retrieve(SubQuery("q1", "warrior strength"))).hits)


async def test_a_policy_for_one_call_wins_over_the_retrievers_own() -> None:
    retriever = Retriever(await filled(), BagOfWords(), Policy(max_chunks=3))

    assert 1 == len((await retriever.retrieve(QUESTION, Policy(max_chunks=1))).hits)


@pytest.mark.parametrize("space", ["l2", "ip"])
async def test_every_space_gives_the_same_hits(space: Space) -> None:
    expected = await Retriever(await filled(), BagOfWords()).retrieve(QUESTION)
    actual = await Retriever(await filled(space=space), BagOfWords()).retrieve(QUESTION)

    assert ids(expected.hits) == ids(actual.hits)
    assert pytest.approx([hit.relevance for hit in expected.hits], abs=1e-5) == [hit.relevance for hit in actual.hits]


async def test_failures_reach_the_caller() -> None:
    store = await filled()
    retriever = Retriever(store, BagOfWords())
    await store.close()

    with pytest.raises(StoreError, match="closed"):
        await retriever.retrieve(QUESTION)
    with pytest.raises(EmbeddingError, match="another"):
        Retriever(MemoryStore(model="another"), BagOfWords())


async def test_concurrent_sub_queries_do_not_disturb_each_other() -> None:
    retriever = Retriever(await filled(), BagOfWords(), Policy(max_chunks=3))
    queries = [SubQuery(f"q{n}", f"to hit for a cleric against opponent armor class {n}") for n in range(9)]
    together = await asyncio.gather(*(retriever.retrieve(query) for query in queries))

    for query, retrieved in zip(queries, together, strict=True):
        assert ids((await retriever.retrieve(query)).hits) == ids(retrieved.hits)


WORDS = st.lists(
    st.sampled_from(["bear", "owl", "fighter", "armor", "class", "3", "6", "level", "sword"]), min_size=1, max_size=5
)
RULES = st.none() | st.builds(
    QueryMust, contain_one_of=st.lists(WORDS.map(tuple), max_size=2).map(tuple), contain=st.none() | WORDS.map(" ".join)
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(WORDS, RULES, st.sampled_from(["row", "section"])), max_size=40),
    WORDS,
    st.integers(1, 6),
    st.sampled_from(["widen", "exclude"]),
)
def test_any_corpus_gives_what_screening_the_whole_ranking_gives(
    corpus: list[tuple[list[str], QueryMust | None, str]], question: list[str], max_chunks: int, strategy: Strategy
) -> None:
    chunks = [
        Chunk(f"c{n:02}", " ".join(words), f"T{n}", "book.md", chunk_type=kind, query_must=rule)
        for n, (words, rule, kind) in enumerate(corpus)
    ]
    query = SubQuery("q", " ".join(question), chunk_types=("row",) if max_chunks % 2 else ())

    async def both() -> tuple[list[str], list[str]]:
        store, embedder = await filled(chunks), BagOfWords()
        policy = Policy(max_chunks, 1, 0, 0, 9, 2, 9, max_rounds=12)
        retrieved = await Retriever(store, embedder, policy, strategy=strategy).retrieve(query)
        whole = hits_of(await store.query((await embedder.embed([query.text]))[0], len(chunks) + 1), store.space)
        return ids(retrieved.hits), ids(chain(SCREENS, query, whole, policy).kept[:max_chunks])

    actual, expected = asyncio.run(both())

    assert expected == actual


def test_the_first_round_has_headroom() -> None:
    assert 2 == HEADROOM
