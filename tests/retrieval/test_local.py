"""A local collection: the store contract, and that its index can be lost, replaced and shared, and nothing with it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
import pytest

from retrieval.collections.local.build import build
from retrieval.collections.local.builder import build_apart
from retrieval.collections.local.integrity import damage
from retrieval.collections.local.layout import CHROMA, CURRENT, VAULT, current_index, is_locked, writer_lock
from retrieval.collections.local.manifest import MANIFEST, read_manifest
from retrieval.collections.local.store import LocalStore, create_vault, open_local
from retrieval.collections.local.vault import Vault
from retrieval.errors import CollectionNotFound, StoreError
from retrieval.stores.store import MemoryStore, Stamp
from retrieval.text.normal import Words
from retrieval.types import Chunk, QueryMust
from tests.retrieval.doubles import BagOfWords
from tests.retrieval.store_contract import DIMENSION, FULL, StoreContract, corpus, fill, stamp_of, vectors


async def build_here(folder: Path) -> None:
    """Build in this process: the same work without the second that a new process takes to start."""
    await asyncio.to_thread(build, folder)


async def opened(folder: Path) -> LocalStore:
    return await open_local(folder, model="bag-of-words", build=build_here)


class TestLocalStore(StoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[LocalStore]:
        async with await opened(tmp_path / "rules") as store:
            yield store


class TestReopenedLocalStore(StoreContract):
    """What one store wrote, as another one reads it."""

    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[LocalStore]:
        async with await opened(tmp_path / "rules") as first:
            await fill(first, 3, seed=7)
            await first.upsert([], np.zeros((0, DIMENSION), dtype=np.float32), [], [f"c{n:03}" for n in range(3)])
        async with await opened(tmp_path / "rules") as store:
            yield store


async def test_a_collection_that_does_not_exist_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(CollectionNotFound):
        await open_local(tmp_path / "rules")

    assert [] == list(tmp_path.iterdir())


async def test_building_in_a_process_of_its_own_gives_the_same(tmp_path: Path) -> None:
    async with await open_local(tmp_path / "apart", model="m") as apart, await opened(tmp_path / "here") as here:
        await fill(apart, 40)
        await fill(here, 40)
        for vector in vectors(3, seed=9):
            assert await here.query(vector, 12) == await apart.query(vector, 12)


def index_of(folder: Path) -> Path:
    index = current_index(folder)
    assert index is not None
    return index


def largest_file(index: Path) -> Path:
    return max((path for path in (index / CHROMA).rglob("*.bin")), key=lambda path: path.stat().st_size)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def leave_only_the_vault(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != VAULT:
            path.unlink()


def garble_the_pointer(folder: Path) -> None:
    (folder / CURRENT).write_bytes(b"\xff\x00nonsense")


DESTROYED: dict[str, Callable[[Path], None]] = {
    "truncated vectors of Chroma": lambda folder: truncate(largest_file(index_of(folder))),
    "truncated database": lambda folder: truncate(index_of(folder) / CHROMA / "chroma.sqlite3"),
    "deleted index": lambda folder: shutil.rmtree(index_of(folder)),
    "deleted Chroma folder": lambda folder: shutil.rmtree(index_of(folder) / CHROMA),
    "deleted manifest": lambda folder: (index_of(folder) / MANIFEST).unlink(),
    "deleted pointer": lambda folder: (folder / CURRENT).unlink(),
    "garbage pointer": garble_the_pointer,
    "truncated rows": lambda folder: truncate(index_of(folder) / "rows.json"),
    "truncated own vectors": lambda folder: truncate(index_of(folder) / "vectors.npy"),
    "all but the vault": leave_only_the_vault,
}


@pytest.mark.parametrize("destroy", DESTROYED.values(), ids=DESTROYED.keys())
async def test_a_destroyed_index_is_built_again_at_open_and_answers_the_same(
    tmp_path: Path, destroy: Callable[[Path], None]
) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as store:
        await fill(store, 60)
        before = [await store.query(vector, 12) for vector in vectors(3, seed=9)]
    destroy(folder)

    async with await opened(folder) as store:
        assert before == [await store.query(vector, 12) for vector in vectors(3, seed=9)]
        assert 60 == await store.count()


async def test_an_index_destroyed_while_open_is_built_again_at_the_first_failing_query(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as writer:
        await fill(writer, 60)
        before = await writer.query(vectors(1)[0], 12)
    async with await opened(folder) as store:
        for path in (index_of(folder) / CHROMA).rglob("*"):
            if path.is_file():
                path.write_bytes(b"")  # a database that is open answers from a file that is only gone
        shutil.rmtree(index_of(folder) / CHROMA)

        found = await asyncio.gather(*(store.query(vectors(1)[0], 12) for _ in range(5)))
        assert [before] * 5 == found
        assert "index-2" == index_of(folder).name


async def test_a_change_that_was_kept_but_never_shown_is_shown_by_the_next_hold(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as store:
        await fill(store, 5)
    vault = Vault(folder / VAULT)
    vault.apply([FULL], vectors(1), [stamp_of(FULL)])
    vault.close()

    async with await opened(folder) as store:
        assert 5 == await store.count()
        async with store.writing(BagOfWords(dimension=DIMENSION)):
            pass
        assert [FULL] == await store.get([FULL.id])


async def test_a_second_writer_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as store, await opened(folder) as other:
        await fill(store, 5)
        async with store.writing(BagOfWords(dimension=DIMENSION)):
            with pytest.raises(StoreError, match="another process is writing to 'rules'"):
                await other.upsert([FULL], vectors(1), [stamp_of(FULL)])
            async with await opened(folder) as reader:
                assert 5 == await reader.count()


async def test_readers_see_the_old_or_the_new_and_old_indexes_go_when_nobody_reads_them(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as writer:
        await fill(writer, 5)
        async with await opened(folder) as reader:
            await fill(writer, 8)
            assert (8, 5) == (await writer.count(), await reader.count())
            assert 5 == len(await reader.query(vectors(1)[0], 20))
            await fill(writer, 9)
            assert 5 == len(await reader.query(vectors(1)[0], 20))
        await fill(writer, 10)

        assert ["index-4"] == sorted(path.name for path in folder.glob("index-*"))


async def test_vectors_of_a_killed_ingestion_are_not_computed_again(tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    async with await opened(tmp_path / "rules") as store:
        first, second = BagOfWords(dimension=DIMENSION), BagOfWords(dimension=DIMENSION)
        with pytest.raises(Killed):
            async with store.writing(first) as embedder:
                await embedder.embed(["a bear", "an owl"])
                raise Killed
        async with store.writing(second) as embedder:
            found = await embedder.embed(["an owl", "a bat", "a bear", "a bat"])

    assert [["a bat"]] == second.calls
    assert np.array_equal(found, await BagOfWords(dimension=DIMENSION).embed(["an owl", "a bat", "a bear", "a bat"]))


@pytest.mark.parametrize("changes", [(40,), (150, 1), (60, 3, 1)])
async def test_reading_changes_no_file_of_an_index(tmp_path: Path, changes: tuple[int, ...]) -> None:
    """Readers that come at once each repeat what Chroma has not synchronised, and together made it write its files."""
    for number, count in enumerate(changes):
        async with await opened(tmp_path / "rules") as store:
            await fill(store, count, seed=number)
            if number:
                await store.upsert([], np.zeros((0, DIMENSION), dtype=np.float32), [], ["c000"])
    async with await opened(tmp_path / "rules") as store:
        await asyncio.gather(*(store.query(vector, 3) for vector in vectors(24, seed=9)))
        await asyncio.gather(*(store.query(vector, 3, {"chunk_type": "row"}) for vector in vectors(24, seed=9)))
    index = current_index(tmp_path / "rules")
    assert index is not None
    assert None is damage(index)


async def test_what_did_not_change_is_taken_over_from_the_old_index(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as store:
        chunks = await fill(store, 50)
        told: list[tuple[int, int]] = []
        changed = replace(chunks[3], text="other", query_must=QueryMust(contain="owl"))
        vault = Vault(folder / VAULT)
        vault.apply([changed], vectors(1, seed=4), [stamp_of(changed)], ["c007"])
        vault.close()
        await asyncio.to_thread(build, folder, lambda done, total: told.append((done, total)))

    async with await opened(folder) as store:
        assert [(0, 1), (1, 1)] == told
        assert 49 == await store.count()
        assert [changed] == await store.get(["c003", "c007"])
        assert {chunk.id for chunk in chunks} - {"c007"} == {c.id for c, _ in await store.query(vectors(1)[0], 99)}


async def test_eligible_chunks_are_found_behind_any_number_of_look_alikes(tmp_path: Path) -> None:
    noise = [Chunk(f"n{n:03}", "noise", f"N{n}", query_must=QueryMust(contain=f"owl {n}")) for n in range(300)]
    clean = corpus(20)
    near, far = vectors(300, seed=1) * 0.01 + vectors(1)[0], vectors(20, seed=2)
    async with await opened(tmp_path / "rules") as store:
        await store.upsert([*noise, *clean], np.vstack([near, far]), [Stamp("h")] * 320)
        found = await store.query_eligible(vectors(1)[0], 6, Words("owl 7 and owl 9"))

    allowed = {"n007", "n009", *(chunk.id for chunk in clean)}
    mine = [chunk.id for chunk, _ in found.candidates if chunk.id in allowed]
    assert {"n007", "n009"} == set(mine[:2])
    assert 6 == len(mine)
    assert 6 == len(found.candidates) - len(mine)
    assert not found.complete


async def test_narrowing_is_exact_whatever_the_fields(tmp_path: Path) -> None:
    oracle, where = MemoryStore(), {"chunk_type": ["row", "table"], "tags": "combat", "title_key": ["druid", "owlbear"]}
    async with await opened(tmp_path / "rules") as store:
        await fill(store, 80)
        await fill(oracle, 80)
        for vector in vectors(3, seed=3):
            expected = [chunk.id for chunk, _ in await oracle.query(vector, 5, where)]
            found = await store.query_eligible(vector, 5, Words("anything"), where)

            assert expected == [chunk.id for chunk, _ in found.candidates]


def test_the_lock_of_a_collection_is_free_again_when_it_is_released(tmp_path: Path) -> None:
    writer_lock(tmp_path).release()
    writer_lock(tmp_path).release()


async def test_a_vault_whose_making_was_killed_counts_as_none_and_can_be_made(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / VAULT).touch()

    with pytest.raises(CollectionNotFound):
        await open_local(folder)
    async with await opened(folder) as store:
        await fill(store, 5)
        assert 5 == await store.count()


async def test_two_that_make_one_vault_at_the_same_moment_get_the_same(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    made = await asyncio.gather(*(asyncio.to_thread(create_vault, tmp_path / "rules", "m") for _ in range(8)))

    assert 1 == len({vault.meta()["state"] for vault in made})
    for vault in made:
        vault.close()


async def test_a_collection_that_nothing_was_kept_in_can_be_given_another_model(tmp_path: Path) -> None:
    async with await open_local(tmp_path / "rules", model="a slip") as store:
        assert "a slip" == store.model
    async with await opened(tmp_path / "rules") as store:
        await fill(store, 5)
    async with await open_local(tmp_path / "rules", model="another") as store:
        assert "bag-of-words" == store.model


async def test_a_cancelled_change_is_finished_before_anybody_else_may_write(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as store:
        with closing(sqlite3.connect(folder / VAULT, isolation_level=None)) as other:
            other.execute("begin immediate")
            changing = asyncio.create_task(fill(store, 50))
            await asyncio.wait([changing], timeout=0.3)
            changing.cancel()
            done, _ = await asyncio.wait([changing], timeout=0.3)
            assert (set(), True) == (done, is_locked(folder))
            other.execute("rollback")

        with pytest.raises(asyncio.CancelledError):
            await changing
        assert (50, False) == (len(await store.stamps()), is_locked(folder))


async def test_what_a_writer_starts_writes_with_its_hold(tmp_path: Path) -> None:
    async with await opened(tmp_path / "rules") as store:
        async with store.writing(BagOfWords(dimension=DIMENSION)):
            await asyncio.create_task(fill(store, 5))
            assert 0 == await store.count()
        assert 5 == await store.count()


async def test_an_index_of_another_version_is_built_anew(tmp_path: Path) -> None:
    async with await opened(tmp_path / "rules") as store:
        await fill(store, 5)
    manifest = index_of(tmp_path / "rules") / MANIFEST
    manifest.write_bytes(orjson.dumps(orjson.loads(manifest.read_bytes()) | {"format": 1, "more": 2}))

    with pytest.raises(StoreError, match="has format 1, this version of versus reads"):
        read_manifest(index_of(tmp_path / "rules"))
    async with await opened(tmp_path / "rules") as store:
        assert 5 == await store.count()


async def test_writers_of_one_store_take_turns(tmp_path: Path) -> None:
    async with await opened(tmp_path / "rules") as store:
        await asyncio.gather(*(fill(store, count, seed=1) for count in (5, 9, 7)))

        assert 9 == await store.count()


def test_a_builder_that_nobody_waits_for_builds_nothing(tmp_path: Path) -> None:
    create_vault(tmp_path, "m").close()
    code = (
        "import sys; from retrieval.processes.worker import telling; from retrieval.collections.local.build import "
        "main; "
        f"sys.exit(main({str(tmp_path)!r}, '', telling(sys.stdout.buffer)))"
    )
    repository = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=repository
    )

    assert (1, b'{"ready":true}\n', b"") == (done.returncode, done.stdout, done.stderr)
    assert current_index(tmp_path) is None


async def test_a_builder_that_dies_is_an_error_that_says_how(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    async with await opened(folder) as store:
        await fill(store, 5)
    (folder / VAULT).write_bytes(b"nonsense" * 1000)

    with pytest.raises(StoreError, match=r"is damaged .*versus doctor rules --repair"):
        await build_apart(folder)


async def test_progress_is_told_while_an_index_is_built(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    async with await opened(tmp_path / "rules") as store:
        await fill(store, 40)
    await asyncio.to_thread(build, tmp_path / "rules", lambda done, total: told.append((done, total)))
    shutil.rmtree(index_of(tmp_path / "rules"))
    await build_apart(tmp_path / "rules", lambda done, total: told.append((done, total)))

    assert [(0, 0), (0, 40), (40, 40)] == told
