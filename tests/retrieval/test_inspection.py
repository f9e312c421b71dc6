"""What collections there are and what is in them, whatever state they are in."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.collections import chroma
from retrieval.collections.inspection import Listed, Listing, SourceCount, describe, list_described
from retrieval.collections.local.layout import VAULT, writer_lock
from retrieval.collections.local.store import open_local
from retrieval.collections.opening import delete_collection, list_collections
from retrieval.errors import CollectionNotFound, StoreError
from retrieval.ingest.index import index
from retrieval.stores.store import Stamp
from retrieval.types import Chunk, QueryMust, Table
from tests.retrieval.doubles import BagOfWords
from tests.retrieval.test_local import build_here, index_of, truncate

TABLE = Table("I.A.", (("Level",), ("AC 3",)), (("1-3", "17"),))
CHUNKS = [
    Chunk("a", "An owl.", "Owl", source="one.md", tags=("monster",)),
    Chunk(
        "b", "Level 1-3: 17", "Matrix", source="two.md", chunk_type="row", tags=("combat", "monster"), tables=(TABLE,)
    ),
    Chunk("c", "A rule", "Rule", source="two.md", query_must=QueryMust((("cleric", "druid"), ("ac 3",)))),
]
SOURCES = {"one.md": "/books", "two.md": "/books"}
MODEL = "bag-of-words"


async def keep(place: Path, name: str) -> Path:
    """A local collection of these chunks; its folder."""
    async with await open_local(place / name, model=MODEL, build=build_here) as store:
        await index(CHUNKS, store, BagOfWords(dimension=32), sources=SOURCES)
    return place / name


async def put(location: str, name: str) -> None:
    """A plain collection of these chunks."""
    embedder = BagOfWords(dimension=32)
    async with await chroma.open_collection(location, name, create=True, embedder=embedder) as store:
        stamps = [Stamp("h", chunk.source, SOURCES[chunk.source]) for chunk in CHUNKS]
        await store.upsert(CHUNKS, await embedder.embed([chunk.text for chunk in CHUNKS]), stamps)


async def test_local_and_plain_collections_are_listed_together(tmp_path: Path) -> None:
    await keep(tmp_path, "rules")
    await put(str(tmp_path), "others")

    assert Listing((Listed("others", "plain", 3, MODEL), Listed("rules", "local", 3, MODEL))) == (
        await list_described(str(tmp_path))
    )


async def test_where_nothing_is_nothing_is_listed_and_nothing_made(tmp_path: Path) -> None:
    assert Listing(()) == await list_described(str(tmp_path / "nowhere"))
    assert [] == list(tmp_path.iterdir())


async def test_a_collection_that_can_not_be_opened_is_listed_with_its_problem(tmp_path: Path) -> None:
    await keep(tmp_path, "rules")
    (await keep(tmp_path, "broken") / VAULT).write_bytes(b"nonsense" * 1000)
    truncate(index_of(await keep(tmp_path, "half")) / "rows.json")
    broken, half, rules = (await list_described(str(tmp_path))).collections

    assert ("broken", None, None) == (broken.name, broken.chunks, broken.model)
    assert "is damaged (file is not a database)" in (broken.problem or "")
    assert ("half", 3) == (half.name, half.chunks)
    assert "rows.json has" in (half.problem or "")
    assert Listed("rules", "local", 3, MODEL) == rules


async def test_a_broken_database_of_others_is_told_beside_what_is_kept(tmp_path: Path) -> None:
    await keep(tmp_path, "rules")
    (tmp_path / "chroma.sqlite3").write_bytes(b"nonsense" * 1000)
    listing = await list_described(str(tmp_path))

    assert (Listed("rules", "local", 3, MODEL),) == listing.collections
    assert "file is not a database" in (listing.problem or "")


async def test_what_is_being_written_is_said(tmp_path: Path) -> None:
    lock = writer_lock(await keep(tmp_path, "rules"))
    try:
        (listed,) = (await list_described(str(tmp_path))).collections
    finally:
        lock.release()

    assert "another process is writing to it" == listed.problem


async def test_collections_of_a_server_are_listed(chroma_server: str) -> None:
    await put(chroma_server, "listed")

    assert Listed("listed", "server", 3, MODEL) in (await list_described(chroma_server)).collections


async def test_a_kept_collection_is_described(tmp_path: Path) -> None:
    folder = await keep(tmp_path, "rules")
    found = await describe(str(tmp_path), "rules")

    assert ("rules", "local", 3, MODEL, 32) == (found.name, found.kind, found.chunks, found.model, found.dimension)
    assert {"row": 1, "section": 2} == found.chunk_types
    assert (SourceCount("one.md", "/books", 1), SourceCount("two.md", "/books", 2)) == found.sources
    assert {"combat": 1, "monster": 2} == found.tags
    assert (1, 1, 3) == (found.rules, found.tables, found.vocabulary)
    assert (1, "index-1", None) == (found.revision, found.index, found.problem)
    assert (found.bytes or 0) > (folder / VAULT).stat().st_size


async def test_without_its_index_a_collection_is_described_from_what_is_kept(tmp_path: Path) -> None:
    truncate(index_of(await keep(tmp_path, "rules")) / "vectors.npy")
    found = await describe(str(tmp_path), "rules")

    assert ({"row": 1, "section": 2}, 3, None) == (found.chunk_types, found.vocabulary, found.index)
    assert "vectors.npy has" in (found.problem or "")


@pytest.mark.parametrize("kind", ["plain", "server"])
async def test_others_are_described_as_far_as_they_can_be(kind: str, tmp_path: Path, chroma_server: str) -> None:
    location = chroma_server if kind == "server" else str(tmp_path)
    await put(location, "described")
    found = await describe(location, "described")

    assert (kind, 3, MODEL, 32) == (found.kind, found.chunks, found.model, found.dimension)
    assert (SourceCount("one.md", "/books", 1), SourceCount("two.md", "/books", 2)) == found.sources
    assert (None, None, None) == (found.revision, found.index, found.bytes)


async def test_what_does_not_exist_or_can_not_be_read_is_an_error(tmp_path: Path) -> None:
    (await keep(tmp_path, "rules") / VAULT).write_bytes(b"nonsense" * 1000)

    with pytest.raises(CollectionNotFound, match="existing: rules"):
        await describe(str(tmp_path), "monsters")
    with pytest.raises(StoreError, match="versus doctor rules --repair"):
        await describe(str(tmp_path), "rules")


async def test_a_damaged_collection_can_be_deleted(tmp_path: Path) -> None:
    (await keep(tmp_path, "rules") / VAULT).write_bytes(b"nonsense" * 1000)
    await delete_collection(str(tmp_path), "rules")

    assert () == await list_collections(str(tmp_path))
    assert [] == list(tmp_path.iterdir())
