"""One index of a local collection, open for reading: Chroma finds near chunks, the directory the eligible ones.

Chunks with a rule are compared exactly, one by one, among the few rows that their rules allow, which is a fast product
of a matrix and a vector. So are those without a rule, unless they are many: then Chroma's approximate index, which
holds only these, finds them. All distances are computed here from the same vectors, so that equal chunks have equal
distances.

Every chunk from Chroma is compared with the checksum taken in the vault when the index was built: an answer cites what
was ingested, or `Damaged` is raised.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import ReadWriteLock
from numpy.typing import NDArray

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.chroma.connect import acquire, close_client, embedded_client, mapped
from retrieval.collections.chroma.store import ChromaStore
from retrieval.collections.local.integrity import SMALL, damage, is_untouched, note_sound, read_sound
from retrieval.collections.local.layout import CATALOG, CELLS, chroma_of, current_index, hold
from retrieval.collections.local.lending import Copy, lend
from retrieval.collections.local.manifest import Manifest, read_manifest
from retrieval.collections.local.probe import probe_apart
from retrieval.collections.local.row_vectors import Rows
from retrieval.collections.local.rule_index import RULED, UNRULED, Ranked, RuleIndex, digest
from retrieval.collections.local.since import Since
from retrieval.collections.local.vault import StoredChunk
from retrieval.embedding.batching import Coalescer
from retrieval.errors import Damaged, StoreError
from retrieval.stores.metadata import Scalar, Where, decode, matches
from retrieval.stores.store import Fetched, Vectors
from retrieval.tables.index import CellIndex
from retrieval.text.normal import Words
from retrieval.types import Chunk

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

log = logging.getLogger(__name__)

REMEMBERED = 50_000  # cached chunks
MOST_COMPARED = 8  # queries compared at once: memory read for one serves all
FEW = 256  # fewer rows are compared without a thread
_ATTEMPTS = 5  # an index can be replaced, and removed, between reading its name and taking its lease


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A query for the nearest eligible rows."""

    vector: Vectors
    n_results: int
    query: Words


_Compared = tuple[Ranked, Ranked, int]
"""The nearest eligible rows, the nearest look-alikes, and the number of eligible rows."""


class Index:
    """Rows and their distances; made by `open_index`, released by `close`."""

    def __init__(
        self,
        path: Path,
        client: ClientAPI,
        directory: RuleIndex,
        since: Since,
        catalog: bytes,
        cells: CellIndex,
        lease: ReadWriteLock | None,
        copy: Copy | None = None,
    ) -> None:
        self.path, self.directory, self.cells = path, directory, cells
        self._catalog = catalog
        self.manifest: Manifest = read_manifest(path)
        self._since = since
        self._client, self._lease, self._copy = client, lease, copy
        self._users, self._is_wanted = 0, True
        self._chunks: dict[str, Chunk] = {}
        self._comparing = Coalescer(self._in_thread, largest=MOST_COMPARED)
        self._parts = {
            name: ChromaStore(
                client,
                client.get_collection(name, embedding_function=None),
                str(path),
                immutable=True,
                on_row=self._require_as_built,
            )
            for name in (UNRULED, RULED)
        }

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog, parsed on first use, since ingestion does not need it."""
        return Catalog.from_json(self._catalog)

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None, exclude: Collection[str]
    ) -> list[tuple[Chunk, float]]:
        """Return the nearest of all chunks; see `Store.query`."""
        rows = self.directory.rows_where(where) if where else None
        if where and rows is None:
            return await self._query_by_metadata(vector, n_results, where, exclude)
        compared = self._compared_rows() if rows is None else rows
        rows_left = self.directory.without(compared, exclude)
        if len(rows_left) > FEW:
            near = await asyncio.to_thread(self.directory.nearest, vector, rows_left, n_results)
        else:
            near = self.directory.nearest(vector, rows_left, n_results)
        if rows is None and self.directory.is_large:
            near = self._merged(near, await self._unruled(vector, n_results, exclude))
        return await self._with_chunks(near[:n_results])

    async def query_eligible(self, vector: Vectors, n_results: int, query: Words, where: Where | None) -> Fetched:
        """Return the nearest eligible chunks, and the look-alikes among them that are not."""
        asked = _Asked(vector, n_results, query)
        compared = asyncio.to_thread(self._narrowed, asked, where) if where else self._comparing.ask(asked)
        if self.directory.is_large and not where:
            (near, like, usable), others = await asyncio.gather(compared, self._unruled(vector, n_results, ()))
        else:
            (near, like, usable), others = await compared, list[tuple[int, float]]()
        near = self._merged(near, others)[:n_results]
        complete = usable <= n_results
        # A look-alike farther than all eligible chunks crowded out none of them.
        reach = near[-1][1] if near and not complete else float("inf")
        met = [pair for pair in like if pair[1] <= reach]
        return Fetched(tuple(await self._with_chunks(self._merged(near, met))), complete)

    async def _in_thread(self, asked: Sequence[_Asked]) -> list[_Compared]:
        return await asyncio.to_thread(self._compared, asked)

    def _compared(self, asked: Sequence[_Asked]) -> list[_Compared]:
        """Return the results of each query among the compared rows; eligible rows are counted over all rows."""
        rows = self._compared_rows()
        each_rough = self.directory.rough([each.vector for each in asked], rows)
        split = [self._split(each, rows, rough) for each, rough in zip(asked, each_rough, strict=True)]
        return [(near, like, int(allowed.sum())) for near, like, allowed in split]

    def _narrowed(self, asked: _Asked, where: Where) -> _Compared:
        """Return the result of a query among the rows that meet a condition, with the number of eligible ones."""
        rows = self.directory.rows_where(where)
        if rows is None:
            raise StoreError(f"this store can't narrow by {', '.join(where)}")
        near, like, allowed = self._split(asked, rows, self.directory.rough([asked.vector], rows)[0])
        return near, like, int(allowed[rows].sum())

    def _split(self, asked: _Asked, rows: Rows, rough: Vectors) -> tuple[Ranked, Ranked, NDArray[np.bool_]]:
        """Return the nearest eligible rows and look-alikes among some rows, and eligibility for all rows."""
        allowed = self.directory.allowed(asked.query)
        return *self.directory.split(asked.vector, rows, rough, allowed, asked.n_results), allowed

    async def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks with these ids; see `Store.get`."""
        found = {id_: self._chunks[id_] for id_ in ids if id_ in self._chunks}
        fresh = {id_: self._fresh_chunk(id_) for id_ in ids if id_ in self._since.fresh and id_ not in found}
        self._remember(fresh.values())
        found |= fresh
        rows = self.directory.rows_of(id_ for id_ in ids if id_ not in found)
        parts = {UNRULED: rows[rows < self.directory.unruled], RULED: rows[rows >= self.directory.unruled]}
        for name, some in parts.items():
            if len(some):
                chunks = await self._parts[name].get([self.directory.ids[row] for row in some])
                if len(chunks) < len(some):
                    raise Damaged(f"the index {self.path} is damaged: it lacks {len(some) - len(chunks)} chunks")
                self._remember(chunks)
                found |= {chunk.id: chunk for chunk in chunks}
        return [found[id_] for id_ in ids if id_ in found]

    def _fresh_chunk(self, id_: str) -> Chunk:
        """Return a chunk that was added after the graph was built."""
        text, flat = self._since.fresh[id_]
        return decode(id_, text, flat)[0]

    @asynccontextmanager
    async def used(self) -> AsyncIterator[None]:
        """Keep the index open during the block, even if it is closed meanwhile."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if not self._is_wanted:
                await self.close()

    async def close(self) -> None:
        """Release the client and the lease once nobody uses them; closing twice is no error."""
        self._is_wanted = False
        if self._users:
            return
        lease, self._lease = self._lease, None
        if lease is not None:
            await asyncio.to_thread(lease.close)
        for part in self._parts.values():
            await part.close()
        await asyncio.to_thread(self.cells.close)
        if self._copy is not None:
            await asyncio.to_thread(self._copy.cleanup)

    def abandon(self) -> None:
        """Release everything but the lease of an index that nobody has used yet. Blocks."""
        close_client(self._client)
        if self._copy is not None:
            self._copy.cleanup()

    def _require_as_built(self, id_: str, text: str | None, flat: Mapping[str, Any] | None) -> None:
        """Raise `Damaged` if a row of Chroma's, with its vector, differs from the vault."""
        if id_ in self._since.gone:
            return  # it is skipped later
        rows = self.directory.rows_of([id_])
        if len(rows):
            stored = StoredChunk(id_, text or "", flat or {}, self.directory.vectors.of(rows).tobytes())
            if digest(stored) == self.directory.digest_of(rows[0]):
                return
        raise Damaged(f"the index {self.path} is damaged: chunk {id_!r} is not what it was")

    def _remember(self, chunks: Iterable[Chunk]) -> None:
        if len(self._chunks) < REMEMBERED:
            self._chunks |= {chunk.id: chunk for chunk in chunks}

    def _compared_rows(self) -> Rows:
        return self._beside_graph if self.directory.is_large else np.arange(len(self.directory.ids))

    @cached_property
    def _beside_graph(self) -> Rows:
        """The rows that the graph does not find: those with a rule, and those added after it was built."""
        fresh = np.sort(self.directory.rows_of(self._since.fresh))
        start = self.directory.unruled
        return np.concatenate([fresh[fresh < start], np.arange(start, len(self.directory.ids))])

    async def _unruled(self, vector: Vectors, n_results: int, exclude: Collection[str]) -> Ranked:
        """Return the nearest of the rows in the graph."""
        wanted = n_results + len(exclude)
        rows = await self._of_graph(vector, wanted + min(wanted, len(self._since.gone)))
        graphed = len(self.directory.ids) - len(self._beside_graph)
        if len(rows) < min(wanted, graphed) and self._since.gone:
            rows = await self._of_graph(vector, wanted + len(self._since.gone))
        if len(rows) < min(wanted, graphed):
            log.warning("the index %s found %d chunks of %d; all are compared", self.path, len(rows), n_results)
            rows = np.arange(self.directory.unruled)
        return self.directory.nearest(vector, self.directory.without(rows, exclude), n_results)

    async def _of_graph(self, vector: Vectors, wanted: int) -> Rows:
        """Return this many near rows of the graph, without those removed since."""
        found = await self._parts[UNRULED].query(vector, wanted)
        there = [chunk for chunk, _ in found if chunk.id not in self._since.gone]
        self._remember(there)
        return self.directory.rows_of(chunk.id for chunk in there)

    def _merged(self, *rankings: Ranked) -> Ranked:
        return sorted(
            (pair for ranking in rankings for pair in ranking), key=lambda p: (p[1], self.directory.ids[p[0]])
        )

    async def _with_chunks(self, ranked: Ranked) -> list[tuple[Chunk, float]]:
        chunks = await self.get([self.directory.ids[row] for row, _ in ranked])
        return [(chunk, distance) for chunk, (_, distance) in zip(chunks, ranked, strict=True)]

    async def _query_by_metadata(
        self, vector: Vectors, n_results: int, where: Where, exclude: Collection[str]
    ) -> list[tuple[Chunk, float]]:
        """Return the nearest that meet a condition on other metadata fields, which Chroma scans."""
        rows, unknown = np.arange(len(self.directory.ids)), dict[str, Scalar | Sequence[Scalar]]()
        for field, value in where.items():
            if (having := self.directory.rows_where({field: value})) is None:
                unknown[field] = value
            else:
                rows = np.intersect1d(rows, having)
        ids = [id_ for part in self._parts.values() for id_ in await part.ids_where(unknown)]
        ids = [id_ for id_ in ids if id_ not in self._since.gone]
        ids += [id_ for id_, (_, flat) in self._since.fresh.items() if matches(flat, unknown)]
        rows = self.directory.without(np.intersect1d(rows, self.directory.rows_of(ids)), exclude)
        return await self._with_chunks(self.directory.nearest(vector, rows, n_results))


async def open_index(folder: Path) -> Index | None:
    """Open the index in force; `None` if there is none yet.

    `Damaged` if its files are not as written, or crash the process that queries it; `StoreError` if this process can't
    open it.
    """
    found = await acquire(lambda: _leased(folder), _let_go)
    if found is None:
        return None
    path, lease = found
    try:
        await _require_sound(path)
        return await acquire(lambda: mapped(str(folder), lambda: _opened(path, lease)), Index.abandon)
    except BaseException:
        _let_go(found)
        raise


async def _require_sound(path: Path) -> None:
    """Check an index that was touched since it was last found sound: first its files, then by queries.

    The queries run first in another process, which they may crash; those of a sound index can't.
    """
    is_known = await asyncio.to_thread(is_untouched, path)
    if (wrong := await asyncio.to_thread(damage, path, SMALL if is_known else None)) is not None:
        raise Damaged(f"the index {path} is damaged: {wrong}")
    if is_known:
        return
    if (problem := await probe_apart(path)) is not None:
        raise problem
    await asyncio.to_thread(note_sound, path)


def _leased(folder: Path) -> tuple[Path, ReadWriteLock | None] | None:
    """Return the index in force, with a lease on it."""
    for _ in range(_ATTEMPTS):
        path = current_index(folder)
        if path is None:
            return None
        lease = hold(path)
        if current_index(folder) == path:
            return path, lease
        if lease is not None:
            lease.close()
    raise StoreError(f"the index of {folder.name!r} changes all the time; try again")


def _let_go(found: tuple[Path, ReadWriteLock | None] | None) -> None:
    if found is not None and found[1] is not None:
        found[1].close()


def _opened(path: Path, lease: ReadWriteLock | None) -> Index:
    client, copy = None, None
    try:
        directory, catalog = RuleIndex.load(path), read_sound(path, CATALOG)
        place, copy = lend(chroma_of(path))
        client = embedded_client(place, create=False)
        if client is None:
            raise Damaged(f"the index {path} is damaged: its database is missing")
        return Index(path, client, directory, Since.load(path), catalog, CellIndex.open(path / CELLS), lease, copy)
    except BaseException:
        if client is not None:
            close_client(client)
        if copy is not None:
            copy.cleanup()
        raise
