"""Restore a vault from an index, which holds the same texts, metadata and vectors.

Each chunk is compared with the checksum taken when the index was built; a difference aborts the restoration.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from retrieval.collections.chroma.connect import mapped
from retrieval.collections.local.graph import chroma_parts
from retrieval.collections.local.integrity import damage
from retrieval.collections.local.layout import VAULT, chroma_of, current_index, indexes
from retrieval.collections.local.lending import lend
from retrieval.collections.local.manifest import read_manifest
from retrieval.collections.local.rule_index import RULED, UNRULED, RuleIndex, digest
from retrieval.collections.local.since import Since
from retrieval.collections.local.vault import StoredChunk, Vault
from retrieval.errors import Damaged, StoreError
from retrieval.ingest.index import content_hash
from retrieval.stores.store import Stamp

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection as ChromaCollection

_BATCH = 1000
_BESIDE = ("", "-journal", "-wal", "-shm")  # files that SQLite may have for one database


def restore(folder: Path) -> None:
    """Restore the vault from the best index, and keep the old file; the caller holds the writer lock.

    Raises `StoreError`, and changes nothing, if there is no sound index.
    """
    index = _restorable(folder)
    aside = folder / f"{VAULT}.restored"
    aside.unlink(missing_ok=True)
    mapped(str(index), lambda: _write(aside, index))
    _move_away(folder)
    aside.rename(folder / VAULT)


def _restorable(folder: Path) -> Path:
    """Return the index in force, or the newest sound one."""
    current = current_index(folder)
    for index in ([] if current is None else [current]) + indexes(folder):
        try:
            if damage(index) is None:
                return index
        except StoreError:
            continue
    raise StoreError(f"no index in {folder} is sound, so its chunks can't be taken from there")


def _write(path: Path, index: Path) -> None:
    manifest, directory = read_manifest(index), RuleIndex.load(index)
    vault = Vault(path, model=manifest.model or "")
    try:
        for batch in _batches(index, directory):
            chunks = [stored.chunk() for stored in batch]
            stamps = [Stamp(content_hash(c), c.source, manifest.roots.get(c.source, "")) for c in chunks]
            vault.apply(chunks, np.stack([np.frombuffer(stored.vector, dtype=np.float32) for stored in batch]), stamps)
        vault.note({"revision": manifest.revision, "state": manifest.state})
        if directory.ids:
            vault.note({"dimension": int(directory.vectors.shape[1])})
    finally:
        vault.close()


def _batches(index: Path, directory: RuleIndex) -> Iterator[list[StoredChunk]]:
    since = Since.load(index)
    place, copy = lend(chroma_of(index))
    try:
        with chroma_parts(place, directory) as parts:
            for name, rows in _parts(directory).items():
                for start in range(0, len(rows), _BATCH):
                    yield _stored(index, directory, since, parts[name], rows[start : start + _BATCH])
    finally:
        if copy is not None:
            copy.cleanup()


def _parts(directory: RuleIndex) -> dict[str, range]:
    return {UNRULED: range(directory.unruled), RULED: range(directory.unruled, len(directory.ids))}


def _stored(index: Path, directory: RuleIndex, since: Since, part: ChromaCollection, rows: range) -> list[StoredChunk]:
    found = cast(Any, part.get(ids=[directory.ids[row] for row in rows], include=["documents", "metadatas"]))
    bodies = dict(zip(found["ids"], zip(found["documents"], found["metadatas"], strict=True), strict=True))
    bodies |= since.fresh
    batch = []
    for row, vector in zip(rows, directory.vectors.of(np.asarray(rows, dtype=np.intp)), strict=True):
        id_ = directory.ids[row]
        text, flat = bodies.get(id_, ("", {}))
        stored = StoredChunk(id_, text, flat, vector.tobytes())
        if digest(stored) != directory.digest_of(row):
            raise Damaged(f"the index {index} is damaged: chunk {id_!r} is not what it was")
        batch.append(stored)
    return batch


def _move_away(folder: Path) -> None:
    unused = next(name for number in range(1000) if not (folder / (name := f"{VAULT}.damaged-{number}")).exists())
    for ending in _BESIDE:
        old = folder / f"{VAULT}{ending}"
        if old.exists():
            old.rename(folder / f"{unused}{ending}")
