"""Chunks go into the store once: what did not change is left alone, what vanished from its source is removed.

A content hash decides. Everything is embedded before anything is written, so a model that fails, or an impatient
Ctrl-C, leaves the collection as it was; vanished chunks go last, so a failing write loses nothing either.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.embed import Embedder, Progress, embed_all
from retrieval.errors import SourceError
from retrieval.metadata import encode
from retrieval.store import Store, require_same_model
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Indexed:
    """How many chunks were embedded and written, were there already, and were removed."""

    embedded: int
    unchanged: int
    removed: int


async def index(
    chunks: Sequence[Chunk],
    store: Store,
    embedder: Embedder,
    *,
    sources: Iterable[str],
    on_progress: Progress | None = None,
) -> Indexed:
    """Bring the store up to date with all chunks of these sources.

    Chunks of `sources` that are in the store and not in `chunks` are deleted. Raises `SourceError` when two chunks
    have one id, `EmbeddingError` and `StoreError`.
    """
    _require_unique(chunks)
    require_same_model(store, embedder)
    stored = await _stored(store, sources)
    hashes = {chunk.id: content_hash(chunk) for chunk in chunks}
    changed = [chunk for chunk in chunks if stored.get(chunk.id) != hashes[chunk.id]]
    vectors = await embed_all(embedder, [embedding_text(chunk) for chunk in changed], on_progress)
    if changed:
        await store.upsert(changed, vectors, [hashes[chunk.id] for chunk in changed])
    vanished = sorted(stored.keys() - hashes.keys())
    await store.delete(vanished)
    return Indexed(len(changed), len(chunks) - len(changed), len(vanished))


def content_hash(chunk: Chunk) -> str:
    """Return the SHA-256, in hexadecimal, of everything that is stored of a chunk."""
    everything = json.dumps([chunk.text, encode(chunk)], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(everything.encode("utf-8", "surrogatepass")).hexdigest()


def embedding_text(chunk: Chunk) -> str:
    """Return what is embedded: the title, unless the text begins with it, and the text.

    >>> embedding_text(Chunk("c1", "Prime requisite: strength.", "The Fighter"))
    'The Fighter\\nPrime requisite: strength.'
    """
    begins = chunk.text.lstrip("#*_ \n").casefold().startswith(chunk.title.casefold())
    return chunk.text if begins else f"{chunk.title}\n{chunk.text}"


async def _stored(store: Store, sources: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for source in sorted(set(sources)):
        found |= await store.hashes(source)
    return found


def _require_unique(chunks: Iterable[Chunk]) -> None:
    seen = Counter(chunk.id for chunk in chunks)
    twice = sorted(id_ for id_, times in seen.items() if times > 1)
    if twice:
        raise SourceError(f"{len(twice)} chunk ids occur more than once, e.g. {twice[0]!r}; make them unique")
