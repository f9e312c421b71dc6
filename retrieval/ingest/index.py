"""Bring the store up to date: unchanged chunks are skipped, and chunks that vanished from their source are removed.

A content hash decides. Everything is embedded before anything is written, so a failing model or a Ctrl-C leaves the
collection as it was; one change writes the new chunks and removes the vanished ones.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.protocol import Embedder, Progress, embed_all
from retrieval.errors import SourceError
from retrieval.stores.metadata import encode
from retrieval.stores.store import Stamp, Store, require_same_model
from retrieval.types import Chunk

_OR_ELSE = ", ingest into another collection, or, where it has moved, ingest both places together"


@dataclass(frozen=True, slots=True)
class Indexed:
    """How many texts were embedded, how many chunks were unchanged, and how many were removed.

    `updated` chunks were written with a known vector, so every chunk read is embedded, updated or unchanged. `changed`
    are the sources with a written or removed chunk.
    """

    embedded: int
    unchanged: int
    removed: int
    updated: int = 0
    changed: frozenset[str] = field(default=frozenset(), compare=False)


async def index(
    chunks: Sequence[Chunk],
    store: Store,
    embedder: Embedder,
    *,
    sources: Mapping[str, str],
    roots: Collection[str] = (),
    unread: Collection[tuple[str, str]] = (),
    on_progress: Progress | None = None,
) -> Indexed:
    """Bring the store up to date with all chunks of these sources, each given with the root it was read from.

    A stored chunk is removed if it is not among `chunks` and comes from one of these sources, their roots or `roots`,
    further files and folders that were read. So a deleted paragraph is removed, and so is a file deleted from its
    folder. Chunks of an `unread` source and root stay, or of the whole root if that source is empty: the file exists
    but can't be read.

    Raises `SourceError` if two chunks have one id or two files one name, also if one of them was ingested earlier and
    its file still exists; `EmbeddingError` and `StoreError`.
    """
    _require_unique(chunks)
    require_same_model(store, embedder)
    counted = _Counted(embedder)
    async with store.writing(counted) as remembering:
        change = await asyncio.to_thread(_compared, chunks, await store.stamps(), sources, roots, unread)
        vectors = await embed_all(remembering, change.texts, on_progress)
        if change.chunks or change.vanished:
            await store.upsert(change.chunks, vectors, change.stamps, change.vanished)
        embedded = counted.texts  # what the store embeds besides is no chunk
    written = len(change.chunks)
    return Indexed(embedded, len(chunks) - written, len(change.vanished), written - embedded, change.sources)


async def left_from(paths: Iterable[Path], store: Store) -> int:
    """Return how many stored chunks were read from these files and folders."""
    roots = {str(path.resolve()) for path in paths}
    return sum(_is_within(stamp.root, roots) for stamp in (await store.stamps()).values())


def content_hash(chunk: Chunk) -> str:
    """Return the SHA-256, in hexadecimal, of everything stored for a chunk."""
    everything = json.dumps([chunk.text, encode(chunk)], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(everything.encode("utf-8", "surrogatepass")).hexdigest()


def embedding_text(chunk: Chunk) -> str:
    """Return the text to embed: the title, unless the text begins with it, and the text.

    >>> embedding_text(Chunk("c1", "Prime requisite: strength.", "The Fighter"))
    'The Fighter\\nPrime requisite: strength.'
    """
    begins = chunk.text.lstrip("#*_ \n").casefold().startswith(chunk.title.casefold())
    return chunk.text if begins else f"{chunk.title}\n{chunk.text}"


class _Counted:
    """Counts the texts actually sent to the model."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.name = inner.name
        self.texts = 0

    @property
    def dimension(self) -> int | None:
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        return await self._inner.embed(texts)


@dataclass(frozen=True, slots=True)
class _Change:
    """The chunks to write, with the texts to embed, and the ids to remove."""

    chunks: list[Chunk]
    texts: list[str]
    stamps: list[Stamp]
    vanished: list[str]
    sources: frozenset[str]


def _compared(
    chunks: Sequence[Chunk],
    stored: Mapping[str, Stamp],
    sources: Mapping[str, str],
    roots: Collection[str],
    unread: Collection[tuple[str, str]],
) -> _Change:
    read = {*roots, *sources.values()} - {""}
    _require_own_names(stored, sources, read)
    stamps = {c.id: Stamp(content_hash(c), c.source, sources.get(c.source, "")) for c in chunks}
    changed = [chunk for chunk in chunks if stored.get(chunk.id) != stamps[chunk.id]]
    covered = {each for each in _covered(stored, sources, read) if each not in unread and ("", each[1]) not in unread}
    _require_own_ids(stored, stamps, covered)
    vanished = [id_ for id_, stamp in stored.items() if id_ not in stamps and stamp[1:] in covered]
    touched = frozenset(chunk.source for chunk in changed) | {stored[id_].source for id_ in vanished}
    return _Change(changed, [embedding_text(c) for c in changed], [stamps[c.id] for c in changed], vanished, touched)


def _covered(stored: Mapping[str, Stamp], sources: Mapping[str, str], roots: AbstractSet[str]) -> set[tuple[str, str]]:
    """Return the stored sources and roots that this ingestion covers; a folder covers everything in it."""
    found = {stamp[1:] for stamp in stored.values()}
    return {(s, r) for s, r in found if s in sources or _is_within(r, roots)}


def _is_within(root: str, roots: AbstractSet[str]) -> bool:
    return root != "" and not roots.isdisjoint({root, *map(str, Path(root).parents)})


def _require_own_names(stored: Mapping[str, Stamp], sources: Mapping[str, str], roots: AbstractSet[str]) -> None:
    """Require that no source name belongs to another existing file: replacing it would lose that file's chunks."""
    for source, root in sorted({(stamp.source, stamp.root) for stamp in stored.values() if stamp.root}):
        if source in sources and not _is_within(root, roots):
            old, new = _file(root, source), _file(sources[source], source)
            if _are_two(old, new):
                raise SourceError(f"this collection already has {source!r} from {old}; rename one{_OR_ELSE}", str(new))


def _require_own_ids(
    stored: Mapping[str, Stamp], stamps: Mapping[str, Stamp], covered: AbstractSet[tuple[str, str]]
) -> None:
    """Require that no chunk takes the id of another existing file's chunk, which it would replace."""
    taken: dict[tuple[tuple[str, str], tuple[str, str]], str] = {}
    for id_ in sorted(stored.keys() & stamps.keys()):
        before, now = stored[id_], stamps[id_]
        if before.root and before[1:] not in covered:
            taken.setdefault((before[1:], now[1:]), id_)
    for ((source, root), (own_source, own_root)), id_ in taken.items():
        old, new = _file(root, source), _file(own_root, own_source)
        if _are_two(old, new):
            message = f"this collection already has a chunk {id_!r} from {old}; give it another id{_OR_ELSE}"
            raise SourceError(message, str(new))


def _are_two(old: Path, new: Path) -> bool:
    """True for two different files that both exist; a missing one may have been moved."""
    return old.is_file() and new.is_file() and not old.samefile(new)


def _file(root: str, source: str) -> Path:
    return Path(root) / source if Path(root).is_dir() else Path(root)


def _require_unique(chunks: Iterable[Chunk]) -> None:
    seen = Counter(chunk.id for chunk in chunks)
    twice = sorted(id_ for id_, times in seen.items() if times > 1)
    if twice:
        raise SourceError(f"{len(twice)} chunk ids occur more than once, e.g. {twice[0]!r}; make them unique")
