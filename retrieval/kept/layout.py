"""The folder of a kept collection: the vault, the indexes built from it, and which of them is in force.

    rules/
        chunks.sqlite3      the vault: the truth
        current             the name of the index in force, replaced in one step
        writer.lock         held by whoever changes the collection
        index-7/            an index, never changed once it is published
            index.json      what it was built from, and how large its files have to be
            chroma/         Chroma's own folder
            …               what else makes searching quick: vectors, rules, the catalog

An index is built under another name, checked, renamed, and then `current` is replaced; so a reader finds either the
old or the new one. Readers hold a lease on theirs, and the next writer removes those that nobody holds any more.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from filelock import FileLock, ReadWriteLock, Timeout

from retrieval.errors import StoreError

VAULT, CURRENT, LOCK, MANIFEST, LEASE, CHROMA = (
    "chunks.sqlite3", "current", "writer.lock", "index.json", "lease.db", "chroma"
)  # fmt: skip
_INDEX = re.compile(r"index-(\d+)")
_BUILDING = ".building"

FORMAT = 1
"""Raise it whenever what an index holds changes; indexes of other formats are built anew from the vault."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index was built from: the vault's revision, how many chunks, and the size of each file, in bytes."""

    revision: int
    chunks: int
    files: dict[str, int]
    format: int = FORMAT


def is_kept(folder: Path) -> bool:
    """True when this is the folder of a kept collection."""
    return (folder / VAULT).is_file()


def current_index(folder: Path) -> Path | None:
    """Return the index in force; `None` before there is one."""
    try:
        name = (folder / CURRENT).read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{folder / CURRENT} can't be read ({error.strerror or error}); check whose it is") from error
    return folder / name if _INDEX.fullmatch(name) else None


def read_manifest(index: Path) -> Manifest:
    """Return an index's manifest; `StoreError` when it is missing or damaged."""
    try:
        return Manifest(**orjson.loads((index / MANIFEST).read_bytes()))
    except (OSError, orjson.JSONDecodeError, TypeError) as error:
        raise StoreError(f"the index {index} is damaged: its manifest can't be read ({error})") from error


def damage(index: Path) -> str | None:
    """Say which file of an index is missing or has another size than when it was built; `None` when none has."""
    manifest = read_manifest(index)
    if manifest.format != FORMAT:
        return f"it has format {manifest.format}, this version of versus reads {FORMAT}"
    for name, size in manifest.files.items():
        path = index / name
        if not path.is_file():
            return f"{name} is missing"
        if path.stat().st_size != size:
            return f"{name} has {path.stat().st_size} bytes instead of {size}"
    return None


def begin_index(folder: Path) -> Path:
    """Make an empty folder, under a name that nobody reads, in which the next index is built."""
    names = [path.name.removesuffix(_BUILDING) for path in folder.iterdir()]
    numbers = [int(found[1]) for name in names if (found := _INDEX.fullmatch(name))]
    aside = folder / f"index-{max(numbers, default=0) + 1}{_BUILDING}"
    aside.mkdir()
    return aside


def publish(folder: Path, aside: Path, revision: int, chunks: int) -> None:
    """Give a finished index its name and put it in force: the one step that readers can see."""
    name = aside.name.removesuffix(_BUILDING)
    # Chroma writes to its SQLite file when it opens it; the others stay as they are.
    files = {
        str(path.relative_to(aside)): path.stat().st_size
        for path in sorted(aside.rglob("*"))
        if path.is_file() and ".sqlite3" not in path.name
    }
    (aside / MANIFEST).write_bytes(orjson.dumps(asdict(Manifest(revision, chunks, files))))
    aside.rename(folder / name)
    pointer = folder / f"{CURRENT}.new"
    with pointer.open("w", encoding="utf-8") as file:
        file.write(name)
        file.flush()
        os.fsync(file.fileno())
    pointer.replace(folder / CURRENT)


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed build left, and old indexes that no reader holds. Only the writer may."""
    current = current_index(folder)
    for path in folder.iterdir():
        old = _INDEX.fullmatch(path.name) is not None and path != current
        if path.name.endswith(_BUILDING) or (old and _unused(path)):
            shutil.rmtree(path, ignore_errors=True)


def lease(index: Path) -> ReadWriteLock:
    """Return the lock that readers of an index share, so that it is not removed under them."""
    return ReadWriteLock(index / LEASE, is_singleton=False)


def writer_lock(folder: Path, patience: float = 0.0) -> FileLock:
    """Take the collection's writer lock, or raise `StoreError` when another holds it for `patience` seconds.

    The system takes it back when the process dies.
    """
    lock = FileLock(folder / LOCK, timeout=patience, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(
            f"another process is writing to {folder.name!r} ({folder / LOCK}); wait until it is done, and try again"
        ) from None
    except OSError as error:
        raise StoreError(f"{folder} can't be written ({error.strerror or error}); check whose folder it is") from error
    return lock


def _unused(index: Path) -> bool:
    lock = lease(index)
    try:
        lock.acquire_write(blocking=False)
    except (Timeout, OSError, ValueError):
        return False
    finally:
        lock.close()
    return True
