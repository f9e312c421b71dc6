"""Where a collection's catalog comes from: its index, a file that was kept, or a scan of everything.

A local collection brings its catalog along. One that others made has none, so it is built by a scan, which takes a
while, and then kept in the user's cache folder. A kept catalog only tells the planner what can be asked about, never
what is found, so one that is a little out of date does no harm; it goes when the number of chunks changes, and after
a day.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

import platformdirs

from retrieval.catalogs.catalog import Catalog
from retrieval.embedding.protocol import Progress
from retrieval.stores.store import Store
from retrieval.text.vocabulary import fingerprint

log = logging.getLogger(__name__)

KEEP_SECONDS = 86_400.0
"""How long the catalog of a collection that others may change is believed."""
_STEP = 500  # chunks between two reports of progress


@runtime_checkable
class Catalogued(Protocol):
    """A store that brings its catalog along."""

    @property
    def catalog(self) -> Catalog:
        """The catalog of all its chunks."""
        ...


@runtime_checkable
class Identified(Protocol):
    """A store whose collection has an identity that no other collection ever has."""

    @property
    def identity(self) -> str:
        """The identity, as text."""
        ...


async def open_catalog(
    store: Store,
    *,
    cache: Path | None = None,
    on_progress: Progress | None = None,
    clock: Callable[[], float] = time.time,
) -> Catalog:
    """Return the catalog of a store, from the quickest place that has it.

    `cache` is the folder for catalogs that took a scan (default: the user's cache folder). `on_progress` is called with
    how many chunks were read, and how many there are, while one is made.
    """
    if (own := await asyncio.to_thread(_own, store)) is not None:
        return own
    count = await store.count()
    if not isinstance(store, Identified):
        return await _scanned(store, count, on_progress)
    folder = cache or platformdirs.user_cache_path("versus") / "catalogs"
    made_with = f"{store.identity}\n{fingerprint()}"
    path = folder / f"{hashlib.sha256(made_with.encode()).hexdigest()[:32]}.json"
    known = await asyncio.to_thread(_read, path, clock())
    if known is not None and known.chunks == count:
        return known
    catalog = await _scanned(store, count, on_progress)
    await asyncio.to_thread(_write, path, catalog)
    return catalog


def _own(store: Store) -> Catalog | None:
    """The catalog that a store brings along, which may have to be read first."""
    return store.catalog if isinstance(store, Catalogued) else None


async def _scanned(store: Store, count: int, on_progress: Progress | None) -> Catalog:
    chunks = []
    async for chunk in store.scan():
        chunks.append(chunk)
        if on_progress is not None and (len(chunks) % _STEP == 0 or len(chunks) == count):
            on_progress(len(chunks), count)
    return await asyncio.to_thread(Catalog.from_chunks, chunks)


def _read(path: Path, now: float) -> Catalog | None:
    try:
        if now - path.stat().st_mtime > KEEP_SECONDS:
            return None
        return Catalog.from_json(path.read_bytes())
    except (OSError, ValueError):
        return None  # a cache that can't be read is no cache


def _write(path: Path, catalog: Catalog) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".new")
        aside.write_bytes(catalog.to_json())
        aside.replace(path)
    except OSError as error:
        log.warning("the catalog can't be kept at %s (%s); it will be made again", path, error)
