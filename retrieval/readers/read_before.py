"""A cache of documents, so that an unchanged PDF of a thousand pages is not read again.

The key is the file's content and the code of its reader, so that changed code reads it anew. The entries are a cache:
they may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

KEEP_SECONDS = 30 * 24 * 3600.0
_OFTEN = 24 * 3600.0
_BLOCK = 1 << 20
_LIBRARIES = (
    "camelot-py", "docutils", "mammoth", "openpyxl", "pdfminer.six", "pdfplumber", "pypandoc-binary", "python-pptx",
)  # fmt: skip


class DocumentCache:
    """A folder of documents, each as the JSON of its reader."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder, self._clock = folder, clock
        self._readers = b""
        self._has_forgotten = False

    def get(self, suffix: str, path: Path) -> bytes | None:
        """Return the cached result for a file with this content, or None."""
        try:
            return self._place(suffix, path).read_bytes()
        except OSError:
            return None

    def keep(self, suffix: str, path: Path, answer: bytes) -> None:
        """Store the result for a file and drop entries older than `KEEP_SECONDS`. On a full disk nothing is stored."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._forget()
            place = self._place(suffix, path)
            aside = place.with_suffix(".new")
            aside.write_bytes(answer)
            aside.replace(place)

    def _forget(self) -> None:
        """Delete old entries, once a day because scanning a large cache takes long."""
        if self._has_forgotten:
            return
        self._has_forgotten = True
        mark = self._folder / "looked-through"
        if mark.exists() and self._clock() - mark.stat().st_mtime < _OFTEN:
            return
        mark.touch()
        for old in self._folder.glob("*.json"):
            if self._clock() - old.stat().st_mtime > KEEP_SECONDS:
                old.unlink(missing_ok=True)

    def _place(self, suffix: str, path: Path) -> Path:
        found = hashlib.sha256(self._of_readers() + suffix.encode())
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                found.update(block)
        return self._folder / f"{found.hexdigest()}.json"

    def _of_readers(self) -> bytes:
        """Return a digest of what the result depends on: the code of this package and the libraries that it uses."""
        if not self._readers:
            code = hashlib.sha256("".join(map(_version, _LIBRARIES)).encode())
            for module in sorted(Path(__file__).parents[1].rglob("*.py")):
                code.update(module.read_bytes())
            self._readers = code.digest()
        return self._readers


def _version(library: str) -> str:
    try:
        return f"{library} {version(library)} "
    except PackageNotFoundError:
        return ""
