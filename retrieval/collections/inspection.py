"""List and describe collections without opening an index or loading a model.

An unreadable collection is listed with its problem; the others are listed all the same.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from retrieval.catalogs.catalog import Catalog
from retrieval.collections import chroma
from retrieval.collections.chroma.connect import close_client, connect, mapped
from retrieval.collections.chroma.location import Location, server_of
from retrieval.collections.local.health import index_problem
from retrieval.collections.local.integrity import read_sound
from retrieval.collections.local.layout import CATALOG, VAULT, current_index, is_local, is_locked
from retrieval.collections.local.vault import Vault
from retrieval.collections.opening import list_collections, local_folder, local_names, open_collection
from retrieval.collections.places import is_folder, store_of
from retrieval.errors import CollectionNotFound, StoreError
from retrieval.stores.store import Stamp, Store

Kind = str
"""`local` or `plain` in a folder, `server`, or the name of a store that is a plug-in."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A listed collection; `problem` says why it can't be used, or what must be done first."""

    name: str
    kind: Kind
    chunks: int | None = None
    model: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """All collections of a place; `problem` says why the plain ones can't be listed."""

    collections: tuple[Listed, ...]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class SourceCount:
    """A source with the file or folder that was named at ingestion, and its number of chunks."""

    source: str
    root: str
    chunks: int


@dataclass(frozen=True, slots=True)
class Description:
    """The contents of one collection. Only local ones have `revision`, `index` and `bytes`, their size on disk."""

    name: str
    kind: Kind
    chunks: int
    model: str | None
    dimension: int | None
    chunk_types: Mapping[str, int] = field(default_factory=dict)
    sources: tuple[SourceCount, ...] = ()
    tags: Mapping[str, int] = field(default_factory=dict)
    rules: int = 0
    tables: int = 0
    vocabulary: int = 0
    revision: int | None = None
    index: str | None = None
    bytes: int | None = None
    problem: str | None = None


async def list_described(location: Location) -> Listing:
    """Return every collection of a place, sorted by name; `StoreError` if a server does not answer."""
    if server_of(location) is not None:
        names = await chroma.list_collections(location)
        return Listing(tuple(await asyncio.to_thread(_plain, location, names, "server")))
    if not is_folder(location):
        return Listing(tuple([await _listed(location, name) for name in await list_collections(location)]))
    folders = [local_folder(location, name) for name in await asyncio.to_thread(local_names, Path(cast(str, location)))]
    local = await asyncio.to_thread(lambda: [_listed_local(folder) for folder in folders])
    try:
        others = set(await chroma.list_collections(location)) - {one.name for one in local}
        plain = await asyncio.to_thread(_plain, location, sorted(others), "plain")
    except StoreError as error:
        return Listing(tuple(local), str(error))
    return Listing(tuple(sorted([*local, *plain], key=lambda one: one.name)))


async def describe(location: Location, name: str) -> Description:
    """Describe one collection; `CollectionNotFound`, or `StoreError` if it can't be read."""
    if not is_folder(location):
        kind = store_of(location) if server_of(location) is None else "server"
        return await _describe_plain(await open_collection(location, name), kind)
    folder = local_folder(location, name)
    if await asyncio.to_thread(is_local, folder):
        return await asyncio.to_thread(_describe_local, folder)
    if name not in await chroma.list_collections(location):
        raise CollectionNotFound(name, await list_collections(location))
    return await _describe_plain(await chroma.open_collection(location, name), "plain")


def bytes_of(folder: Path) -> int:
    """Return the size of a folder on disk; files that disappear meanwhile count as 0."""
    return sum(_size(path) for path in folder.rglob("*"))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except FileNotFoundError:
        return 0


def _listed_local(folder: Path) -> Listed:
    try:
        vault = Vault(folder / VAULT)
        try:
            meta, chunks = vault.meta(), vault.count()
        finally:
            vault.close()
    except StoreError as error:
        return Listed(folder.name, "local", problem=str(error))
    return Listed(folder.name, "local", chunks, meta.get("model"), _state(folder, meta))


def _state(folder: Path, meta: Mapping[str, Any]) -> str | None:
    if is_locked(folder):
        return "another process is writing to it"
    if int(meta["revision"]) == 0:
        return "it is empty: nothing was ingested into it, or that was stopped; ingest again"
    return index_problem(folder, str(meta["state"]))


def _plain(location: Location, names: Sequence[str], kind: Kind) -> list[Listed]:
    client = mapped(location, lambda: connect(location, create=False)) if names else None
    if client is None:
        return []

    def listed(name: str) -> Listed:
        try:
            collection = mapped(location, lambda: client.get_collection(name, embedding_function=None))
            model = (collection.metadata or {}).get("model")
            return Listed(name, kind, mapped(location, collection.count), None if model is None else str(model))
        except StoreError as error:
            return Listed(name, kind, problem=str(error))

    try:
        return [listed(name) for name in names]
    finally:
        close_client(client)


def _describe_local(folder: Path) -> Description:
    vault = Vault(folder / VAULT)
    try:
        meta, stamps = vault.meta(), vault.stamps()
        problem = _state(folder, meta)
        index = current_index(folder) if problem is None else None
        catalog = _catalog(vault, index)
    finally:
        vault.close()
    return _described(
        Description(
            folder.name,
            "local",
            len(stamps),
            meta.get("model"),
            meta.get("dimension"),
            revision=int(meta["revision"]),
            index=None if index is None else index.name,
            bytes=bytes_of(folder),
            problem=problem,
        ),
        catalog,
        stamps.values(),
    )


def _catalog(vault: Vault, index: Path | None) -> Catalog:
    """Return the catalog of the index, or else one made from the vault."""
    if index is not None:
        return Catalog.from_json(read_sound(index, CATALOG))
    return Catalog.from_chunks(row.chunk() for batch in vault.rows() for row in batch)


async def _listed(location: Location, name: str) -> Listed:
    """Return the list entry of a plug-in's collection."""
    kind = store_of(location)
    try:
        async with _closing(await open_collection(location, name)) as store:
            return Listed(name, kind, await store.count(), store.model)
    except StoreError as error:
        return Listed(name, kind, problem=str(error))


@asynccontextmanager
async def _closing(store: Store) -> AsyncIterator[Store]:
    try:
        yield store
    finally:
        await store.close()


async def _describe_plain(opened: Store, kind: Kind) -> Description:
    async with _closing(opened) as store:
        stamps = await store.stamps()
        bare = Description(store.name, kind, len(stamps), store.model, store.dimension)
        catalog = Catalog.from_chunks([chunk async for chunk in store.scan()])
        return _described(bare, catalog, stamps.values())


def _described(bare: Description, catalog: Catalog, stamps: Iterable[Stamp]) -> Description:
    """Return the description completed from the catalog and the stamps."""
    sources = Counter((stamp.source, stamp.root) for stamp in stamps)
    return replace(
        bare,
        chunk_types=catalog.chunk_types,
        sources=tuple(SourceCount(source, root, chunks) for (source, root), chunks in sorted(sources.items())),
        tags=catalog.tags,
        rules=catalog.rules,
        tables=catalog.tables,
        vocabulary=len(catalog.vocabulary),
    )
