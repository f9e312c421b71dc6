"""Files that hold questions, replies or keys are their owner's alone: 0600, and 0700 for folders made for them.

A file that is there already with wider permissions is tightened when it is opened to write; one that can't be (it
belongs to somebody else) is told on stderr, and used as it is. Only POSIX has such permissions.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from agent.escape import one_line

FILE, FOLDER = 0o600, 0o700
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_private(path: Path, flags: int) -> int:
    """Open a file to write and return its descriptor, which the caller closes; it is made when it is not there."""
    descriptor = os.open(path, flags | os.O_CREAT, FILE)
    _tighten(path, os.fstat(descriptor).st_mode)
    return descriptor


def make_private(path: Path) -> None:
    """Make an empty file where there is none, and tighten the one that is there, without opening it.

    SQLite's locks are lost for the whole process when anybody closes a descriptor of the database.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    tighten(path)


def make_private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing; one that is there stays as it is."""
    for folder in reversed((path, *path.parents)):
        if not folder.is_dir():
            folder.mkdir(FOLDER, exist_ok=True)


def tighten(path: Path) -> None:
    """Take from others what they may do with a file; one that is not there needs nothing."""
    with suppress(FileNotFoundError):
        _tighten(path, path.stat().st_mode)


def _tighten(path: Path, mode: int) -> None:
    if os.name != "posix" or not stat.S_ISREG(mode) or not mode & _OTHERS:
        return
    try:
        path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
    except OSError as error:
        why = error.strerror or str(error)
        sys.stderr.write(f"note: others may read {one_line(str(path))}, and that can't be changed: {why}\n")
