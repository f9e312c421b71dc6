"""Files become a collection: read, embed what is new, store, and tell what was done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from agent import events
from agent.settings import Settings
from retrieval.collections import open_collection
from retrieval.models import close_embedder, embedder_for
from retrieval.types import IngestReport

Progress = Callable[[str, int, int], None]
"""Called with the stage's name, how much is done, and how much there is."""


async def ingest(paths: Sequence[Path], settings: Settings, on_progress: Progress | None = None) -> IngestReport:
    """Bring the collection up to date with these files and folders; unchanged chunks are not embedded again.

    Raises `SourceError` with file and line before anything is written, and `SettingsError` when the settings name
    several collections.
    """
    name = settings.only_collection()
    # The parsers are slow to import, and a question never needs them.
    from retrieval.ingest.index import index
    from retrieval.ingest.read import read_sources

    read = await asyncio.to_thread(read_sources, list(paths))
    base_url, api_key = settings.embedding_endpoint()
    embedder = embedder_for(settings.embedding_model, base_url=base_url, api_key=api_key)
    embedding, indexing = (partial(on_progress, stage) if on_progress else None for stage in ("embedding", "indexing"))
    place = settings.chroma_location()
    store = await open_collection(place, name, create=True, embedder=embedder, on_progress=indexing)
    try:
        done = await index(read.chunks, store, embedder, sources=read.sources, on_progress=embedding)
    finally:
        await store.close()
        await close_embedder(embedder)
    rule_count = sum(chunk.query_must is not None for chunk in read.chunks)
    report = IngestReport(
        len(read.sources),
        len(read.chunks),
        read.tables,
        rule_count,
        done.embedded,
        done.unchanged,
        done.removed,
        read.warnings,
    )
    events.emit("ingest.completed", asdict(report))
    return report
