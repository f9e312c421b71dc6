"""Ingestion: read files, embed new chunks, store them, and report the result."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent import events
from agent.render.words import counted
from agent.settings.settings import Settings
from retrieval.collections.opening import has_collection, open_collection
from retrieval.embedding.models import close_embedder, embedder_for
from retrieval.errors import CollectionNotFound, SourceError
from retrieval.types import IngestReport

if TYPE_CHECKING:
    from agent.ingesting.proposing.estimate import Estimate
    from retrieval.ingest.index import Indexed
    from retrieval.ingest.read import Read

Rules = Literal["generated", "llm"]
"""The source of titles and rules of look-alike tables: the generator alone, or a language model on top of it."""
Progress = Callable[[str, int, int], None]
"""Called with the stage's name, the amount done, and the total."""


async def ingest(
    paths: Sequence[Path],
    settings: Settings,
    on_progress: Progress | None = None,
    *,
    rules: Rules = "generated",
) -> IngestReport:
    """Bring the collection up to date with these files and folders; unchanged chunks are not embedded again.

    Raises `SourceError` with file and line before anything is written, `SettingsError` if the settings name several
    collections, and `EmbeddingError`; an unusable model leaves no new collection behind. A cancelled call keeps the
    vectors computed for a collection in a folder, and the same call resumes from there. With `rules="llm"` it also
    raises `SettingsError` without a language model, and `LLMRefused`, both before anything is written.
    """
    settings.only_collection()
    read = await _read(paths, settings, on_progress)
    if rules == "llm":
        read = await _with_proposals(read, settings, on_progress)
    report = _report(read, await _stored(read, settings, on_progress))
    events.emit("ingest.completed", asdict(report))
    return report


async def estimate(paths: Sequence[Path], settings: Settings) -> Estimate:
    """Return what `ingest(…, rules="llm")` would ask of the model, and its price; nothing is sent or written.

    Raises `SourceError` like `ingest`; a key is not needed.
    """
    from agent.ingesting.proposing.estimate import estimated
    from agent.ingesting.proposing.families import look_alikes
    from agent.ingesting.proposing.requests import batches
    from retrieval.ingest.read import read_sources

    settings.only_collection()
    read = await asyncio.to_thread(read_sources, list(paths))
    families = await asyncio.to_thread(look_alikes, read.chunks, read.generated)
    return await estimated(batches(families), settings)


async def _read(paths: Sequence[Path], settings: Settings, on_progress: Progress | None) -> Read:
    """Read the files. If a path has no files any more it may be wrong: chunks read from it before stay."""
    from retrieval.ingest.read import read_sources

    is_over = threading.Event()

    def on_page(name: str, done: int, total: int) -> None:
        if is_over.is_set():
            raise asyncio.CancelledError  # nobody waits for this thread's result any more
        if on_progress is not None:
            on_progress(name, done, total)

    try:
        return await asyncio.to_thread(read_sources, list(paths), on_page)
    except asyncio.CancelledError:
        is_over.set()
        raise
    except SourceError as error:
        left = await _remaining_chunk_count(error.bare, settings) if error.bare else 0
        if not left:
            raise
        name = settings.only_collection()
        raise SourceError(
            f"{error.message}. Collection {name!r} still has {counted(left, 'chunk')} from there; to be rid of what it "
            f"has, delete it and ingest the rest again: versus collections {name} --delete",
            error.place,
            error.bare,
        ) from error


async def _stored(read: Read, settings: Settings, on_progress: Progress | None) -> Indexed:
    """Embed new chunks and store them."""
    # The parsers are slow to import, and a question never needs them.
    from retrieval.ingest.index import embedding_text, index

    place, name = settings.chroma_location(), settings.only_collection()
    base_url, api_key = settings.embedding_endpoint()
    embedder = embedder_for(settings.embedding_model, base_url=base_url, api_key=api_key)
    embedding, indexing = (partial(on_progress, stage) if on_progress else None for stage in ("embedding", "indexing"))
    try:
        if not await has_collection(place, name):
            # The model is tested before the collection is created: a broken one would leave an empty collection.
            await embedder.embed([embedding_text(read.chunks[0])])
        store = await open_collection(place, name, create=True, embedder=embedder, on_progress=indexing)
        try:
            return await index(
                read.chunks, store, embedder, sources=read.sources, roots=read.roots, unread=read.unread,
                on_progress=embedding,
            )  # fmt: skip
        finally:
            await store.close()
    finally:
        await close_embedder(embedder)


def _report(read: Read, done: Indexed) -> IngestReport:
    return IngestReport(
        files=read.files,
        files_unchanged=read.files - len({read.places[source] for source in done.changed if source in read.places}),
        chunks=len(read.chunks),
        tables=read.tables,
        rules=sum(chunk.query_must is not None for chunk in read.chunks),
        embedded=done.embedded,
        unchanged=done.unchanged,
        removed=done.removed,
        warnings=read.warnings,
        updated=done.updated,
        skipped=read.skipped,
        failed=read.failed,
    )


async def _remaining_chunk_count(paths: Sequence[Path], settings: Settings) -> int:
    """Return how many chunks of these files and folders the collection has."""
    from retrieval.ingest.index import left_from

    try:
        store = await open_collection(settings.chroma_location(), settings.only_collection())
    except CollectionNotFound:
        return 0
    try:
        return await left_from(paths, store)
    finally:
        await store.close()


async def _with_proposals(read: Read, settings: Settings, on_progress: Progress | None) -> Read:
    """Return the chunks with the titles and rules that the model proposes and the checks accept."""
    from agent.ingesting.proposing.factory import proposer
    from agent.ingesting.proposing.families import look_alikes
    from agent.ingesting.proposing.propose import propose
    from agent.ingesting.proposing.requests import batches

    on_done = partial(on_progress, "proposing") if on_progress else None
    families = await asyncio.to_thread(look_alikes, read.chunks, read.generated)
    async with proposer(settings) as llm:
        done = await propose(llm, read.chunks, batches(families), concurrency=settings.concurrency, on_done=on_done)
    return replace(read, chunks=done.chunks, warnings=(*read.warnings, *done.warnings))
