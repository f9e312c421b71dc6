"""Chroma writes to its database at every opening, even to read; if it can't, it gets a copy.

So a collection in a foreign folder, or on a read-only disk, still answers.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

Copy = TemporaryDirectory[str]


def lend(place: Path) -> tuple[Path, Copy | None]:
    """Return a folder that Chroma can open: `place` itself, or a copy with the object that removes it (`cleanup`)."""
    if all(os.access(path, os.W_OK) for path in (place, place / "chroma.sqlite3")):
        return place, None
    copy = TemporaryDirectory(prefix="versus-")
    try:
        for path in place.rglob("*"):
            if path.is_file():
                target = Path(copy.name) / path.relative_to(place)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    except BaseException:
        copy.cleanup()
        raise
    return Path(copy.name), copy
