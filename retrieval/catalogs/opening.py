"""Get a collection's catalog: from its index, from a cache file, or by a scan of all chunks.

A local collection has its own catalog. Others have none, so it is built by a scan, which takes a while, and cached in
the user's cache folder. A cached catalog only suggests to the planner what can be asked, and never affects what is
found, so a slightly outdated one is harmless. It expires if the number of chunks changes, and after a day.
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
"""How long the cached catalog of a collection that others may change is used."""
_STEP = 500  # chunks between two reports of progress


@runtime_checkable
class Catalogued(Protocol):
    """A store with its own catalog."""

    @property
    def catalog(self) -> Catalog:
        """The catalog of all its chunks."""
        ...


@runtime_checkable
class Identified(Protocol):
    """A store whose collection has a globally unique identity."""

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
    """Return the catalog of a store from the fastest source that has it.

    `cache` is the folder for catalogs built by a scan (default: the user's cache folder). During a scan `on_progress`
    is called with the number of chunks read and the total.
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
    """Return a store's own catalog, which may have to be read first."""
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
        return None  # an unreadable cache counts as empty


def _write(path: Path, catalog: Catalog) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".new")
        aside.write_bytes(catalog.to_json())
        aside.replace(path)
    except OSError as error:
        log.warning("the catalog can't be kept at %s (%s); it will be made again", path, error)
