"""A kept collection examined and mended: its vault, its index, whether they agree, and whether it really answers.

The vault is the truth, so an index that is wrong in any way is built again from it, without embedding anything. A
vault that is wrong is made again from an index that is sound, which holds the same chunks.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from retrieval.apart import run_apart
from retrieval.diagnosis import Diagnosis, State
from retrieval.embed import Progress
from retrieval.errors import StoreError
from retrieval.kept.build import digest
from retrieval.kept.builder import build_apart
from retrieval.kept.directory import Directory
from retrieval.kept.layout import (
    CURRENT,
    VAULT,
    condemn,
    current_index,
    damage,
    in_force,
    is_locked,
    leftovers,
    remove_leftovers,
    writer_lock,
)
from retrieval.kept.restore import restore
from retrieval.kept.vault import Vault


def index_problem(folder: Path, state: str) -> str | None:
    """Say why the index in force does not show what a vault of this state holds; `None` when it does."""
    try:
        index = current_index(folder)
        if index is None:
            return "no index is in force"
        if (wrong := damage(index)) is not None:
            return f"the index is damaged: {wrong}"
    except StoreError as error:
        return str(error)
    shown = in_force(folder)
    if shown is None or shown.state != state:
        return "the index was built from other chunks than are kept: an ingestion was stopped, or a copy was put back"
    return None


async def examine(folder: Path) -> list[Diagnosis]:
    """Examine the kept collection in `folder`: vault, index, contents, queries, leftovers."""
    busy = await asyncio.to_thread(is_locked, folder)
    found = [_said(folder, "lock", "noted", "another process is writing to it now")] if busy else []
    found += await asyncio.to_thread(lambda: list(_files(folder, busy)))
    if not busy and _is_sound(found, "vault", "index"):
        found += await asyncio.to_thread(lambda: list(_leftovers(folder)))
    index = await asyncio.to_thread(in_force, folder)
    if index is not None and _is_sound(found, "index"):
        found.append(await _queries(folder))
    return found


async def repair(folder: Path, found: list[Diagnosis], on_progress: Progress | None = None) -> None:
    """Mend what `examine` found, as far as that is possible; `StoreError` says what is not, and what to do."""
    lock = await asyncio.to_thread(writer_lock, folder)
    try:
        doubtful = not _is_sound(found, "index", "queries")
        if not _is_sound(found, "vault", "contents"):
            doubtful = await asyncio.to_thread(_restored, folder, _is_sound(found, "vault")) or doubtful
        if doubtful:
            await asyncio.to_thread(_forget, folder)
            await build_apart(folder, on_progress)
        await asyncio.to_thread(remove_leftovers, folder)
    finally:
        lock.release()


def _files(folder: Path, busy: bool) -> Iterator[Diagnosis]:
    """What can be seen without asking Chroma."""
    advice = f"versus doctor {folder.name} --repair"
    try:
        vault = Vault(folder / VAULT)
    except StoreError as error:
        yield _said(folder, "vault", "wrong", str(error), "" if advice in str(error) else advice)
        yield from _index_alone(folder)
        return
    try:
        wrong = vault.damage()
        meta, chunks = vault.meta(), vault.count()
        if wrong is not None:
            yield _said(folder, "vault", "wrong", f"{vault.path} is damaged: {wrong}", advice)
            yield from _index_alone(folder)
            return
        yield _said(folder, "vault", "sound", f"{chunks:,} chunks, revision {meta['revision']}")
        if not busy:
            yield from _index(folder, vault, str(meta["state"]), int(meta["revision"]))
    except StoreError as error:
        yield _said(folder, "vault", "wrong", str(error), advice)
    finally:
        vault.close()


def _leftovers(folder: Path) -> Iterator[Diagnosis]:
    if damaged := ", ".join(path.name for path in folder.glob(f"{VAULT}.damaged-*")):
        yield _said(folder, "old vault", "noted", f"what was damaged is still there, as {damaged}", "delete it")
    if names := ", ".join(path.name for path in leftovers(folder)):
        advice = f"versus doctor {folder.name} --repair"
        yield _said(folder, "leftovers", "wrong", f"a build was killed and left {names}; it does no harm", advice)


def _index(folder: Path, vault: Vault, state: str, revision: int) -> Iterator[Diagnosis]:
    advice = f"versus doctor {folder.name} --repair"
    problem = index_problem(folder, state)
    index = current_index(folder) if problem is None else None
    if problem is not None and revision == 0:
        empty = "the collection is empty: nothing was ingested into it, or that was stopped"
        yield _said(folder, "index", "noted", empty, f"versus ingest PATH --collection {folder.name}")
    elif index is None:
        safe = "its chunks are safe in the vault, and it is built again when it is next used"
        yield _said(folder, "index", "wrong", f"{problem}; {safe}", advice)
    else:
        yield _said(folder, "index", "sound", f"{index.name} is up to date")
        yield _contents(folder, vault, index)


def _index_alone(folder: Path) -> Iterator[Diagnosis]:
    """Whether the files of the index are whole, where there is no vault to compare it with."""
    try:
        index = current_index(folder)
        wrong = None if index is None else damage(index)
    except StoreError as error:
        wrong = str(error)
    if wrong is not None:
        yield _said(folder, "index", "wrong", f"the index is damaged: {wrong}")


def _contents(folder: Path, vault: Vault, index: Path) -> Diagnosis:
    """Compare the checksum of every chunk in the vault with what it was when the index was built."""
    try:
        directory = Directory.load(index)
    except StoreError as error:
        return _said(folder, "index", "wrong", str(error), f"versus doctor {folder.name} --repair")
    built = dict(zip(directory.ids, directory.digests, strict=True))
    kept = {row.id: digest(row) for batch in vault.rows() for row in batch}
    differing = sum(built.get(id_) != kept.get(id_) for id_ in built.keys() | kept.keys())
    if not differing:
        return _said(folder, "contents", "sound", "checksums agree")
    message = (
        f"{differing} chunks of the vault are not what they were when the index was built: the disk lost something"
    )
    return _said(folder, "contents", "wrong", message, f"versus doctor {folder.name} --repair")


async def _queries(folder: Path) -> Diagnosis:
    """Ask the index in a process of its own; a damaged one can end the process that reads it."""
    heard: list[dict[str, Any]] = []
    ended = await run_apart("retrieval.kept.probe", [str(current_index(folder))], heard.append)
    problem = f"the process that asks the index {ended}" if ended else heard[-1]["problem"] if heard else "no answer"
    if problem is None:
        return _said(folder, "queries", "sound", "chunks find themselves")
    return _said(folder, "queries", "wrong", problem, f"versus doctor {folder.name} --repair")


def _restored(folder: Path, readable: bool) -> bool:
    """Make the vault again from an index; True when the vault was kept instead, and its index has to be built anew."""
    try:
        restore(folder)
    except (StoreError, OSError) as error:
        if readable:
            return True
        raise StoreError(
            f"{folder / VAULT} can't be made again ({error}). Put a copy of it back, or delete the collection and "
            f"ingest again: versus collections {folder.name} --delete"
        ) from error
    return False


def _forget(folder: Path) -> None:
    """Make sure that the next index takes nothing over, and that its name can be written."""
    pointer = folder / CURRENT
    if pointer.is_dir():
        shutil.rmtree(pointer)
    elif (index := current_index(folder)) is not None:
        condemn(index)


def _is_sound(found: list[Diagnosis], *checks: str) -> bool:
    return not any(one.check in checks and one.state == "wrong" for one in found)


def _said(folder: Path, check: str, state: State, message: str, advice: str = "") -> Diagnosis:
    return Diagnosis(check, state, message, advice, folder.name)
