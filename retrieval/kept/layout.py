"""The folder of a kept collection: the vault, the indexes built from it, and which of them is in force.

    rules/
        chunks.sqlite3      the vault: the truth
        current             the name of the index in force, replaced in one step
        writer.lock         held by whoever changes the collection
        builder.lock        held by the process that builds an index, which may outlive the writer that started it
        index-7/            an index, never changed once it is published
            index.json      what it was built from, and how large its files have to be
            chroma/         Chroma's own folder
            …               what else makes searching quick: vectors, rules, the catalog

An index is built under another name, checked, renamed, and then `current` is replaced; so a reader finds either the
old or the new one. Readers hold a lease on theirs, and the next writer removes those that nobody holds any more.

The vault's `state` is a new random word with every change. An index has the state of what it was built from, so an
index of another vault, of a copy that was put back, or of a change that was never finished can't be taken for it.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import orjson
from filelock import FileLock, ReadWriteLock, Timeout

from retrieval.errors import FOLDER_ADVICE, StoreError

VAULT, CURRENT, LOCK, BUILDER_LOCK, MANIFEST, LEASE, CHROMA = (
    "chunks.sqlite3", "current", "writer.lock", "builder.lock", "index.json", "lease.db", "chroma"
)  # fmt: skip
_INDEX = re.compile(r"index-(\d+)")
_BUILDING = ".building"
ADOPTING_LOCK = ".adopting.lock"

GLANCE = 0.3
"""Seconds for which somebody may hold a lock who only wants to know whether it is free."""
ORPHAN_PATIENCE = 30.0
"""Seconds that an orphaned builder may take to notice that its writer died: Chroma's longest call, amply."""

FORMAT = 5
"""Raise it whenever what an index holds changes; indexes of other formats are built anew from the vault."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index was built from, and the size of each file, in bytes.

    With `model` and `roots`, by source, an index holds all that its vault did, which can be made again from it.
    """

    revision: int
    state: str
    model: str | None
    roots: dict[str, str]
    chunks: int
    files: dict[str, int] = field(default_factory=dict)
    format: int = FORMAT


def is_kept(folder: Path) -> bool:
    """True when this is the folder of a kept collection, be it one whose vault is lost."""
    return has_vault(folder) or (folder / CURRENT).is_file()


def has_vault(folder: Path) -> bool:
    """True when there is a vault; SQLite makes an empty file first, and a kill may leave it at that."""
    vault = folder / VAULT
    return vault.is_file() and vault.stat().st_size > 0


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
    """Return an index's manifest; `StoreError` when it is missing, damaged, or of another version of versus."""
    try:
        found = orjson.loads((index / MANIFEST).read_bytes())
        if (known := found.get("format")) != FORMAT:
            raise StoreError(f"the index {index} has format {known}, this version of versus reads {FORMAT}")
        return Manifest(**found)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise StoreError(f"the index {index} is damaged: its manifest can't be read ({error})") from error


def indexes(folder: Path) -> list[Path]:
    """Return every finished index in the folder, the newest first."""
    numbered = [(int(found[1]), path) for path in folder.iterdir() if (found := _INDEX.fullmatch(path.name))]
    return [path for _, path in sorted(numbered, reverse=True)]


def in_force(folder: Path) -> Manifest | None:
    """Return the manifest of the index in force; `None` when there is none that can be read."""
    try:
        index = current_index(folder)
        return None if index is None else read_manifest(index)
    except StoreError:
        return None


def damage(index: Path) -> str | None:
    """Say which file of an index is missing or has another size than when it was built; `None` when none has."""
    for name, size in read_manifest(index).files.items():
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


def publish(folder: Path, aside: Path, manifest: Manifest) -> None:
    """Give a finished index its name and put it in force: the one step that readers can see."""
    name = aside.name.removesuffix(_BUILDING)
    built = [path for path in sorted(aside.rglob("*")) if path.is_file()]
    # Chroma writes to its SQLite file when it opens it; the others stay as they are.
    files = {str(path.relative_to(aside)): path.stat().st_size for path in built if ".sqlite3" not in path.name}
    _write(aside / MANIFEST, orjson.dumps(asdict(replace(manifest, files=files))))
    for path in built:
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    aside.rename(folder / name)
    pointer = folder / f"{CURRENT}.new"
    _write(pointer, name.encode())
    pointer.replace(folder / CURRENT)


def condemn(index: Path) -> None:
    """Make sure that nothing is taken over from an index that failed, whatever its files look like.

    It keeps its name until the next one is in force, for Chroma can't use a folder again in which it failed.
    """
    try:
        (index / MANIFEST).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(_unwritable(index, error)) from error


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed build left, and old indexes that no reader holds. Only the writer may."""
    for path in leftovers(folder):
        shutil.rmtree(path, ignore_errors=True)


def leftovers(folder: Path) -> list[Path]:
    """Return what `remove_leftovers` would remove; while somebody writes, that may be what is being written."""
    current = current_index(folder)
    old = [path for path in indexes(folder) if path != current]
    return [*folder.glob(f"*{_BUILDING}"), *filter(_unused, old)]


def lease(index: Path) -> ReadWriteLock:
    """Return the lock that readers of an index share, so that it is not removed under them."""
    return ReadWriteLock(index / LEASE, is_singleton=False)


def hold(index: Path) -> ReadWriteLock | None:
    """Take a lease on an index; `None` where none can be written, and so nothing can be removed either."""
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
    """Take the collection's writer lock, or raise `StoreError` when another process holds it.

    The system takes it back when the process dies.
    """
    if (lock := free_writer_lock(folder)) is None:
        raise StoreError(busy(folder))
    return lock


def free_writer_lock(folder: Path) -> FileLock | None:
    """Take the collection's writer lock; `None` when another process holds it.

    The builder of a writer that was killed stops as soon as it notices; until then it is waited for.
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
    """Take the lock that a builder holds as long as it works, beside the writer lock of the process it works for."""
    if (lock := _locked(folder / BUILDER_LOCK, ORPHAN_PATIENCE)) is None:
        raise StoreError(busy(folder))
    return lock


def adopting_lock(location: Path) -> FileLock:
    """Take the lock that is held while a plain collection of this folder is made a kept one."""
    if (lock := _locked(location / ADOPTING_LOCK, GLANCE)) is None:
        raise StoreError(f"another process is taking over a collection in {location}; wait until it is done")
    return lock


def adopting(folder: Path) -> Path:
    """Return where a kept collection is prepared before it takes its place in `folder`."""
    return folder.with_name(f".{folder.name}.adopting")


def deleted(folder: Path) -> Path:
    """Return where the kept collection in `folder` goes before it is removed."""
    return folder.with_name(f".{folder.name}.deleted")


def is_locked(folder: Path) -> bool:
    """Say whether a process is writing to the collection."""
    return _is_held(folder / LOCK)


def is_adopting(location: Path) -> bool:
    """Say whether a process is making a plain collection of this folder a kept one."""
    return _is_held(location / ADOPTING_LOCK)


def busy(folder: Path) -> str:
    """What to tell those who would write while another process does."""
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
        return False  # where nothing can be written
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
