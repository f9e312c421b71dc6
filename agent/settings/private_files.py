"""Files with questions, replies or keys are readable by their owner only: 0600, and 0700 for folders made for them.

An existing file with wider permissions is tightened when it is opened to write; if that fails (it belongs to somebody
else), a note on stderr says so, and the file is used as it is. Only POSIX has such permissions.
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
    """Open a file to write, create it if missing, and return its descriptor, which the caller closes."""
    descriptor = os.open(path, flags | os.O_CREAT, FILE)
    _tighten(path, os.fstat(descriptor).st_mode)
    return descriptor


def make_private(path: Path) -> None:
    """Create an empty file if it is missing, and tighten an existing one, without opening it.

    Closing a descriptor of an SQLite database releases the locks of the whole process.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    tighten(path)


def make_private_folder(path: Path) -> None:
    """Create a folder and its missing parents; an existing folder stays as it is."""
    for folder in reversed((path, *path.parents)):
        if not folder.is_dir():
            folder.mkdir(FOLDER, exist_ok=True)


def tighten(path: Path) -> None:
    """Remove the permissions of others on a file; a missing file needs nothing."""
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
