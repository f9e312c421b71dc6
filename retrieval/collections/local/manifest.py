"""The manifest of an index: what it was built from, and the checksum of each of its files."""

from __future__ import annotations

import errno
import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson

from retrieval.errors import Damaged, NewerFormat, ProcessTrouble, StoreError
from retrieval.text.vocabulary import fingerprint

MANIFEST = "index.json"
_LOST = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EIO, errno.ELOOP)

FORMAT = 38
"""Raise it when the contents of an index change; indexes of earlier formats are rebuilt from the vault."""


@dataclass(frozen=True, slots=True)
class FileSum:
    """The SHA-256 of a file in hexadecimal, and its size in bytes; `None` if the size may change."""

    size: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index was built from, and the checksums of its files, by relative path.

    With `model` and `roots`, by source, an index has everything needed to restore its vault. `words` is the fingerprint
    of the vocabularies whose normal form it uses, and `graph` names the index whose Chroma folder and vectors it uses,
    if not its own.
    """

    revision: int
    state: str
    model: str | None
    roots: dict[str, str]
    chunks: int
    files: dict[str, FileSum] = field(default_factory=dict)
    format: int = FORMAT
    words: str = field(default_factory=fingerprint)
    graph: str = ""


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as written: JSON with a checksum of all the rest."""
    content = asdict(manifest)
    return orjson.dumps(content | {"checksum": _checksum(content)})


def read_manifest(index: Path) -> Manifest:
    """Return an index's manifest.

    `NewerFormat` if a newer version of versus made the index; `Damaged` if the manifest is missing, not as written, or
    of an earlier version or other vocabularies; `ProcessTrouble` if only this process can't read it.
    """
    path = index / MANIFEST
    try:
        found = orjson.loads(path.read_bytes())
        content = {name: value for name, value in found.items() if name != "checksum"}
        known = int(content["format"])
    except OSError as error:
        if isinstance(problem := unreadable(path, error), ProcessTrouble):
            raise problem from error
        raise Damaged(f"the index {index} is damaged: its manifest can't be read ({error})") from error
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise Damaged(f"the index {index} is damaged: its manifest can't be read ({error})") from error
    if known < FORMAT:
        raise Damaged(f"the index {index} has format {known}, this version of versus reads {FORMAT}")
    if found.get("checksum") != _checksum(content):
        raise Damaged(f"the index {index} is damaged: its manifest is not what was written")
    if known > FORMAT:
        raise NewerFormat(index, known, FORMAT)
    if content.get("words") != fingerprint():
        raise Damaged(f"the index {index} was built with other vocabularies than those that are installed now")
    files = {name: FileSum(**each) for name, each in content.pop("files").items()}
    return Manifest(**content, files=files)


def graph_of(index: Path) -> Path:
    """Return the finished index whose graph and vectors an index uses: itself, or an earlier one."""
    return index.parent / (read_manifest(index).graph or index.name)


def unreadable(path: Path, error: OSError) -> StoreError:
    """Return the error for an unreadable file: `Damaged` if nobody can read it, `ProcessTrouble` if others may."""
    problem = f"{path} can't be read ({error.strerror or error})"
    if error.errno in _LOST:
        return Damaged(problem)
    is_limit = error.errno in (errno.EMFILE, errno.ENFILE)
    return ProcessTrouble(f"{problem}; {'raise the limit: ulimit -n 1024' if is_limit else 'check whose it is'}")


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
