"""Check whether an index is as it was built: the one definition of damage for opening, querying and `doctor`.

The manifest has a checksum of every file. `damage` compares them all, and `doctor` always runs it. So does opening,
unless no file was touched since the index was last found sound, by the times in `sound.json`: then only small files are
read, and the index opens at once. Each requested chunk is compared too.

Chroma writes to its database at every opening, so there the rows have a checksum, not the bytes.

What only this process can't do, such as opening one more file, is no damage: it raises `ProcessTrouble`.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import orjson

from retrieval.collections.local.manifest import MANIFEST, FileSum, read_manifest, unreadable
from retrieval.errors import Damaged, ProcessTrouble

SOUND = "sound.json"
SMALL = 1 << 16
"""The most bytes of a file that is read at every opening; files that can crash their reader are among these."""
_DATABASE = ".sqlite3"
_OPENINGS = (b"acquire_write", b"maintenance_log")
"""Tables in which Chroma logs its actions, not its contents."""
_OWN_TROUBLE = (
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_AUTH,
)  # fmt: skip
Touched = dict[str, list[int]]
"""The size and times, in nanoseconds, of each file."""


def checksums(folder: Path) -> dict[str, FileSum]:
    """Return the checksum of every file in a folder where an index was built, by relative path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): FileSum(_fixed_size(path), _checksum(path)) for path in paths}


def damage(index: Path, largest: int | None = None, beside: Callable[[str], bool] | None = None) -> str | None:
    """Return which file of an index is missing or not as written; `None` if none is.

    Reads all of them, 0.5 s for each gigabyte, or those of at most `largest` bytes; with `beside`, skips files for
    which it is True and those of other indexes.
    """
    if (wrong := glance(index)) is not None:
        return wrong
    for name, then in read_manifest(index).files.items():
        if largest is not None and (then.size is None or then.size > largest):
            continue
        if beside is not None and (name.startswith("../") or beside(name)):
            continue
        try:
            if _checksum(index / name) != then.sha256:
                return f"{name} is not what was written"
        except Damaged as error:
            return f"{name} can't be read ({error})"
    return None


def glance(index: Path) -> str | None:
    """Return which file of an index is missing or has another size than when built; `None` if none is."""
    for name, then in read_manifest(index).files.items():
        try:
            size = (index / name).stat().st_size
        except OSError as error:
            if isinstance(problem := unreadable(index / name, error), Damaged):
                return f"{name} is missing"
            raise problem from error
        if then.size not in (None, size):
            return f"{name} has {size} bytes instead of {then.size}"
    return None


def is_untouched(index: Path) -> bool:
    """Return True if no file of an index was touched since it was last found sound."""
    try:
        return bool(orjson.loads((index / SOUND).read_bytes()) == _touched(index))
    except (OSError, ValueError):
        return False


def note_sound(index: Path) -> None:
    """Record that an index was found sound with its files as they are; if that can't be written, it is checked
    again.
    """
    aside = index / f"{SOUND}.{os.getpid()}"
    with suppress(OSError):
        aside.write_bytes(orjson.dumps(_touched(index)))
        aside.replace(index / SOUND)


def read_sound(index: Path, name: str) -> bytes:
    """Return the content of one file of an index; `Damaged` if it is not as written."""
    then = read_manifest(index).files.get(name)
    try:
        content = (index / name).read_bytes()
    except OSError as error:
        raise unreadable(index / name, error) from error
    if then is None or hashlib.sha256(content).hexdigest() != then.sha256:
        raise Damaged(f"the index {index} is damaged: {name} is not what was written")
    return content


def _touched(index: Path) -> Touched:
    names = [name for name, then in read_manifest(index).files.items() if then.size is not None]
    statuses = {name: (index / name).stat() for name in (*names, MANIFEST)}
    return {name: [each.st_size, each.st_mtime_ns, each.st_ctime_ns] for name, each in statuses.items()}


def _fixed_size(path: Path) -> int | None:
    return None if path.suffix == _DATABASE else path.stat().st_size


def _checksum(path: Path) -> str:
    """Return the checksum of a file; `Damaged` if nobody can read it."""
    try:
        if path.suffix == _DATABASE:
            return _checksum_of_rows(path)
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _OWN_TROUBLE:
            raise ProcessTrouble(f"{path} can't be examined ({error}); try again, or check whose it is") from error
        raise Damaged(str(error)) from error


def _checksum_of_rows(path: Path) -> str:
    total = hashlib.sha256()
    mode = "rw" if os.access(path, os.W_OK) else "ro"  # only a writer can roll back what a kill left half done
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as database:
        database.text_factory = bytes
        result = database.execute("pragma integrity_check(1)").fetchone()[0]
        if result != b"ok":
            raise Damaged(result.decode(errors="replace"))
        for name in _tables(database):
            total.update(name)
            for row in database.execute(f'select * from "{name.decode(errors="replace")}"'):
                total.update(repr(row).encode())
    return total.hexdigest()


def _tables(database: sqlite3.Connection) -> Iterator[bytes]:
    found = database.execute("select name, sql from sqlite_master where type = 'table' order by name").fetchall()
    for name, sql in found:
        is_virtual = (sql or b"").upper().startswith(b"CREATE VIRTUAL")  # its rows are in other tables
        if not is_virtual and name not in _OPENINGS:
            yield name
