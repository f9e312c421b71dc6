"""What an examination finds in collections that were really damaged, and that mending them loses nothing."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.collections import chroma
from retrieval.collections.doctor import examine
from retrieval.collections.health_report import Diagnosis
from retrieval.collections.local.layout import CHROMA, CURRENT, VAULT, writer_lock
from retrieval.collections.local.store import open_local
from retrieval.collections.local.vault import Vault
from retrieval.collections.opening import delete_collection, open_collection
from retrieval.errors import CollectionNotFound, Damaged
from retrieval.ingest.index import Indexed, content_hash, embedding_text, index
from retrieval.stores.store import Stamp
from retrieval.types import Chunk
from tests.retrieval.doubles import BagOfWords, RandomVectors
from tests.retrieval.store_contract import corpus
from tests.retrieval.test_local import build_here, garble_the_pointer, index_of, largest_file, truncate

CHUNKS = corpus(60)
SOURCES = {"one.md": "/books/one", "two.md": "/books/two"}


async def ingest(place: Path, chunks: list[Chunk] = CHUNKS) -> tuple[Indexed, BagOfWords]:
    embedder = BagOfWords(dimension=32)
    async with await open_local(place / "rules", model=embedder.name, build=build_here) as store:
        return await index(chunks, store, embedder, sources=SOURCES), embedder


async def content(place: Path) -> tuple[list[tuple[Chunk, float]], dict[str, Stamp]]:
    """Everything a collection answers with, and everything it remembers of it."""
    store = await open_collection(str(place), "rules")
    vector = (await BagOfWords(dimension=32).embed(["text 7"]))[0]
    try:
        return await store.query(vector, 100), await store.stamps()
    finally:
        await store.close()


def by_check(found: list[Diagnosis], state: str) -> dict[str, str]:
    return {one.check: one.message for one in found if one.state == state}


def written(place: Path) -> dict[Path, int]:
    """When each file was written; Chroma writes to its own database whenever it opens it."""
    files = (path for path in place.rglob("*") if path.is_file() and path.name != "chroma.sqlite3")
    return {path: path.stat().st_mtime_ns for path in files}


async def test_a_sound_collection_is_found_sound_and_not_changed(tmp_path: Path) -> None:
    await ingest(tmp_path)
    before = written(tmp_path)
    found = await examine(str(tmp_path))

    absent = "its embedding model bag-of-words is not on this machine; it is downloaded when it is first used"
    assert {"model": absent} == by_check(found, "noted")
    assert {} == by_check(found, "wrong")
    assert {"folder", "disk", "vault", "index", "contents", "queries"} == set(by_check(found, "sound"))
    assert before == written(tmp_path)


async def test_a_place_that_does_not_exist_is_no_problem(tmp_path: Path) -> None:
    found = await examine(str(tmp_path / "nowhere"))

    assert ["sound"] == [one.state for one in found]
    assert not (tmp_path / "nowhere").exists()


async def test_a_collection_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    await ingest(tmp_path)
    with pytest.raises(CollectionNotFound, match="rules"):
        await examine(str(tmp_path), "monsters")


def scramble(path: Path, start: int = 0) -> None:
    """Overwrite a file with nonsense of the same length."""
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:start] + b"\x40" * (size - start))


def make_the_pointer_a_folder(folder: Path) -> None:
    (folder / CURRENT).unlink()
    (folder / CURRENT).mkdir()


def scramble_the_graph(folder: Path) -> None:
    for path in (index_of(folder) / CHROMA).glob("*/header.bin"):
        scramble(path, start=40)  # so that reading it ends the process


DAMAGED_INDEX: dict[str, tuple[Callable[[Path], None], str]] = {
    "truncated file of Chroma": (lambda folder: truncate(largest_file(index_of(folder))), "index"),
    "deleted index": (lambda folder: shutil.rmtree(index_of(folder)), "index"),
    "garbage pointer": (garble_the_pointer, "index"),
    "unreadable pointer": (make_the_pointer_a_folder, "index"),
    "scrambled rows": (lambda folder: scramble(index_of(folder) / "rows.json"), "index"),
    "scrambled graph of Chroma": (scramble_the_graph, "index"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("destroy", "check"), DAMAGED_INDEX.values(), ids=DAMAGED_INDEX.keys())
async def test_a_damaged_index_is_found_and_built_again(
    tmp_path: Path, destroy: Callable[[Path], None], check: str
) -> None:
    await ingest(tmp_path)
    before = await content(tmp_path)
    destroy(tmp_path / "rules")
    told: list[tuple[str, int, int]] = []

    assert [check] == list(by_check(await examine(str(tmp_path)), "wrong"))
    found = await examine(str(tmp_path), repair=True, on_progress=lambda *step: told.append(step))
    assert {} == by_check(found, "wrong")
    assert [check] == list(by_check(found, "repaired"))
    assert ("rules", 60, 60) == told[-1]
    assert before == await content(tmp_path)


async def test_a_change_that_was_kept_but_never_shown_is_shown(tmp_path: Path) -> None:
    await ingest(tmp_path)
    vault = Vault(tmp_path / "rules" / VAULT)
    vault.apply([], [], [], ["c007"])  # type: ignore[arg-type]
    vault.close()

    assert ["index"] == list(by_check(await examine(str(tmp_path)), "wrong"))
    await examine(str(tmp_path), "rules", repair=True)
    answered, stamps = await content(tmp_path)
    assert (59, 59) == (len(answered), len(stamps))


async def test_a_vault_that_was_put_back_from_a_copy_does_not_pass_for_that_of_the_index(tmp_path: Path) -> None:
    vault, copy = tmp_path / "rules" / VAULT, tmp_path / "copy"
    await ingest(tmp_path, CHUNKS[:50])
    shutil.copy(vault, copy)
    await ingest(tmp_path, CHUNKS)
    shutil.copy(copy, vault)
    other = replace(CHUNKS[0], id="other")
    await ingest(tmp_path, [*CHUNKS[:50], other])

    answered, stamps = await content(tmp_path)
    assert {*(chunk.id for chunk in CHUNKS[:50]), "other"} == set(stamps) == {chunk.id for chunk, _ in answered}


def scramble_the_pages(folder: Path) -> None:
    scramble(folder / VAULT, start=4096)


def change_a_letter(folder: Path) -> None:
    """What a disk does that loses a bit: SQLite can't know."""
    with closing(sqlite3.connect(folder / VAULT)) as database, database:
        database.execute("update chunks set body = cast(replace(body, 'text 7', 'text 8') as blob) where id = 'c007'")


def empty_the_file(folder: Path) -> None:
    (folder / VAULT).write_bytes(b"")


DAMAGED_VAULT: dict[str, tuple[Callable[[Path], None], str]] = {
    "scrambled": (scramble_the_pages, "vault"),
    "deleted": (lambda folder: (folder / VAULT).unlink(), "vault"),
    "emptied": (empty_the_file, "vault"),
    "with a letter changed": (change_a_letter, "contents"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("destroy", "check"), DAMAGED_VAULT.values(), ids=DAMAGED_VAULT.keys())
async def test_a_damaged_vault_is_made_again_from_its_index_with_all_it_knew(
    tmp_path: Path, destroy: Callable[[Path], None], check: str
) -> None:
    await ingest(tmp_path)
    before = await content(tmp_path)
    destroy(tmp_path / "rules")

    assert [check] == list(by_check(await examine(str(tmp_path)), "wrong"))
    found = await examine(str(tmp_path), repair=True)
    assert [check] == list(by_check(found, "repaired"))
    assert {} == by_check(found, "wrong")
    assert before == await content(tmp_path)
    done, embedder = await ingest(tmp_path)
    assert (Indexed(0, 60, 0), []) == (done, embedder.calls)


async def test_what_the_index_lost_too_is_said_and_not_made_worse(tmp_path: Path) -> None:
    await ingest(tmp_path)
    scramble_the_pages(tmp_path / "rules")
    truncate(largest_file(index_of(tmp_path / "rules")))
    before = (tmp_path / "rules" / VAULT).read_bytes()
    found = await examine(str(tmp_path), repair=True)

    assert {"vault", "index", "repair"} == set(by_check(found, "wrong"))
    assert "versus collections rules --delete" in by_check(found, "wrong")["repair"]
    assert before == (tmp_path / "rules" / VAULT).read_bytes()


@pytest.mark.slow
async def test_what_killed_builds_left_is_found_and_removed(tmp_path: Path) -> None:
    await ingest(tmp_path)
    left = [tmp_path / "rules" / "index-9.building", tmp_path / ".rules.adopting", tmp_path / ".rules.deleted"]
    for path in left:
        path.mkdir()

    found = await examine(str(tmp_path))
    assert [(None, "leftovers"), ("rules", "leftovers")] == [
        (one.collection, one.check) for one in found if one.state == "wrong"
    ]
    found = await examine(str(tmp_path), repair=True)
    assert ["repaired", "repaired"] == [one.state for one in found if one.check == "leftovers"]
    assert [] == [path for path in left if path.exists()]


async def test_what_is_being_written_is_neither_judged_nor_touched(tmp_path: Path) -> None:
    await ingest(tmp_path)
    building = tmp_path / "rules" / "index-2.building"
    building.mkdir()
    lock = writer_lock(tmp_path / "rules")
    try:
        found = await examine(str(tmp_path), repair=True)
    finally:
        lock.release()

    assert {} == by_check(found, "wrong")
    assert "another process is writing to it now" == by_check(found, "noted")["lock"]
    assert building.exists()


@pytest.fixture
async def plain(tmp_path: Path) -> Path:
    """A plain Chroma collection, whose files are those of 1,000 chunks."""
    embedder, many = RandomVectors(32), [Chunk(f"p{n:04}", f"text {n} of many", f"P{n:04}") for n in range(1000)]
    async with await chroma.open_collection(str(tmp_path), "rules", create=True, embedder=embedder) as store:
        vectors = await embedder.embed([embedding_text(chunk) for chunk in many])
        await store.upsert(many, vectors, [Stamp(content_hash(chunk), "", "") for chunk in many])
    return tmp_path


def file_of(place: Path, name: str) -> Path:
    return next(place.glob(f"*/{name}"))


async def test_a_sound_plain_collection_is_found_sound(plain: Path) -> None:
    assert {"sound"} == {one.state for one in await examine(str(plain))}


async def test_a_plain_collection_that_lost_vectors_is_found_though_its_count_is_right(plain: Path) -> None:
    truncate(file_of(plain, "data_level0.bin"))
    async with await chroma.open_collection(str(plain), "rules") as store:
        assert 1000 == await store.count()
    (found,) = (one for one in await examine(str(plain)) if one.state == "wrong")

    assert ("queries", "rules") == (found.check, found.collection)
    assert "versus ingest PATH --collection rules" in found.advice


@pytest.mark.slow
async def test_taking_over_a_plain_collection_that_lost_vectors_embeds_its_texts_again(plain: Path) -> None:
    truncate(file_of(plain, "data_level0.bin"))
    embedder = RandomVectors(32)
    store = await open_collection(str(plain), "rules", create=True, embedder=embedder)
    try:
        vector = (await embedder.embed(["P0777\ntext 777 of many"]))[0]
        assert ["p0777"] == [chunk.id for chunk, _ in await store.query(vector, 1)]
        assert 1000 == await store.count()
    finally:
        await store.close()

    assert {} == by_check(await examine(str(plain)), "wrong")


async def test_a_plain_collection_that_ends_the_process_that_reads_it_is_found_and_can_be_deleted(plain: Path) -> None:
    scramble(file_of(plain, "header.bin"), start=40)
    (found,) = (one for one in await examine(str(plain)) if one.state == "wrong")
    await delete_collection(str(plain), "rules")

    assert "was ended by SIG" in found.message
    assert "versus collections rules --delete" in found.advice
    assert ["sound"] * 2 == [one.state for one in await examine(str(plain))]


async def test_a_plain_collection_that_ends_the_process_is_told_and_ends_only_another(
    plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(plain / "cache"))
    async with await chroma.open_collection(str(plain), "rules") as store:
        expected = await store.count()
    for _ in range(2):
        store_again = await open_collection(str(plain), "rules")
        assert expected == await store_again.count()
        await store_again.close()
    assert 1 == len(list((plain / "cache").glob("versus/answering/*.json")))

    scramble(file_of(plain, "header.bin"), start=40)
    with pytest.raises(Damaged, match=r"was ended by SIG.* versus collections rules --delete"):
        await open_collection(str(plain), "rules")


async def test_a_broken_database_of_others_does_not_hide_what_is_kept(tmp_path: Path) -> None:
    await ingest(tmp_path)
    (tmp_path / "chroma.sqlite3").write_bytes(b"nonsense" * 1000)
    found = await examine(str(tmp_path))

    assert {"database"} == set(by_check(found, "wrong"))
    assert {"vault", "index", "contents", "queries"} <= set(by_check(found, "sound"))


async def test_little_room_is_a_problem_before_it_hurts(small_disk: Path) -> None:
    found = await examine(str(small_disk))

    assert {"disk"} == set(by_check(found, "wrong"))
    assert "make room for 100 MB" == next(one.advice for one in found if one.check == "disk")


async def test_collections_on_a_server_are_asked_too(chroma_server: str) -> None:
    embedder = BagOfWords(dimension=32)
    async with await chroma.open_collection(chroma_server, "examined", create=True, embedder=embedder) as store:
        await store.upsert(CHUNKS, await embedder.embed([c.text for c in CHUNKS]), [Stamp("h")] * 60)

    found = await examine(chroma_server, "examined")
    assert ["sound", "sound"] == [one.state for one in found]
    assert ["wrong"] == [one.state for one in await examine("http://127.0.0.1:9")]
