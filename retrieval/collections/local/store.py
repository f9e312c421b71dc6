"""A local collection behind the `Store` protocol: reads from its index, writes to its vault.

Reading never waits for writing: an ingestion changes the vault and builds the next index separately, and meanwhile this
store keeps reading from the one it opened. If an index turns out damaged, at opening or in a query, it is rebuilt from
the vault, without embedding anything, and this is logged. Other failures, such as a limit on open files, are errors,
and nothing on disk is changed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Self, TypeVar

from filelock import FileLock

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.chroma.connect import acquire
from retrieval.collections.local.builder import build_apart
from retrieval.collections.local.embedding_cache import remembering
from retrieval.collections.local.index import Index, open_index
from retrieval.collections.local.integrity import damage
from retrieval.collections.local.layout import (
    LEXICAL,
    VAULT,
    busy,
    current_index,
    free_writer_lock,
    in_force,
    is_local,
    remove_leftovers,
)
from retrieval.collections.local.name_vectors import NameVectors
from retrieval.collections.local.update import update_at_once
from retrieval.collections.local.vault import Vault
from retrieval.embedding.protocol import Embedder
from retrieval.errors import FOLDER_ADVICE, CollectionNotFound, Damaged, NewerFormat, ProcessTrouble, StoreError
from retrieval.stores.metadata import Where
from retrieval.stores.metric import Space
from retrieval.stores.store import Fetched, Stamp, Vectors, checked, require_same_model
from retrieval.tables.index import CellIndex
from retrieval.text.normal import Words
from retrieval.types import Chunk

log = logging.getLogger(__name__)
T = TypeVar("T")
Build = Callable[[Path], Awaitable[None]]

REPAIR_PATIENCE = 600.0
"""The most seconds to wait for another process that is building the needed index."""
_HOLDING: ContextVar[tuple[FileLock, ...]] = ContextVar("holding", default=())
"""The writer locks held by this task or by the one that started it."""
_PAGE = 1000  # chunks in one read of `scan`
_UNDAMAGED = (
    "Its files are what was written, so nothing was changed: look for what this process lacks, such as open files "
    "(ulimit -n) or memory. If another version of chromadb is installed since, build its index anew: versus doctor"
)
_PAUSE = 0.1  # seconds between two attempts to take the writer lock


class LocalStore:
    """An open local collection; get it from `open_local`. Close it, or use it as an asynchronous context manager."""

    space: Space = "cosine"

    def __init__(self, folder: Path, vault: Vault, build: Build) -> None:
        self.name = folder.name
        self._folder, self._vault, self._build = folder, vault, build
        self._meta = vault.meta()
        self._index: Index | None = None
        self._turn = asyncio.Lock()
        self._lock: FileLock | None = None
        self._names = NameVectors(folder, self.model or "")
        self._written: list[str] = []
        self._closed = False

    @property
    def model(self) -> str | None:
        """The recorded embedding model."""
        model = self._meta.get("model")
        return None if model is None else str(model)

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` while the collection is empty."""
        dimension = self._meta.get("dimension")
        return None if dimension is None else int(dimension)

    @property
    def catalog(self) -> Catalog:
        """The catalog of the index in force; empty if there is none yet."""
        return Catalog() if self._index is None else self._index.catalog

    @property
    def cells(self) -> CellIndex | None:
        """The cells of the index in force; `None` if there is none yet."""
        return None if self._index is None else self._index.cells

    @property
    def lexical_folder(self) -> Path | None:
        """The folder of the lexical index in force; `None` if there is none yet."""
        return None if self._index is None else self._index.path / LEXICAL

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        """Return the nearest chunks; see `Store.query`."""
        checked(vector, self.dimension)
        return await self._ask(lambda index: index.query(vector, n_results, where, exclude), [])

    async def query_eligible(
        self, vector: Vectors, n_results: int, query: Words, where: Where | None = None
    ) -> Fetched:
        """Return the nearest chunks that the query may have, by their rules; see `Directed.query_eligible`."""
        checked(vector, self.dimension)
        return await self._ask(lambda index: index.query_eligible(vector, n_results, query, where), Fetched((), True))

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids; see `Store.get`."""
        return await self._ask(lambda index: index.get(ids), [])

    async def scan(self) -> AsyncIterator[Chunk]:
        """Yield every chunk once, from the revision in force at the start; see `Store.scan`."""
        self._require_open()
        index = self._index
        if index is None:
            return
        async with index.used():
            for start in range(0, len(index.directory.ids), _PAGE):
                for chunk in await self._of_revision(index, index.directory.ids[start : start + _PAGE]):
                    yield chunk

    @asynccontextmanager
    async def writing(self, embedder: Embedder) -> AsyncIterator[Embedder]:
        """Hold the collection for a change; at the end, an index with the change is in force. See `Store.writing`."""
        self._require_open()
        async with self._alone():
            require_same_model(self, embedder)
            self._written.clear()
            yield remembering(embedder, self._vault)
            await self._show()
            if self.cells is not None:
                await self._names.embed(self.cells, self._written, embedder)

    async def name_vectors(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of those texts that are names in its tables; see `KnowsNames.name_vectors`."""
        return await asyncio.to_thread(self._names.known, texts)

    async def upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> None:
        """Write and remove chunks in one step; durable on return. See `Store.upsert`.

        Outside `writing` it takes and releases the lock itself, and the change is visible at once.
        """
        self._require_open()
        held = self._is_held()
        async with self._alone():
            array = checked(vectors, self.dimension, len(chunks))
            await _to_the_end(lambda: self._apply(chunks, array, stamps, remove))
            self._written += [chunk.id for chunk in chunks]
            if not held:
                await self._show()

    async def count(self) -> int:
        """Return the number of chunks."""
        self._require_open()
        return 0 if self._index is None else len(self._index.directory.ids)

    async def stamps(self) -> dict[str, Stamp]:
        """Return every stamp; see `Store.stamps`."""
        self._require_open()
        return await asyncio.to_thread(self._vault.stamps)

    async def close(self) -> None:
        """Release the index and the vault."""
        if not self._closed:
            self._closed = True
            index, self._index = self._index, None
            if index is not None:
                await index.close()
            await asyncio.to_thread(self._names.close)
            await asyncio.to_thread(self._vault.close)

    async def open(self) -> None:
        """Open the index in force; a missing or damaged one is built first."""
        try:
            self._index = await open_index(self._folder)
        except StoreError as error:
            broken = await asyncio.to_thread(current_index, self._folder)
            await self._mend(await self._damage(error, broken), broken)
        if self._index is None and int(self._meta["revision"]) > 0:
            await self._mend(Damaged("none is in force"), None)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *details: object) -> None:
        await self.close()

    async def _ask(self, question: Callable[[Index], Awaitable[T]], nothing: T) -> T:
        """Query the index; if it is damaged, rebuild it, once, and query the new one."""
        self._require_open()
        index = self._index
        if index is None:
            return nothing
        try:
            return await question(index)
        except StoreError as error:
            await self._mend(await self._damage(error, index.path), index.path)
        return nothing if self._index is None else await question(self._index)

    async def _of_revision(self, index: Index, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks of an index, or of a rebuilt one of the same revision; `StoreError` if the revision has
        changed.
        """
        try:
            return await index.get(ids)
        except StoreError as error:
            await self._mend(await self._damage(error, index.path), index.path)
        if self._index is None or self._index.manifest.state != index.manifest.state:
            raise StoreError(f"collection {self.name!r} was damaged and changed while it was read; begin again")
        return await self._index.get(ids)

    async def _damage(self, error: StoreError, asked: Path | None) -> Damaged:
        """Return the damage when an index fails; without damage, raise the error as this process's own trouble.

        If another index is in force by now, that counts as damage too, so that the query is repeated.
        """
        if isinstance(error, Damaged):
            return error
        if self._index is not None and self._index.path != asked:
            return Damaged(str(error))
        if asked is None or isinstance(error, NewerFormat | ProcessTrouble):
            raise error
        try:
            wrong = await asyncio.to_thread(damage, asked)
        except Damaged as found:
            return found
        except ProcessTrouble as trouble:
            raise ProcessTrouble(f"{error}; {trouble}") from error
        if wrong is None:
            raise StoreError(f"{error}. {_UNDAMAGED} {self.name} --repair") from error
        return Damaged(f"the index {asked} is damaged: {wrong}")

    async def _mend(self, error: Damaged, broken: Path | None) -> None:
        """Rebuild the index, unless another task or process has done so meanwhile."""
        try:
            async with self._alone(REPAIR_PATIENCE):
                if self._index is not None and self._index.path != broken:
                    return
                if await asyncio.to_thread(current_index, self._folder) == broken:
                    await self._tell(error)
                    await self._build(self._folder)
                await self._reopen()
        except StoreError as failed:
            raise StoreError(f"{error}; and the index can't be built again: {failed}") from failed

    async def _tell(self, error: Damaged) -> None:
        kept = await asyncio.to_thread(self._vault.count)
        facts = {"collection": self.name, "chunks": kept, "reason": str(error)}
        what = "the index of %r is built again from its %d kept chunks, nothing was lost: %s"
        log.warning(what, self.name, kept, error, extra={"event": "index.rebuilt", "facts": facts})

    def _apply(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str]
    ) -> None:
        if len(chunks) and self.dimension is None:
            self._vault.note({"dimension": int(vectors.shape[-1])})
        self._vault.apply(chunks, vectors, stamps, remove)
        self._meta = self._vault.meta()

    async def _show(self) -> None:
        """Put an index of the vault's present state in force, and read from it."""
        shown = await asyncio.to_thread(in_force, self._folder)
        if (shown is None or shown.state != self._meta["state"]) and not await self._updated():
            await self._build(self._folder)
        await self._reopen()

    async def _updated(self) -> bool:
        """Return True if a quick update of the index succeeded."""
        done: list[bool] = []
        await _to_the_end(lambda: done.append(update_at_once(self._folder, self._vault)))
        return done[0]

    async def _reopen(self) -> None:
        """Read from the index in force, and remove unused indexes and leftovers of killed processes."""
        if self._index is None or self._index.path != await asyncio.to_thread(current_index, self._folder):
            old, self._index = self._index, await open_index(self._folder)
            if old is not None:
                await old.close()
        await asyncio.to_thread(remove_leftovers, self._folder)

    @asynccontextmanager
    async def _alone(self, patience: float = 0.0) -> AsyncIterator[None]:
        """Hold the writer lock with current metadata; re-entrant for the same task and those it starts."""
        if self._is_held():
            yield
            return
        async with self._turn:
            lock = self._lock = await _locked(self._folder, patience)
            before = _HOLDING.get()
            _HOLDING.set((*before, lock))
            try:
                self._meta = await asyncio.to_thread(self._vault.meta)
                yield
            finally:
                _HOLDING.set(before)
                self._lock = None
                lock.release()

    def _is_held(self) -> bool:
        return self._lock is not None and self._lock in _HOLDING.get()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError(f"collection {self.name!r} is closed")


async def open_local(folder: Path, *, model: str | None = None, build: Build = build_apart) -> LocalStore:
    """Open the local collection in `folder`; given a `model`, create it if missing.

    A damaged index is rebuilt, which takes about a second for every 2,000 chunks. `build` builds indexes, by default in
    a separate process.
    """
    vault = await asyncio.to_thread(_vault, folder, model)
    store = LocalStore(folder, vault, build)
    try:
        await store.open()
    except BaseException:
        await store.close()
        raise
    return store


def create_vault(folder: Path, model: str) -> Vault:
    """Create an empty vault for vectors of this model, and its folder; an existing one is opened."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} can't be made ({error.strerror or error}); {FOLDER_ADVICE}") from error
    return Vault(folder / VAULT, model=model)


def _vault(folder: Path, model: str | None) -> Vault:
    if is_local(folder):
        return _of_model(Vault(folder / VAULT), folder, model)
    if model is None:
        raise CollectionNotFound(folder.name, ())
    return create_vault(folder, model)


def _of_model(vault: Vault, folder: Path, model: str | None) -> Vault:
    """Change the model of a collection that is still empty: the first attempt may have been a mistake."""
    try:
        if model not in (None, vault.meta().get("model")) and vault.count() == 0:
            lock = free_writer_lock(folder)
            if lock is not None:
                vault.begin_with(str(model))
                lock.release()
    except BaseException:
        vault.close()
        raise
    return vault


async def _locked(folder: Path, patience: float) -> FileLock:
    deadline = time.monotonic() + patience
    while (lock := await acquire(lambda: free_writer_lock(folder), _released)) is None:
        if time.monotonic() >= deadline:
            raise StoreError(busy(folder))
        await asyncio.sleep(_PAUSE)
    return lock


def _released(lock: FileLock | None) -> None:
    if lock is not None:
        lock.release()


async def _to_the_end(call: Callable[[], None]) -> None:
    """Run a call in a thread to completion: if cancelled, wait for it first."""
    work = asyncio.ensure_future(asyncio.to_thread(call))
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise
