"""Files that are not what was written: noticed at opening, when asked and by `doctor`, and never served as truth."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.collections.doctor import examine
from retrieval.collections.local.build import build
from retrieval.collections.local.integrity import SOUND, damage, is_untouched, note_sound
from retrieval.collections.local.layout import CURRENT, VAULT
from retrieval.collections.local.manifest import FORMAT, MANIFEST, Manifest, manifest_bytes, read_manifest
from retrieval.collections.local.vault import FORMAT as VAULT_FORMAT
from retrieval.collections.local.vault import Vault
from retrieval.collections.opening import open_collection
from retrieval.errors import Damaged, NewerFormat, StoreError
from tests.retrieval.damaging import (
    CHUNKS,
    DIMENSION,
    KINDS,
    PRICE,
    Answers,
    answers,
    file_of,
    files_of,
    flip,
    index_of,
    ingest,
    opened,
    reword,
    zero,
)
from tests.retrieval.doubles import RandomVectors

REPOSITORY = Path(__file__).parents[2]
SHARES = (0.0, 0.13, 0.5, 0.77, 1.0)


@pytest.fixture(scope="module")
async def pristine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Answers]:
    """A sound collection, and what it answers."""
    place = tmp_path_factory.mktemp("pristine")
    await ingest(place / "rules")
    async with await opened(place / "rules") as store:
        return place, await answers(store)


@pytest.fixture
def folder(pristine: tuple[Path, Answers], tmp_path: Path) -> Path:
    """A copy to damage, whose index was found sound and then not touched."""
    shutil.copytree(pristine[0], tmp_path, dirs_exist_ok=True)
    note_sound(index_of(tmp_path / "rules"))
    return tmp_path / "rules"


@pytest.fixture
def expected(pristine: tuple[Path, Answers]) -> Answers:
    return pristine[1]


def test_the_kinds_are_all_files_of_an_index(pristine: tuple[Path, Answers]) -> None:
    index = index_of(pristine[0] / "rules")
    known = {str(path.relative_to(index)) for kind in KINDS for path in index.glob(kind)}

    assert files_of(index) == known
    assert {SOUND, "lease.db"} == {path.name for path in index.rglob("*") if path.is_file()} - {
        Path(name).name for name in known
    }


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (MANIFEST, "chroma/chroma.sqlite3")])
def test_one_flipped_bit_anywhere_in_a_file_is_damage(folder: Path, kind: str, share: float) -> None:
    path = file_of(folder, kind)
    assert None is damage(index_of(folder))
    if path.stat().st_size:
        flip(path, share)
        name = str(path.relative_to(index_of(folder)))
        assert f"{name} is not what was written" == damage(index_of(folder))


@pytest.mark.parametrize("share", SHARES)
def test_one_flipped_bit_anywhere_in_a_manifest_is_damage(folder: Path, share: float) -> None:
    flip(file_of(folder, MANIFEST), share)

    with pytest.raises(Damaged, match="manifest"):
        read_manifest(index_of(folder))


@pytest.mark.parametrize("kind", KINDS)
async def test_an_index_with_a_flipped_bit_is_built_again_and_answers_the_same(
    folder: Path, expected: Answers, kind: str
) -> None:
    flip(file_of(folder, kind), 0.5)

    async with await opened(folder) as store:
        assert expected == await answers(store)


@pytest.mark.parametrize("kind", ["vectors.npy", "chroma/*/data_level0.bin"])
async def test_zeroed_pages_are_noticed_at_opening_and_by_doctor(folder: Path, expected: Answers, kind: str) -> None:
    zero(file_of(folder, kind))
    wrong = [one for one in await examine(str(folder.parent)) if one.state == "wrong"]

    assert ["index"] == [one.check for one in wrong]
    assert "is not what was written" in wrong[0].message
    async with await opened(folder) as store:
        assert expected == await answers(store)
    assert "index-2" == index_of(folder).name


async def test_a_text_that_was_changed_in_the_database_of_an_index_is_never_cited(
    folder: Path, expected: Answers
) -> None:
    assert reword(file_of(folder, "chroma/chroma.sqlite3"))
    async with await opened(folder) as store:
        found = await answers(store)

    assert PRICE == found[0][0][1]
    assert expected == found
    assert "index-2" == index_of(folder).name


@pytest.mark.slow
async def test_doctor_finds_a_changed_text_that_nobody_asked_for_and_repairs_it_without_embedding(
    folder: Path, expected: Answers
) -> None:
    reword(file_of(folder, "chroma/chroma.sqlite3"))
    (wrong,) = [one for one in await examine(str(folder.parent)) if one.state == "wrong"]
    repaired = await examine(str(folder.parent), repair=True)

    assert ("index", True) == (wrong.check, "chroma.sqlite3 is not what was written" in wrong.message)
    assert ["index"] == [one.check for one in repaired if one.state == "repaired"]
    assert [] == [one for one in repaired if one.state == "wrong"]
    assert None is damage(index_of(folder))
    async with await opened(folder) as store:
        assert expected == await answers(store)
    assert 0 == (await ingest(folder)).embedded


async def test_a_collection_that_was_copied_is_examined_once_and_not_built_again(
    pristine: tuple[Path, Answers], tmp_path: Path
) -> None:
    folder = tmp_path / "rules"
    shutil.copytree(pristine[0] / "rules", folder)
    assert not is_untouched(index_of(folder))
    async with await opened(folder) as store:
        assert pristine[1] == await answers(store)

    assert is_untouched(index_of(folder))
    assert "index-1" == index_of(folder).name


@pytest.mark.parametrize("byte", [8, 41, 49])
async def test_a_flipped_bit_that_ended_the_process_is_told_as_damage(
    folder: Path, expected: Answers, byte: int
) -> None:
    for path in index_of(folder).glob("chroma/*/header.bin"):
        flip(path, byte / path.stat().st_size, bit=7)
    note_sound(index_of(folder))  # as if the disk had lost it without a trace
    async with await opened(folder) as store:
        assert expected == await answers(store)

    assert "index-2" == index_of(folder).name


DAMAGED_ROWS: dict[str, str] = {
    "text": "update chunks set body = cast(replace(body, '15 gp', '95 gp') as blob) where id = 'lantern'",
    "vector": "update chunks set vector = zeroblob(length(vector)) where id = 'lantern'",
    "source": "update chunks set source = 'gear.mf' where id = 'lantern'",
}


@pytest.mark.parametrize("statement", DAMAGED_ROWS.values(), ids=DAMAGED_ROWS.keys())
async def test_a_damaged_row_of_the_vault_is_never_built_into_an_index(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / VAULT)) as database, database:
        database.execute(statement)
    shutil.rmtree(index_of(folder))

    with pytest.raises(StoreError, match=r"the row of chunk 'lantern' is not what was written.*doctor rules --repair"):
        await opened(folder)


@pytest.mark.slow
@pytest.mark.parametrize("statement", DAMAGED_ROWS.values(), ids=DAMAGED_ROWS.keys())
async def test_a_damaged_row_that_the_index_has_is_restored(folder: Path, expected: Answers, statement: str) -> None:
    with closing(sqlite3.connect(folder / VAULT)) as database, database:
        database.execute(statement)
    before = await examine(str(folder.parent))
    after = await examine(str(folder.parent), repair=True)

    assert ["contents"] == [one.check for one in before if one.state == "wrong"]
    assert "1 chunks ('lantern' of 'gear.m" in next(one.message for one in before if one.state == "wrong")
    assert [] == [one for one in after if one.state == "wrong"]
    async with await opened(folder) as store:
        assert expected == await answers(store)


@pytest.mark.slow
async def test_a_damaged_row_that_nobody_has_any_more_is_named_and_comes_back_by_ingesting(
    folder: Path, expected: Answers
) -> None:
    with closing(sqlite3.connect(folder / VAULT)) as database, database:
        database.execute(DAMAGED_ROWS["text"])
    zero(file_of(folder, "vectors.npy"))
    (lost,) = [one for one in await examine(str(folder.parent), repair=True) if one.state == "wrong"]

    assert "1 chunks ('lantern' of 'gear.md') were damaged beyond repair and are taken out" == lost.message
    assert "versus ingest /books/gear.md --collection rules" == lost.advice
    async with await opened(folder) as store:
        assert len(CHUNKS) - 1 == await store.count()
    assert 1 == (await ingest(folder)).embedded
    async with await opened(folder) as store:
        assert expected == await answers(store)


async def test_a_damaged_vector_of_a_killed_ingestion_is_computed_again(tmp_path: Path) -> None:
    vault = Vault(tmp_path / VAULT, model="m")
    vault.remember(["a", "b"], await RandomVectors(DIMENSION).embed(["a", "b"]))
    with closing(sqlite3.connect(tmp_path / VAULT)) as database, database:
        (key,) = database.execute("select text_key from embedded limit 1").fetchone()
        database.execute("update embedded set vector = zeroblob(length(vector)) where text_key = ?", (key,))

    assert 1 == len(vault.known(["a", "b"]))
    vault.close()


def as_the_first_format(vault: Path) -> None:
    """Take away what the first format of a vault had not."""
    with closing(sqlite3.connect(vault)) as database, database:
        columns = "id, source, root, content_hash, text_key, body, vector"
        database.execute(f"create table old as select {columns} from chunks")
        database.execute("drop table chunks")
        database.execute("alter table old rename to chunks")
        database.execute("create unique index chunks_by_id on chunks (id)")
        database.execute("alter table embedded drop column checksum")
        database.execute("update meta set value = 1 where name = 'format'")
        database.execute("delete from meta where name = 'checksum'")


@pytest.mark.slow
async def test_a_vault_of_the_first_format_is_read_and_gets_its_checksums_with_the_next_index(
    folder: Path, expected: Answers
) -> None:
    as_the_first_format(folder / VAULT)
    shutil.rmtree(index_of(folder))
    async with await opened(folder) as store:
        assert expected == await answers(store)

    vault = Vault(folder / VAULT)
    assert (VAULT_FORMAT, []) == (vault.meta()["format"], vault.damaged_rows())
    vault.close()
    assert [] == [one for one in await examine(str(folder.parent)) if one.state == "wrong"]


def of_a_newer_version(index: Path) -> None:
    then = read_manifest(index)
    newer = Manifest(then.revision, then.state, then.model, then.roots, then.chunks, then.files, FORMAT + 1)
    (index / MANIFEST).write_bytes(manifest_bytes(newer))


def vault_of_a_newer_version(folder: Path) -> None:
    vault = Vault(folder / VAULT)
    vault.note({"format": VAULT_FORMAT + 1})
    vault.close()


@pytest.mark.slow
@pytest.mark.parametrize("update", [lambda folder: of_a_newer_version(index_of(folder)), vault_of_a_newer_version])
async def test_what_a_newer_version_made_is_neither_read_nor_replaced(
    folder: Path, update: Callable[[Path], None]
) -> None:
    update(folder)
    before = left_alone(folder)

    with pytest.raises(NewerFormat, match="Update versus"):
        await opened(folder)
    with pytest.raises(NewerFormat, match="Update versus"):
        build(folder)
    found = await examine(str(folder.parent), repair=True)
    assert any("made by a newer version" in one.message for one in found if one.state == "wrong")
    assert before == left_alone(folder)


ASK = """
import asyncio, resource, sys
from pathlib import Path
from retrieval.errors import RetrievalError
from tests.retrieval.damaging import answers, opened
if int(sys.argv[2]):
    import chromadb
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]),) * 2)
async def main():
    async with await opened(Path(sys.argv[1])) as store:
        print(await answers(store))
try:
    asyncio.run(main())
except RetrievalError as error:
    print(type(error).__name__, error)
"""


def ask(folder: Path, *, most_files: int = 0, working: Path | None = None) -> str:
    """Ask in a process of its own, which may open so many files, in a working folder."""
    program = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})\n{ASK}"
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder), str(most_files)], capture_output=True, cwd=working, check=False
    )
    assert 0 == done.returncode, done.stderr.decode()
    return done.stdout.decode().strip()


def left_alone(folder: Path) -> dict[Path, int]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".db", ".sqlite3", ".lock"))
    return {path: path.stat().st_mtime_ns for path in files if path.name != SOUND}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
@pytest.mark.parametrize("most_files", [12, 16, 20, 24])
def test_too_few_open_files_are_no_damage_and_nothing_is_touched(folder: Path, most_files: int) -> None:
    before = left_alone(folder)
    said = ask(folder, most_files=most_files)

    assert said.startswith(("ProcessTrouble", "StoreError", "((("))
    assert said.startswith("(((") or "ulimit -n" in said
    assert before == left_alone(folder)


def test_a_variable_that_chroma_takes_for_its_own_is_no_damage_and_is_named(folder: Path, tmp_path: Path) -> None:
    working = tmp_path / "working"
    working.mkdir()
    (working / ".env").write_text("CHROMA_SERVER_NOFILE=sk-secret\n")
    before = left_alone(folder)
    said = ask(folder, working=working)

    assert said.startswith("ProcessTrouble Chroma can't start: it takes CHROMA_SERVER_NOFILE")
    assert "sk-secret" not in said
    assert before == left_alone(folder)


async def test_a_scan_is_a_snapshot_of_the_revision_it_began_with(folder: Path) -> None:
    async with await opened(folder) as store, await opened(folder) as writer:
        scan = store.scan()
        first = await anext(scan)
        vectors = await RandomVectors(DIMENSION).embed(["text"])
        gone = [chunk.id for chunk in CHUNKS if chunk.id != first.id]
        await writer.upsert([], vectors[:0], [], gone)
        await store.upsert([], vectors[:0], [], [first.id])
        rest = [chunk.id async for chunk in scan]

        assert {chunk.id for chunk in CHUNKS} == {first.id, *rest}
        assert [] == [chunk async for chunk in store.scan()]


async def test_a_pointer_that_leads_nowhere_is_built_again(folder: Path, expected: Answers) -> None:
    (folder / CURRENT).write_text("index-9")
    async with await opened(folder) as store:
        assert expected == await answers(store)


async def test_a_link_that_leads_to_itself_is_told(tmp_path: Path) -> None:
    place = tmp_path / "chroma"
    place.symlink_to(place)

    with pytest.raises(StoreError, match="leads to itself"):
        await open_collection(str(place), "rules")
    (found,) = await examine(str(place))
    assert ("wrong", True) == (found.state, "leads to itself" in found.message)
