"""Office files are zip archives, checked before anything is unpacked: a few bytes can claim a terabyte."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from retrieval.errors import SourceError

MOST_UNPACKED = 500_000_000
"""The most bytes of all parts of an archive together."""
MOST_PARTS = 20_000
_OLE = b"\xd0\xcf\x11\xe0"
"""The beginning of a file in the old formats, and of an encrypted one."""


@contextmanager
def require_sound(path: Path) -> Iterator[BinaryIO]:
    """Open an office file; any error of a library about its contents becomes a `SourceError`."""
    try:
        with path.open("rb") as file:
            _look_at(file, path)
            yield file
    except SourceError:
        raise
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error
    except Exception as error:  # the libraries' errors for damaged files share no base class
        raise SourceError(f"damaged: {type(error).__name__}: {error}"[:300], str(path)) from error


def _look_at(file: BinaryIO, path: Path) -> None:
    if file.read(4) == _OLE:
        raise SourceError(
            "encrypted, or of an old format; save it without a password as .docx, .xlsx or .pptx", str(path)
        )
    try:
        parts = zipfile.ZipFile(file).infolist()
    except zipfile.BadZipFile as error:
        raise SourceError("damaged: no such file of an office program", str(path)) from error
    size = sum(part.file_size for part in parts)
    if size > MOST_UNPACKED or len(parts) > MOST_PARTS:
        raise SourceError(
            f"unpacks to {size:,} bytes in {len(parts):,} parts; {MOST_UNPACKED:,} are the most", str(path)
        )
    file.seek(0)
