"""Native filter first, the rest screened: every scenario and test of seed document 5, in memory and in a real Chroma.

Two things are better here than in the document: the store gets all chunk types, not the first alone, and looks for
the first tag in every slot; and what the screens drop is refilled, where the document accepts too few results.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.collections.chroma import open_collection
from retrieval.searching.prefilter import native_filter
from retrieval.searching.requery import HEADROOM
from retrieval.searching.retriever import Retriever
from retrieval.stores.metadata import encode
from retrieval.stores.store import MemoryStore, Store
from retrieval.types import Chunk, Policy, SubQuery
from tests.retrieval.doubles import ids
from tests.retrieval.placed import Placed, shelve

DESIGN, ERRORS, IMPLEMENTATION = "authentication design decisions", "error handling patterns", "authentication code"
UNCUT = Policy(absolute_min=0.0, relative_threshold=0.0, gap_threshold=9.0, distance_offset=9.0)
"""The document filters, it does not cut."""

CODE = ("go", "code", "error-handling")
LIBRARY = [
    Chunk("adr", "why tokens", "ADR 1", chunk_type="documentation", tags=("architecture", "auth")),
    Chunk("guide", "how to log in", "Guide", chunk_type="documentation", tags=("usage",)),
    Chunk("sketch", "token sketch", "Sketch", chunk_type="symbols", tags=("architecture",)),
    Chunk("wrap", "wrap errors", "Wrap", chunk_type="symbols", tags=CODE),
    Chunk("turned", "join errors", "Join", chunk_type="definitions", tags=tuple(reversed(CODE))),
    Chunk("panic", "panic and recover", "Panic", chunk_type="symbols", tags=("go", "code")),
    Chunk("rust", "the question mark", "Rust", chunk_type="symbols", tags=("rust", "code", "error-handling")),
    Chunk("login", "type Login", "Login", chunk_type="definitions", tags=("go",)),
]
RELEVANCES = {chunk.text: [0.5 - 0.01 * n] * 3 for n, chunk in enumerate(LIBRARY)}
EMBEDDER = Placed([DESIGN, ERRORS, IMPLEMENTATION], RELEVANCES)


@pytest.fixture(scope="module", params=["memory", "chroma"])
async def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    if request.param == "memory":
        store = MemoryStore()
        await shelve(store, LIBRARY, EMBEDDER)
        yield store
        return
    folder: Path = tmp_path_factory.mktemp("library")
    async with await open_collection(str(folder), "library", create=True, embedder=EMBEDDER) as opened:
        await shelve(opened, LIBRARY, EMBEDDER)
        yield opened


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(SubQuery("q1", "x", tags=("go",)), {"tags": "go"}, id="single-tag"),
        pytest.param(SubQuery("q1", "x", tags=("go", "code")), {"tags": "go"}, id="multiple-tags"),
        pytest.param(SubQuery("q1", "x", chunk_types=("symbols",)), {"chunk_type": ["symbols"]}, id="single-type"),
        pytest.param(
            SubQuery("q1", "x", chunk_types=("symbols", "definitions")),
            {"chunk_type": ["symbols", "definitions"]},
            id="multiple-types",
        ),
        pytest.param(
            SubQuery("q1", "x", chunk_types=("symbols",), tags=("go",)),
            {"chunk_type": ["symbols"], "tags": "go"},
            id="combined",
        ),
        pytest.param(SubQuery("q1", "x", min_score=0.5), None, id="nothing-native"),
    ],
)
def test_build_where_filter(query: SubQuery, expected: object) -> None:
    assert expected == native_filter(query)


def test_metadata_storage_format_is_one_slot_a_tag() -> None:
    flat = encode(Chunk("c1", "x", "X", chunk_type="symbols", tags=("go", "code", "symbols")))

    assert ("symbols", "go", "code", "symbols") == tuple(flat[key] for key in ("chunk_type", "tag_0", "tag_1", "tag_2"))
    assert "tags" not in flat


async def test_scenario_1_architecture_documentation_needs_no_post_filter(library: Store) -> None:
    query = SubQuery("q1", DESIGN, chunk_types=("documentation",), tags=("architecture",))
    retrieved = await Retriever(library, EMBEDDER, UNCUT).retrieve(query)

    assert ["adr"] == ids(retrieved.hits)
    assert (1, ()) == (retrieved.fetched, retrieved.drops)


async def test_scenario_2_the_first_tag_is_native_the_others_are_post_filtered(library: Store) -> None:
    retrieved = await Retriever(library, EMBEDDER, UNCUT).retrieve(SubQuery("q1", ERRORS, tags=CODE))

    assert ["wrap", "turned"] == ids(retrieved.hits)
    assert [("panic", "lacks the tag error-handling"), ("login", "lacks the tag code, error-handling")] == [
        (drop.chunk_id, drop.reason) for drop in retrieved.drops
    ]


async def test_scenario_3_every_chunk_type_that_was_asked_for_comes_back(library: Store) -> None:
    query = SubQuery("q1", IMPLEMENTATION, chunk_types=("symbols", "definitions"))
    retrieved = await Retriever(library, EMBEDDER, UNCUT).retrieve(query)

    assert ["sketch", "wrap", "turned", "panic", "rust", "login"] == ids(retrieved.hits)
    assert () == retrieved.drops


async def test_query_with_no_filters_is_pure_vector_similarity(library: Store) -> None:
    retrieved = await Retriever(library, EMBEDDER, UNCUT).retrieve(SubQuery("q1", DESIGN))

    assert [chunk.id for chunk in LIBRARY] == ids(retrieved.hits)


async def test_min_score_filtering_still_works(library: Store) -> None:
    retrieved = await Retriever(library, EMBEDDER, UNCUT).retrieve(SubQuery("q1", DESIGN, tags=("go",), min_score=0.46))

    assert ["wrap", "turned"] == ids(retrieved.hits)
    assert {"min_score": 2} == retrieved.dropped


async def test_early_exit_once_the_limit_is_reached(library: Store) -> None:
    retrieved = await Retriever(library, EMBEDDER, replace(UNCUT, max_chunks=1)).retrieve(SubQuery("q1", DESIGN))

    assert (["adr"], "satisfied", 1) == (ids(retrieved.hits), retrieved.stop, retrieved.rounds)
    assert HEADROOM == retrieved.fetched  # the document's DefaultResultMultiplier


@pytest.mark.parametrize("kind", ["memory", "chroma"])
async def test_restrictive_filters_do_not_underdeliver(kind: str, tmp_path: Path) -> None:
    """The twelve chunks with both tags are the farthest of 200; a fixed multiplier of 2 would find none of them."""
    tags = [("go",)] * 188 + [("code", "go")] * 12
    shelf = [Chunk(f"c{n:03}", f"text {n}", f"T{n}", tags=each) for n, each in enumerate(tags)]
    embedder = Placed([ERRORS], {chunk.text: [0.9 - 0.002 * n] for n, chunk in enumerate(shelf)})
    query = SubQuery("q1", ERRORS, tags=("go", "code"))

    async def searched(store: Store) -> list[str]:
        await shelve(store, shelf, embedder)
        retrieved = await Retriever(store, embedder, UNCUT).retrieve(query)
        assert retrieved.rounds > 1
        return ids(retrieved.hits)

    if kind == "memory":
        actual = await searched(MemoryStore())
    else:
        async with await open_collection(str(tmp_path), "shelf", create=True, embedder=embedder) as opened:
            actual = await searched(opened)

    assert [chunk.id for chunk in shelf[188:]] == actual
