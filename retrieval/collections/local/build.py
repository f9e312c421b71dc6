"""An index from the vault: built aside, checked with real queries, and then put in force.

This runs as a process of its own (`retrieval.collections.local.builder` starts it): Chroma holds the interpreter for
seconds while it writes, and a kill can then never hurt the process that answers questions. What did not change since
the last index is taken over from it as it is.

A builder works for the process that started it, and stops when that dies. It begins when it is told to, holding a lock
of its own until the very end: so no other writer can begin as long as an orphan lives.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np
import orjson

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.chroma.connect import HNSW, close_client, embedded_client, mapped
from retrieval.collections.local.integrity import damage, is_untouched
from retrieval.collections.local.layout import (
    CHROMA,
    VAULT,
    begin_index,
    builder_lock,
    current_index,
    publish,
    remove_leftovers,
)
from retrieval.collections.local.lending import lend
from retrieval.collections.local.manifest import Manifest, read_manifest
from retrieval.collections.local.rule_index import Row, RuleIndex
from retrieval.collections.local.vault import StoredChunk, Vault
from retrieval.errors import Damaged, NewerFormat, RetrievalError, StoreError
from retrieval.ingest.index import embedding_text
from retrieval.lexical import LexicalIndex
from retrieval.processes.worker import Tell
from retrieval.tables.index import CellIndex
from retrieval.types import Chunk

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as ChromaCollection

UNRULED, RULED = "unruled", "ruled"
CATALOG, LEXICAL, CELLS = "catalog.json", "lexical", "cells.sqlite"
WRITE_BATCH = 2000
ROOM = 16_000_000
"""Bytes; a disk with less than this free, when something fails, counts as full."""
PROBES = 16
"""How many chunks of each part are looked for with their own vectors before an index is put in force."""
_NOBODY = "\0nobody"
"""An id that no chunk has: Chroma synchronises from the second change on, and does not leave a single one to do."""
# Chroma repeats at every start what it has not yet synchronised, once for each query that comes at that moment, and
# then writes it: nothing may be left to do, so that reading changes no file. It synchronises once a call all the same.
_CONFIGURATION = {"hnsw": {**HNSW, "batch_size": 2, "sync_threshold": 2}}

T = TypeVar("T")
Progress = Callable[[int, int], None]


def build(folder: Path, on_progress: Progress | None = None, *, afresh: bool = False) -> None:
    """Build the next index of the local collection in `folder` and put it in force; the caller holds its writer lock.

    `on_progress` is called with how many chunks are written to Chroma, and how many have to be. With `afresh`, nothing
    is taken over from the index in force. Raises `NewerFormat` when a newer version of versus made that one, and
    `StoreError` when the next can't be built; the one in force then stays as it is.
    """
    try:
        _build_between_cleanings(folder, on_progress, afresh)
    except OSError as error:
        raise StoreError(_explained(folder, error)) from error


def _build_between_cleanings(folder: Path, on_progress: Progress | None, afresh: bool) -> None:
    _require_not_newer(folder)
    remove_leftovers(folder)
    vault = Vault(folder / VAULT)
    try:
        vault.upgrade()
        _build(folder, vault, on_progress, afresh)
    except (OSError, StoreError) as error:
        raise StoreError(_explained(folder, error)) from error
    finally:
        vault.close()
        remove_leftovers(folder)


def _require_not_newer(folder: Path) -> None:
    try:
        current = current_index(folder)
        if current is not None:
            read_manifest(current)
    except NewerFormat:
        raise
    except StoreError:
        return  # what is damaged is what is built anew


def _explained(folder: Path, error: Exception) -> str:
    """What to tell; Chroma often hides that the disk is full, and when the leftovers are gone it no longer is."""
    what = f"the disk is full ({error})" if shutil.disk_usage(folder).free < ROOM else str(error)
    safe = "Its chunks are kept" + (", and the index in force goes on answering" if _is_sound(folder) else "")
    return (
        f"the index of {folder.name!r} can't be built: {what}. {safe}; when the cause is mended: "
        f"versus doctor {folder.name} --repair"
    )


def _is_sound(folder: Path) -> bool:
    """Whether there is an index in force and its files are what was written."""
    try:
        current = current_index(folder)
        return current is not None and damage(current) is None
    except StoreError:
        return False


def _build(folder: Path, vault: Vault, on_progress: Progress | None, afresh: bool) -> None:
    meta = vault.meta()
    rows, chunks = _read(vault)
    directory, catalog = RuleIndex.build(rows), Catalog.from_chunks(chunks)
    roots = {stamp.source: stamp.root for stamp in vault.stamps().values() if stamp.root}
    aside = begin_index(folder)
    base = None if afresh else _take_over(folder, aside)
    try:
        _fill(aside, vault, directory, base, on_progress)
    except StoreError:
        if base is None:
            raise
        # What was copied does not work after all; the vault has everything. Chroma can't use a failed folder again.
        failed, aside = aside, begin_index(folder)
        shutil.rmtree(failed, ignore_errors=True)
        _fill(aside, vault, directory, None, on_progress)
    directory.save(aside)
    (aside / CATALOG).write_bytes(catalog.to_json())
    CellIndex.build(chunks, aside / CELLS).close()
    LexicalIndex.build([chunk.id for chunk in chunks], [embedding_text(chunk) for chunk in chunks]).save(
        aside / LEXICAL
    )
    publish(folder, aside, Manifest(int(meta["revision"]), str(meta["state"]), meta.get("model"), roots, len(rows)))


def _read(vault: Vault) -> tuple[list[Row], list[Chunk]]:
    rows, chunks = list[Row](), list[Chunk]()
    for batch in vault.rows():
        for stored in batch:
            chunk = stored.chunk()
            vector = np.frombuffer(stored.vector, dtype=np.float32)
            rows.append(Row(stored.id, digest(stored), chunk.query_must, stored.flat, vector))
            chunks.append(chunk)
    return rows, chunks


def _take_over(folder: Path, aside: Path) -> RuleIndex | None:
    """Copy the index in force, where it is sound and has answered, and say what is in it."""
    current = current_index(folder)
    try:
        if current is None or not is_untouched(current) or damage(current) is not None:
            return None
        directory = RuleIndex.load(current)
        shutil.copytree(current / CHROMA, aside / CHROMA)
    except (StoreError, OSError):
        shutil.rmtree(aside / CHROMA, ignore_errors=True)
        return None
    return directory


def _fill(
    aside: Path, vault: Vault, directory: RuleIndex, base: RuleIndex | None, on_progress: Progress | None
) -> None:
    """Bring Chroma's folder from what `base` says it holds to what `directory` says, and check it."""

    def work() -> None:
        with chroma_parts(aside / CHROMA) as parts:
            _bring_up_to_date(parts, vault, directory, base, on_progress)
        with chroma_parts(aside / CHROMA) as parts:  # anew, so that what is asked is what is on disk
            _require_found(parts, directory)

    mapped(str(aside), work)


@contextmanager
def chroma_parts(place: Path) -> Iterator[dict[str, ChromaCollection]]:
    """Chroma's collections in a folder, made where they are missing."""
    client = cast("ClientAPI", embedded_client(place, create=True))
    try:
        yield {
            name: client.get_or_create_collection(
                name, configuration=cast(Any, _CONFIGURATION), embedding_function=None
            )
            for name in (UNRULED, RULED)
        }
    finally:
        close_client(client)


def _bring_up_to_date(
    parts: Mapping[str, ChromaCollection],
    vault: Vault,
    directory: RuleIndex,
    base: RuleIndex | None,
    on_progress: Progress | None,
) -> None:
    wanted, there = _contents(directory), {} if base is None else _contents(base)
    for name, part in parts.items():
        removed = sorted(id_ for id_, (_, old) in there.items() if old == name and wanted.get(id_, (0, 0))[1] != name)
        for ids in _batches(removed):
            part.delete(ids=[*ids, _NOBODY])
    changed = {id_ for id_, state in wanted.items() if there.get(id_) != state}
    tell, done = on_progress or (lambda done, total: None), 0
    tell(done, len(changed))
    for rows in _batches(stored for batch in vault.rows() for stored in batch if stored.id in changed):
        for name, part in parts.items():
            _write(part, [stored for stored in rows if wanted[stored.id][1] == name])
        done += len(rows)
        tell(done, len(changed))


def _contents(directory: RuleIndex) -> dict[str, tuple[str, str]]:
    """Each id with what tells its versions apart, and the part of the index it belongs to."""
    parts = (UNRULED if row < directory.unruled else RULED for row in range(len(directory.ids)))
    return dict(zip(directory.ids, zip(directory.digests, parts, strict=True), strict=True))


def _write(part: ChromaCollection, rows: Sequence[StoredChunk]) -> None:
    if rows:
        vectors = np.stack([np.frombuffer(stored.vector, dtype=np.float32) for stored in rows])
        ids = [stored.id for stored in rows]
        part.delete(ids=ids)  # Chroma would merge the metadata of a chunk that it has with the new
        part.add(
            ids=ids,
            embeddings=cast(Any, vectors),
            documents=[stored.text for stored in rows],
            metadatas=cast(Any, [dict(stored.flat) for stored in rows]),
        )


def _require_found(parts: Mapping[str, ChromaCollection], directory: RuleIndex) -> None:
    """Ask real questions of an index: has it every chunk, and does each of some find itself?"""
    sizes = {UNRULED: directory.unruled, RULED: len(directory.ids) - directory.unruled}
    for name, part in parts.items():
        start = 0 if name == UNRULED else directory.unruled
        if part.count() != sizes[name]:
            raise Damaged(f"the index has {part.count()} {name} chunks instead of {sizes[name]}")
        if sizes[name]:
            rows = np.unique(np.linspace(start, start + sizes[name] - 1, PROBES).astype(int))
            found = part.query(query_embeddings=cast(Any, directory.vectors[rows]), n_results=1, include=["distances"])
            farthest = max(float(nearest[0]) for nearest in found["distances"] or [[2.0]])
            if farthest > 1e-3:
                raise Damaged(f"the index does not find its own chunks (distance {farthest:.3f})")


def check(index: Path) -> None:
    """Ask real questions of an index; `Damaged` when it lacks chunks, or some do not find themselves."""
    place, copy = lend(index / CHROMA)
    try:
        with chroma_parts(place) as parts:
            _require_found(parts, RuleIndex.load(index))
    finally:
        if copy is not None:
            copy.cleanup()


def digest(stored: StoredChunk) -> str:
    """Return what tells a chunk's text, metadata and vector from all others."""
    body = orjson.dumps([stored.text, stored.flat], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(body + stored.vector).hexdigest()[:32]


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(items)
    while batch := list(islice(remaining, WRITE_BATCH)):
        yield batch


def main(folder: str, how: Literal["", "afresh"], tell: Tell) -> int:
    """Build when told to on standard input, and tell how it goes."""
    try:
        lock = builder_lock(Path(folder))
        try:
            tell({"ready": True})
            if not os.read(sys.stdin.fileno(), 1):
                return 1  # nobody is left to build for
            threading.Thread(target=_end_with_parent, daemon=True).start()
            build(Path(folder), lambda done, total: tell({"done": done, "total": total}), afresh=how == "afresh")
        finally:
            lock.release()
    except RetrievalError as error:
        tell({"error": str(error)})
        return 1
    return 0


def _end_with_parent() -> None:
    """Wait until standard input ends, as it does when the process at its other end dies, however that happens."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
