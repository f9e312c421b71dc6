"""Files become a collection: read, embed what is new, store, and tell what was done."""

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
"""Who makes titles and rules of look-alike tables: the generator alone, or a language model on top of it."""
Progress = Callable[[str, int, int], None]
"""Called with the stage's name, how much is done, and how much there is."""


async def ingest(
    paths: Sequence[Path],
    settings: Settings,
    on_progress: Progress | None = None,
    *,
    rules: Rules = "generated",
) -> IngestReport:
    """Bring the collection up to date with these files and folders; unchanged chunks are not embedded again.

    Raises `SourceError` with file and line before anything is written, `SettingsError` when the settings name several
    collections, and `EmbeddingError`; a model that can't be used leaves no new collection behind. Cancelled, it keeps
    the vectors that were computed for a collection in a folder, and the same call goes on from there. With
    `rules="llm"` also `SettingsError` when there is no language model, and `LLMRefused`, before anything is written
    too.
    """
    settings.only_collection()
    read = await _read(paths, settings, on_progress)
    if rules == "llm":
        read = await _proposed(read, settings, on_progress)
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
    """What the files say. Where there is nothing any more, the path may be wrong: what was read there before stays."""
    from retrieval.ingest.read import read_sources

    is_over = threading.Event()

    def on_page(name: str, done: int, total: int) -> None:
        if is_over.is_set():
            raise asyncio.CancelledError  # nobody waits for what this thread reads any more
        if on_progress is not None:
            on_progress(name, done, total)

    try:
        return await asyncio.to_thread(read_sources, list(paths), on_page)
    except asyncio.CancelledError:
        is_over.set()
        raise
    except SourceError as error:
        left = await _left(error.bare, settings) if error.bare else 0
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
    """Embed what is new and store it."""
    # The parsers are slow to import, and a question never needs them.
    from retrieval.ingest.index import embedding_text, index

    place, name = settings.chroma_location(), settings.only_collection()
    base_url, api_key = settings.embedding_endpoint()
    embedder = embedder_for(settings.embedding_model, base_url=base_url, api_key=api_key)
    embedding, indexing = (partial(on_progress, stage) if on_progress else None for stage in ("embedding", "indexing"))
    try:
        if not await has_collection(place, name):
            # The model is tried before there is a collection: one that can't be loaded would leave an empty one.
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


async def _left(paths: Sequence[Path], settings: Settings) -> int:
    """How many chunks of these files and folders the collection has."""
    from retrieval.ingest.index import left_from

    try:
        store = await open_collection(settings.chroma_location(), settings.only_collection())
    except CollectionNotFound:
        return 0
    try:
        return await left_from(paths, store)
    finally:
        await store.close()


async def _proposed(read: Read, settings: Settings, on_progress: Progress | None) -> Read:
    """What was read, with the titles and rules that the model proposes and the checks let pass."""
    from agent.ingesting.proposing.factory import proposer
    from agent.ingesting.proposing.families import look_alikes
    from agent.ingesting.proposing.propose import propose
    from agent.ingesting.proposing.requests import batches

    on_done = partial(on_progress, "proposing") if on_progress else None
    families = await asyncio.to_thread(look_alikes, read.chunks, read.generated)
    async with proposer(settings) as llm:
        done = await propose(llm, read.chunks, batches(families), concurrency=settings.concurrency, on_done=on_done)
    return replace(read, chunks=done.chunks, warnings=(*read.warnings, *done.warnings))
