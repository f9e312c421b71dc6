"""Examine and repair a local collection: its vault, its index, their agreement, and its answers.

The vault is the truth, so a faulty index is rebuilt from it without embedding anything. A faulty vault is restored from
a sound index, which holds the same chunks.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

from retrieval.collections.health_report import Diagnosis, State
from retrieval.collections.local.builder import build_apart
from retrieval.collections.local.integrity import damage, glance
from retrieval.collections.local.layout import (
    CURRENT,
    VAULT,
    current_index,
    in_force,
    is_locked,
    leftovers,
    remove_leftovers,
    writer_lock,
)
from retrieval.collections.local.probe import probe_apart
from retrieval.collections.local.restore import restore
from retrieval.collections.local.rule_index import RuleIndex, digest
from retrieval.collections.local.vault import DamagedChunk, Vault
from retrieval.embedding.protocol import Progress
from retrieval.errors import Damaged, NewerFormat, ProcessTrouble, StoreError


def index_problem(folder: Path, state: str, *, wholly: bool = False) -> str | None:
    """Return why the index in force does not match a vault of this state; `None` if it does.

    Its files are read `wholly`, or only their sizes.
    """
    try:
        index = current_index(folder)
        if index is None:
            return "no index is in force"
        if (wrong := damage(index) if wholly else glance(index)) is not None:
            return f"the index is damaged: {wrong}"
    except StoreError as error:
        return str(error)
    shown = in_force(folder)
    if shown is None or shown.state != state:
        return "the index was built from other chunks than are kept: an ingestion was stopped, or a copy was put back"
    return None


async def examine(folder: Path) -> list[Diagnosis]:
    """Examine the local collection in `folder`: vault, index, contents, queries, leftovers."""
    busy = await asyncio.to_thread(is_locked, folder)
    found = [_diagnosis(folder, "lock", "noted", "another process is writing to it now")] if busy else []
    found += await asyncio.to_thread(lambda: list(_files(folder, busy)))
    if not busy and _is_sound(found, "vault", "index"):
        found += await asyncio.to_thread(lambda: list(_leftovers(folder)))
    index = await asyncio.to_thread(in_force, folder)
    if index is not None and _is_sound(found, "index"):
        found.append(await _queries(folder))
    return found


async def repair(folder: Path, found: list[Diagnosis], on_progress: Progress | None = None) -> list[Diagnosis]:
    """Repair what `examine` found, as far as possible, and return what was lost.

    `StoreError` says what can't be repaired, and what to do.
    """
    if not _is_sound(found, "version"):
        raise StoreError("nothing was changed: only the version of versus that made it can mend it")
    lock = await asyncio.to_thread(writer_lock, folder)
    try:
        lost: list[DamagedChunk] = []
        doubtful = not _is_sound(found, "index", "queries")
        if not _is_sound(found, "vault", "contents"):
            without_damaged, lost = await asyncio.to_thread(_restored, folder, _is_sound(found, "vault"))
            doubtful = without_damaged or doubtful
        if doubtful:
            await asyncio.to_thread(_make_way, folder)
            await build_apart(folder, on_progress, afresh=True)
        await asyncio.to_thread(remove_leftovers, folder)
    finally:
        lock.release()
    return [_lost_chunks(folder, lost)] if lost else []


def _files(folder: Path, busy: bool) -> Iterator[Diagnosis]:
    """Yield what can be checked without Chroma."""
    advice = f"versus doctor {folder.name} --repair"
    try:
        vault = Vault(folder / VAULT)
    except NewerFormat as error:
        yield _diagnosis(folder, "version", "wrong", str(error))
        return
    except StoreError as error:
        yield _diagnosis(folder, "vault", "wrong", str(error), "" if advice in str(error) else advice)
        yield from _index_alone(folder)
        return
    try:
        wrong = vault.damage()
        meta, chunks = vault.meta(), vault.count()
        if wrong is not None:
            yield _diagnosis(folder, "vault", "wrong", f"{vault.path} is damaged: {wrong}", advice)
            yield from _index_alone(folder)
            return
        yield _diagnosis(folder, "vault", "sound", f"{chunks:,} chunks, revision {meta['revision']}")
        yield from _rows(folder, vault)
        if not busy:
            yield from _index(folder, vault, str(meta["state"]), int(meta["revision"]))
    except NewerFormat as error:
        yield _diagnosis(folder, "version", "wrong", str(error))
    except StoreError as error:
        yield _diagnosis(folder, "vault", "wrong", str(error), advice)
    finally:
        vault.close()


def _rows(folder: Path, vault: Vault) -> Iterator[Diagnosis]:
    """Compare every row of the vault with its checksum."""
    if damaged := vault.damaged_rows():
        message = f"{_listed(damaged)} of the vault are not what was written: the disk lost something"
        yield _diagnosis(folder, "contents", "wrong", message, f"versus doctor {folder.name} --repair")


def _leftovers(folder: Path) -> Iterator[Diagnosis]:
    if damaged := ", ".join(path.name for path in folder.glob(f"{VAULT}.damaged-*")):
        yield _diagnosis(folder, "old vault", "noted", f"what was damaged is still there, as {damaged}", "delete it")
    if names := ", ".join(path.name for path in leftovers(folder)):
        advice = f"versus doctor {folder.name} --repair"
        yield _diagnosis(folder, "leftovers", "wrong", f"a build was killed and left {names}; it does no harm", advice)


def _index(folder: Path, vault: Vault, state: str, revision: int) -> Iterator[Diagnosis]:
    advice = f"versus doctor {folder.name} --repair"
    problem = index_problem(folder, state, wholly=True)
    index = current_index(folder) if problem is None else None
    if problem is not None and revision == 0:
        empty = "the collection is empty: nothing was ingested into it, or that was stopped"
        yield _diagnosis(folder, "index", "noted", empty, f"versus ingest PATH --collection {folder.name}")
    elif index is None:
        safe = "its chunks are safe in the vault, and it is built again when it is next used"
        yield _diagnosis(folder, "index", "wrong", f"{problem}; {safe}", advice)
    else:
        yield _diagnosis(folder, "index", "sound", f"{index.name} is up to date")
        yield from _contents(folder, vault, index)


def _index_alone(folder: Path) -> Iterator[Diagnosis]:
    """Yield whether the files of the index are intact, if there is no vault to compare it with."""
    try:
        index = current_index(folder)
        wrong = None if index is None else damage(index)
    except StoreError as error:
        wrong = str(error)
    if wrong is not None:
        yield _diagnosis(folder, "index", "wrong", f"the index is damaged: {wrong}")


def _contents(folder: Path, vault: Vault, index: Path) -> Iterator[Diagnosis]:
    """Compare the checksum of every chunk in the vault with that of its index."""
    try:
        directory = RuleIndex.load(index)
        stored = {row.id: digest(row) for batch in vault.rows() for row in batch}
    except Damaged:
        return  # the damaged row is reported already
    built = dict(zip(directory.ids, directory.digests, strict=True))
    differing = [id_ for id_ in built.keys() | stored.keys() if built.get(id_) != stored.get(id_)]
    if not differing:
        yield _diagnosis(folder, "contents", "sound", "checksums agree")
        return
    message = f"{len(differing)} chunks of the vault, e.g. {min(differing)!r}, are not what they were in the index"
    yield _diagnosis(folder, "contents", "wrong", message, f"versus doctor {folder.name} --repair")


async def _queries(folder: Path) -> Diagnosis:
    """Query the index in a separate process, since a damaged one can crash it."""
    index = await asyncio.to_thread(current_index, folder)
    try:
        problem = None if index is None else await probe_apart(index)
    except ProcessTrouble as error:
        problem = error
    if problem is None:
        return _diagnosis(folder, "queries", "sound", "chunks find themselves")
    if isinstance(problem, ProcessTrouble):
        return _diagnosis(folder, "process", "wrong", str(problem))
    return _diagnosis(folder, "queries", "wrong", str(problem), f"versus doctor {folder.name} --repair")


def _restored(folder: Path, readable: bool) -> tuple[bool, list[DamagedChunk]]:
    """Restore the vault from an index.

    If that fails and the vault is `readable`, its damaged rows are removed: then return True, as its index must be
    rebuilt, and the lost chunks.
    """
    try:
        restore(folder)
    except (StoreError, OSError) as error:
        if readable:
            return True, _taken_out(folder)
        raise StoreError(
            f"{folder / VAULT} can't be made again ({error}). Put a copy of it back, or delete the collection and "
            f"ingest again: versus collections {folder.name} --delete"
        ) from error
    return False, []


def _taken_out(folder: Path) -> list[DamagedChunk]:
    vault = Vault(folder / VAULT)
    try:
        return vault.take_out_damaged()
    finally:
        vault.close()


def _lost_chunks(folder: Path, lost: list[DamagedChunk]) -> Diagnosis:
    sources = sorted({one.root or one.source for one in lost})
    advice = f"versus ingest {' '.join(sources)} --collection {folder.name}"
    message = f"{_listed(lost)} were damaged beyond repair and are taken out"
    return _diagnosis(folder, "lost chunks", "wrong", message, advice)


def _listed(lost: list[DamagedChunk], most: int = 5) -> str:
    """Return the number of chunks, with the first of them.

    >>> _listed([DamagedChunk("c7", "book.md", "/books")])
    "1 chunks ('c7' of 'book.md')"
    """
    listed = [f"{one.id!r} of {one.source!r}" for one in lost[:most]]
    more = [f"{len(lost) - most} more"] if len(lost) > most else []
    return f"{len(lost):,} chunks ({', '.join([*listed, *more])})"


def _make_way(folder: Path) -> None:
    """Remove a folder in place of the file that names the index."""
    pointer = folder / CURRENT
    if pointer.is_dir():
        shutil.rmtree(pointer)


def _is_sound(found: list[Diagnosis], *checks: str) -> bool:
    return not any(one.check in checks and one.state == "wrong" for one in found)


def _diagnosis(folder: Path, check: str, state: State, message: str, advice: str = "") -> Diagnosis:
    return Diagnosis(check, state, message, advice, folder.name)
