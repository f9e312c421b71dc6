"""Get a collection's cells: from its index, from a cached scan, or by a scan into memory.

As with catalogs (`retrieval.catalogs.opening`): a local collection has its own cells; for a foreign one they are read
once and cached in the user's cache folder, for a day at most and while the number of chunks stays the same.
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

from retrieval.catalogs.opening import KEEP_SECONDS, Identified
from retrieval.collections.multi_store import UnionStore
from retrieval.errors import StoreError
from retrieval.stores.store import Store
from retrieval.tables.index import CellIndex, Cells
from retrieval.tables.union import UnionCells
from retrieval.types import Chunk

log = logging.getLogger(__name__)


@runtime_checkable
class Celled(Protocol):
    """A store with its own cells; None while it is empty."""

    @property
    def cells(self) -> CellIndex | None:
        """The cells of all its chunks."""
        ...


async def open_cells(
    store: Store, *, cache: Path | None = None, clock: Callable[[], float] = time.time
) -> Cells | None:
    """Return the cells of a store from the fastest source that has them. Close the result."""
    if isinstance(store, UnionStore):
        members = [(naming, await open_cells(own, cache=cache, clock=clock)) for naming, own in store.members]
        return UnionCells([(naming, cells) for naming, cells in members if cells is not None])
    if isinstance(store, Celled):
        return store.cells
    if not isinstance(store, Identified):
        return await asyncio.to_thread(CellIndex.build, await _scanned(store))
    folder = cache or platformdirs.user_cache_path("versus") / "catalogs"
    identity = f"{store.identity}\n{await store.count()}"
    path = folder / f"{hashlib.sha256(identity.encode()).hexdigest()[:32]}.cells"
    known = await asyncio.to_thread(_read_cached, path, clock())
    return known or await asyncio.to_thread(_build_cached, await _scanned(store), path)


async def _scanned(store: Store) -> list[Chunk]:
    return [chunk async for chunk in store.scan()]


def _read_cached(path: Path, now: float) -> CellIndex | None:
    try:
        return CellIndex.open(path) if now - path.stat().st_mtime <= KEEP_SECONDS else None
    except (OSError, StoreError):
        return None  # an unreadable cache counts as empty


def _build_cached(chunks: list[Chunk], path: Path) -> CellIndex:
    aside = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.unlink(missing_ok=True)
        CellIndex.build(chunks, aside).close()
        aside.replace(path)
        return CellIndex.open(path)
    except (OSError, StoreError) as error:
        log.warning("the cells can't be kept at %s (%s); they will be read again", path, error)
        return CellIndex.build(chunks)
