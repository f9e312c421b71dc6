"""Files that hold questions, replies or keys are their owner's alone: 0600, and 0700 for folders made for them.

What is there already with wider permissions is tightened when it is opened to write; what can't be (it belongs to
somebody else) is told on stderr, and used as it is. Where the system knows no such permissions, nothing happens.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from agent.escape import one_line

FILE, FOLDER = 0o600, 0o700
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_private(path: Path, flags: int) -> int:
    """Open a file for its owner alone and return its descriptor, which the caller closes; made when `flags` say so."""
    descriptor = os.open(path, flags | os.O_CLOEXEC, FILE)
    try:
        tighten(path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def make_private(path: Path) -> None:
    """Make an empty file for its owner alone where there is none, and tighten the one that is there."""
    os.close(open_private(path, os.O_WRONLY | os.O_CREAT))


def private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone; one that is there stays as it is."""
    for folder in reversed((path, *path.parents)):
        if not folder.exists():
            folder.mkdir(FOLDER, exist_ok=True)


def tighten(path: Path) -> None:
    """Take from others what they may do with a file; say on stderr where that can't be done."""
    mode = path.stat().st_mode
    if os.name != "posix" or not stat.S_ISREG(mode) or not mode & _OTHERS:
        return
    try:
        path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
    except OSError as error:
        sys.stderr.write(
            f"note: others may read {one_line(str(path))}, and that can't be changed: {error.strerror or error}\n"
        )
