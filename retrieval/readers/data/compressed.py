"""Compressed files: *prices.csv.gz* is read as *prices.csv*, up to a size beyond any real file."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, cast

from retrieval.errors import SourceError
from retrieval.readers.documents.document import OFFICE, READERS, Document, Records

MOST = 100_000_000
"""The most bytes of an unpacked file."""
_BLOCK = 1 << 20
_OPENERS: dict[str, Callable[[Path], object]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def read_compressed(path: Path) -> Document | Records:
    """Read the file in a .gz, .bz2 or .xz file; `SourceError` if it is damaged, too large or of a type not read
    here.
    """
    inner = Path(path.stem).suffix.lower().removeprefix(".")
    if inner in OFFICE or inner not in READERS or f".{inner}" in _OPENERS:
        raise SourceError(
            f"holds {f'a .{inner} file' if inner else 'a file without an extension'}; unpack it first", str(path)
        )
    with tempfile.TemporaryDirectory(prefix="versus-unpacked-") as folder:
        unpacked = Path(folder) / path.stem
        _unpack(path, unpacked)
        try:
            return READERS.get(inner)(unpacked)
        except SourceError as error:
            raise SourceError(error.message, error.place.replace(str(unpacked), str(path))) from error


def _unpack(path: Path, unpacked: Path) -> None:
    size = 0
    try:
        with cast(BinaryIO, _OPENERS[path.suffix.lower()](path)) as packed, unpacked.open("wb") as file:
            while block := packed.read(_BLOCK):
                size += len(block)
                if size > MOST:
                    raise SourceError(f"unpacks to more than {MOST:,} bytes", str(path))
                file.write(block)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise SourceError(f"damaged: {error}", str(path)) from error
