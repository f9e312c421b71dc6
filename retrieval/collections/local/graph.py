"""The graph of an index: Chroma's own folder, into which chunks are written and in which they are searched.

What did not change since an earlier index is taken over from a copy of its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from retrieval.collections.chroma.connect import HNSW, close_client, embedded_client, mapped
from retrieval.collections.local.layout import chroma_of
from retrieval.collections.local.lending import lend
from retrieval.collections.local.row_vectors import Rows
from retrieval.collections.local.rule_index import RULED, UNRULED, RuleIndex
from retrieval.collections.local.since import Since
from retrieval.collections.local.vault import StoredChunk, Vault
from retrieval.errors import Damaged

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as ChromaCollection

WRITE_BATCH = 2000
PROBES = 16
"""The chunks of each part that are searched by their own vectors before an index is put in force."""
_NOBODY = "\0nobody"
"""An id that no chunk has: Chroma synchronizes from the second change on, so a single one would stay unsynchronized."""
# At every start Chroma repeats unsynchronized changes, once for each query at that moment, and then writes them: none
# may remain, so that reading changes no file. It still synchronizes only once a call.
_AT_ONCE = {"batch_size": 2, "sync_threshold": 2}
_SEARCHED = {"hnsw": {**HNSW, "ef_construction": 100, **_AT_ONCE}}
"""Building with half as many neighbors takes half the time and, searched as widely, finds nearly as much: 0.995 instead
of 0.998 among a thousand near duplicates.
"""
_KEPT = {"hnsw": {"space": "cosine", "ef_construction": 8, "max_neighbors": 4, **_AT_ONCE}}
"""If all rows are compared, the graph is never searched, and its edges are not worth the time to find them."""

T = TypeVar("T")
Progress = Callable[[int, int], None]
Contents = Mapping[str, tuple[str, str]]
"""Each id with the digest of its version, and its part of the index."""


def fill(place: Path, vault: Vault, directory: RuleIndex, there: Contents, on_progress: Progress | None = None) -> None:
    """Bring the folder at `place` from the contents `there` to those of the directory, and check it."""

    def work() -> None:
        with chroma_parts(place, directory) as parts:
            _bring_up_to_date(parts, vault, contents(directory, Since()), there, on_progress)
        with chroma_parts(place, directory) as parts:  # reopened, so that the check reads from disk
            _require_found(parts, directory, Since())

    mapped(str(place.parent), work)


def contents(directory: RuleIndex, since: Since) -> Contents:
    """Return the contents of an index's graph."""
    own = zip(directory.ids, directory.digests, map(directory.part_of_row, range(len(directory.ids))), strict=True)
    found = {id_: (digest, part) for id_, digest, part in own if id_ not in since.fresh}
    return found | {id_: ("", part) for id_, part in since.gone.items()}


def check(index: Path) -> None:
    """Query an index; `Damaged` if chunks are missing or some do not find themselves."""
    directory = RuleIndex.load(index)
    place, copy = lend(chroma_of(index))
    try:
        with chroma_parts(place, directory) as parts:
            _require_found(parts, directory, Since.load(index))
    finally:
        if copy is not None:
            copy.cleanup()


@contextmanager
def chroma_parts(place: Path, directory: RuleIndex) -> Iterator[dict[str, ChromaCollection]]:
    """Yield Chroma's collections in a folder, created for a directory if missing."""
    client = cast("ClientAPI", embedded_client(place, create=True))
    kinds = {UNRULED: _SEARCHED if directory.is_large else _KEPT, RULED: _KEPT}
    try:
        yield {
            name: client.get_or_create_collection(name, configuration=cast(Any, kind), embedding_function=None)
            for name, kind in kinds.items()
        }
    finally:
        close_client(client)


def _bring_up_to_date(
    parts: Mapping[str, ChromaCollection],
    vault: Vault,
    wanted: Contents,
    there: Contents,
    on_progress: Progress | None,
) -> None:
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


def _write(part: ChromaCollection, rows: Sequence[StoredChunk]) -> None:
    if rows:
        vectors = np.stack([np.frombuffer(stored.vector, dtype=np.float32) for stored in rows])
        ids = [stored.id for stored in rows]
        part.delete(ids=ids)  # Chroma would merge new metadata into an existing chunk
        part.add(
            ids=ids,
            embeddings=cast(Any, vectors),
            documents=[stored.text for stored in rows],
            metadatas=cast(Any, [dict(stored.flat) for stored in rows]),
        )


def _require_found(parts: Mapping[str, ChromaCollection], directory: RuleIndex, since: Since) -> None:
    """Check by queries that an index has every chunk, and that a sample of chunks find themselves."""
    holding = contents(directory, since)
    own = {id_ for id_ in holding if id_ not in since.gone}
    for name, part in parts.items():
        size = sum(each == name for _, each in holding.values())
        if part.count() != size:
            raise Damaged(f"the index has {part.count()} {name} chunks instead of {size}")
        rows = directory.rows_of(id_ for id_, (_, each) in holding.items() if each == name and id_ in own)
        if len(rows):
            _require_near(part, directory, np.sort(rows)[np.unique(np.linspace(0, len(rows) - 1, PROBES).astype(int))])


def _require_near(part: ChromaCollection, directory: RuleIndex, rows: Rows) -> None:
    """Query some rows by their own vectors: a damaged graph may fail, and a searched one must find them."""
    found = part.query(query_embeddings=cast(Any, directory.vectors.of(rows)), n_results=1, include=["distances"])
    farthest = max(float(nearest[0]) for nearest in found["distances"] or [[2.0]])
    if farthest > 1e-3 and part.name == UNRULED and directory.is_large:
        raise Damaged(f"the index does not find its own chunks (distance {farthest:.3f})")


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(items)
    while batch := list(islice(remaining, WRITE_BATCH)):
        yield batch
