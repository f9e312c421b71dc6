"""The folder of a local collection: the vault, the indexes built from it, and the one in force.

    rules/
        chunks.sqlite3      the vault: the truth
        names.sqlite3       a cache of the vectors of the names in tables, for questions
        current             the name of the index in force, replaced in one step
        writer.lock         held by whoever changes the collection
        builder.lock        held by the process that builds an index, which may outlive the writer that started it
        index-7/            an index, never changed once it is published
            index.json      what it was built from, and the checksums of its files
            sound.json      when its files were last found to be what was written
            chroma/         Chroma's own folder, unless it uses that of an earlier index
            vectors.npy     the vectors of all chunks, unless it uses those of that index; so with the lexical index
            …               what else makes searching quick: rules, cells, the catalog

An index is built under another name, checked and renamed, and then `current` is replaced; so a reader finds either the
old or the new one. Readers hold a lease on their index, and the next writer removes the ones without leases.

The vault's `state` is a new random word with every change. An index records the state it was built from, so an index of
another vault, of a restored copy, or of an unfinished change is never mistaken for it.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from filelock import FileLock, ReadWriteLock, Timeout

from retrieval.collections.local.integrity import checksums, note_sound
from retrieval.collections.local.manifest import (
    MANIFEST,
    FileSum,
    Manifest,
    graph_of,
    manifest_bytes,
    read_manifest,
    unreadable,
)
from retrieval.collections.local.row_vectors import VECTORS
from retrieval.errors import FOLDER_ADVICE, ProcessTrouble, StoreError

VAULT, CURRENT, LOCK, BUILDER_LOCK, LEASE, CHROMA = (
    "chunks.sqlite3", "current", "writer.lock", "builder.lock", "lease.db", "chroma"
)  # fmt: skip
CATALOG, LEXICAL, CELLS = "catalog.json", "lexical", "cells.sqlite"
_INDEX = re.compile(r"index-(\d+)")
_BUILDING = ".building"
ADOPTING_LOCK = ".adopting.lock"

_NOTHING: Mapping[str, FileSum] = MappingProxyType({})

GLANCE = 0.3
"""The most seconds that a process may hold a lock only to test it."""
ORPHAN_PATIENCE = 30.0
"""The most seconds for an orphaned builder to notice that its writer died: more than Chroma's longest call."""


def is_local(folder: Path) -> bool:
    """True if this is the folder of a local collection, even if its vault is lost."""
    return has_vault(folder) or (folder / CURRENT).is_file()


def has_vault(folder: Path) -> bool:
    """True if there is a vault; an empty file, which SQLite creates first, is none."""
    vault = folder / VAULT
    return vault.is_file() and vault.stat().st_size > 0


def current_index(folder: Path) -> Path | None:
    """Return the index in force; `None` if there is none yet."""
    try:
        name = (folder / CURRENT).read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        if isinstance(problem := unreadable(folder / CURRENT, error), ProcessTrouble):
            raise problem from error
        raise StoreError(f"{problem}; versus doctor {folder.name} --repair") from error
    return folder / name if _INDEX.fullmatch(name) else None


def indexes(folder: Path) -> list[Path]:
    """Return every finished index in the folder, newest first."""
    numbered = [(int(found[1]), path) for path in folder.iterdir() if (found := _INDEX.fullmatch(path.name))]
    return [path for _, path in sorted(numbered, reverse=True)]


def in_force(folder: Path) -> Manifest | None:
    """Return the manifest of the index in force; `None` if there is no readable one."""
    try:
        index = current_index(folder)
        return None if index is None else read_manifest(index)
    except StoreError:
        return None


def begin_index(folder: Path) -> Path:
    """Create an empty folder for the next index, under a name that readers ignore."""
    names = [path.name.removesuffix(_BUILDING) for path in folder.iterdir()]
    numbers = [int(found[1]) for name in names if (found := _INDEX.fullmatch(name))]
    aside = folder / f"index-{max(numbers, default=0) + 1}{_BUILDING}"
    aside.mkdir()
    return aside


def chroma_of(index: Path) -> Path:
    """Return Chroma's folder of a finished index: its own, or that of an earlier one."""
    return graph_of(index) / CHROMA


def publish(folder: Path, aside: Path, manifest: Manifest, others: Mapping[str, FileSum] = _NOTHING) -> None:
    """Give a finished index its name and put it in force: the only step that readers can see.

    `others` are the files of an earlier index that it uses, by relative path.
    """
    name = aside.name.removesuffix(_BUILDING)
    files = checksums(aside)
    _write(aside / MANIFEST, manifest_bytes(replace(manifest, files={**files, **others})))
    for each in files:
        with (aside / each).open("rb+") as file:
            os.fsync(file.fileno())
    note_sound(aside)
    aside.rename(folder / name)
    pointer = folder / f"{CURRENT}.new"
    _write(pointer, name.encode())
    pointer.replace(folder / CURRENT)


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed build left, and old indexes that no reader holds. Only for the writer."""
    for path in leftovers(folder):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def leftovers(folder: Path) -> list[Path]:
    """Return what `remove_leftovers` would remove; during a write this may include its files."""
    current = current_index(folder)
    used = [path for path in indexes(folder) if path == current or not _unused(path)]
    graphs = {_graph(path) for path in used}
    unused = (path for path in indexes(folder) if path not in used)
    old = [each for path in unused for each in ([path] if path.name not in graphs else _beside_graph(path))]
    return [*folder.glob(f"*{_BUILDING}"), *old]


def _graph(index: Path) -> str:
    """Return the name of the index whose Chroma folder an index uses; empty if it can't be read."""
    try:
        return read_manifest(index).graph
    except StoreError:
        return ""


def _beside_graph(index: Path) -> list[Path]:
    """Return all files of an index but those that later ones use with its graph."""
    return [path for path in index.iterdir() if path.name not in (CHROMA, VECTORS, LEXICAL, LEASE)]


def is_of_graph(name: str) -> bool:
    """True if a file of an index, by relative path, is one that later indexes use with its graph."""
    return name == VECTORS or name.startswith((f"{CHROMA}/", f"{LEXICAL}/"))


def lease(index: Path) -> ReadWriteLock:
    """Return the lock that readers of an index share, so that it is not removed while in use."""
    return ReadWriteLock(index / LEASE, is_singleton=False)


def hold(index: Path) -> ReadWriteLock | None:
    """Take a lease on an index; `None` if none can be written, so that nothing can be removed either."""
    try:
        lock = lease(index)
        try:
            lock.acquire_read()
        except BaseException:
            lock.close()
            raise
    except (OSError, ValueError, sqlite3.Error):
        return None
    return lock


def writer_lock(folder: Path) -> FileLock:
    """Take the collection's writer lock; `StoreError` if another process holds it.

    The system releases it when the process dies.
    """
    if (lock := free_writer_lock(folder)) is None:
        raise StoreError(busy(folder))
    return lock


def free_writer_lock(folder: Path) -> FileLock | None:
    """Take the collection's writer lock; `None` if another process holds it.

    If the last writer was killed, its builder stops as soon as it notices; this waits for that.
    """
    lock = _locked(folder / LOCK, GLANCE)
    if lock is not None:
        builder = _locked(folder / BUILDER_LOCK, ORPHAN_PATIENCE)
        if builder is None:
            lock.release()
            return None
        builder.release()
    return lock


def builder_lock(folder: Path) -> FileLock:
    """Take the builder's lock, held while it works, beside the writer lock of its requesting process."""
    if (lock := _locked(folder / BUILDER_LOCK, ORPHAN_PATIENCE)) is None:
        raise StoreError(busy(folder))
    return lock


def adopting_lock(location: Path) -> FileLock:
    """Take the lock for converting a plain collection of this folder to a local one."""
    if (lock := _locked(location / ADOPTING_LOCK, GLANCE)) is None:
        raise StoreError(f"another process is taking over a collection in {location}; wait until it is done")
    return lock


def adopting(folder: Path) -> Path:
    """Return where a local collection is prepared before it is moved to `folder`."""
    return folder.with_name(f".{folder.name}.adopting")


def deleted(folder: Path) -> Path:
    """Return where the local collection in `folder` is moved before it is removed."""
    return folder.with_name(f".{folder.name}.deleted")


def is_locked(folder: Path) -> bool:
    """Return True if a process is writing to the collection."""
    return _is_held(folder / LOCK)


def is_adopting(location: Path) -> bool:
    """Return True if a process is converting a plain collection of this folder to a local one."""
    return _is_held(location / ADOPTING_LOCK)


def busy(folder: Path) -> str:
    """Return the message for a writer while another process writes."""
    return f"another process is writing to {folder.name!r} ({folder / LOCK}); wait until it is done, and try again"


def _locked(path: Path, patience: float) -> FileLock | None:
    lock = FileLock(path, timeout=patience, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    except OSError as error:
        raise StoreError(_unwritable(path.parent, error)) from error
    return lock


def _is_held(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        lock = _locked(path, 0.0)
    except StoreError:
        return False  # the folder is not writable
    if lock is not None:
        lock.release()
    return lock is None


def _unwritable(folder: Path, error: OSError) -> str:
    return f"{folder} can't be written ({error.strerror or error}); {FOLDER_ADVICE}"


def _unused(index: Path) -> bool:
    try:
        lock = lease(index)
        try:
            lock.acquire_write(blocking=False)
        finally:
            lock.close()
    except (Timeout, OSError, ValueError, sqlite3.Error):
        return False
    return True


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
