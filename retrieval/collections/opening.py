"""Collections by name in any place (`retrieval.collections.places`), and the collections of a folder.

A folder may hold two kinds. `versus ingest` writes local ones (`retrieval.collections.local`). A plain Chroma
collection can be read as it is, and is converted, with its vectors, at its first ingestion.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
from filelock import FileLock

from retrieval.collections import chroma
from retrieval.collections.chroma.connect import acquire
from retrieval.collections.chroma.location import Location
from retrieval.collections.chroma.store import ChromaStore
from retrieval.collections.local.builder import build_apart
from retrieval.collections.local.layout import (
    VAULT,
    adopting,
    adopting_lock,
    deleted,
    has_vault,
    in_force,
    is_local,
    writer_lock,
)
from retrieval.collections.local.store import Build, create_vault, open_local
from retrieval.collections.local.vault import Vault
from retrieval.collections.places import is_folder, place_at
from retrieval.collections.probe import require_answering
from retrieval.embedding.protocol import Embedder, Progress, embed_all
from retrieval.errors import CollectionNotFound, EmbeddingError, StoreError
from retrieval.ingest.index import embedding_text
from retrieval.paths import resolved
from retrieval.stores.store import Store, Vectors, require_same_model
from retrieval.types import Chunk

log = logging.getLogger(__name__)


async def open_collection(
    location: Location,
    name: str,
    *,
    create: bool = False,
    embedder: Embedder | None = None,
    on_progress: Progress | None = None,
) -> Store:
    """Open a collection in any place; with `create`, and an embedder, create it if missing.

    Raises `CollectionNotFound` with the existing ones, `EmbeddingError` if `embedder` is not the one it was made with,
    and `StoreError`. Opening for reading creates nothing. `on_progress` is called while an index is built, now or after
    an ingestion, with the number of chunks written to it and the total.

    >>> store = await open_collection("data/chroma", "rules", embedder=embedder)  # doctest: +SKIP
    """
    place = place_at(location)
    store = await place.open(name, create=create, embedder=embedder, on_progress=on_progress)
    try:
        if embedder is not None:
            require_same_model(store, embedder)
    except BaseException:
        await store.close()
        raise
    return store


async def has_collection(location: Location, name: str) -> bool:
    """Return True if there is a collection of this name.

    >>> asyncio.run(has_collection("nowhere", "rules"))
    False
    """
    if is_folder(location) and await asyncio.to_thread(is_local, local_folder(location, name)):
        return True
    return name in await list_collections(location)


def remembered_vectors(location: Location, name: str) -> int:
    """Return how many vectors of a stopped ingestion a local collection holds; 0 for any other. Blocks.

    >>> remembered_vectors("nowhere", "rules")
    0
    """
    if not is_folder(location) or not has_vault(folder := local_folder(location, name)):
        return 0
    with closing(Vault(folder / VAULT)) as vault:
        return vault.remembered()


async def list_collections(location: Location) -> tuple[str, ...]:
    """Return the names of the collections there, sorted; empty if the folder does not exist."""
    return await place_at(location).names()


async def delete_collection(location: Location, name: str) -> None:
    """Delete a collection and all its chunks; `CollectionNotFound` if there is none."""
    if name not in (known := await list_collections(location)):
        raise CollectionNotFound(name, known)
    await place_at(location).delete(name)


class Folder:
    """The collections of a folder; a `retrieval.collections.places.Place`."""

    def __init__(self, location: Location) -> None:
        self._location = cast(str, location)

    async def open(self, name: str, *, create: bool, embedder: Embedder | None, on_progress: Progress | None) -> Store:
        """Open one; progress is that of building its index."""
        build = partial(build_apart, on_progress=on_progress)
        return await _in_folder(Path(self._location), name, embedder if create else None, build)

    async def names(self) -> tuple[str, ...]:
        """Return their names, local and plain, sorted."""
        plain = await chroma.list_collections(self._location)
        local = await asyncio.to_thread(local_names, Path(self._location))
        return tuple(sorted({*plain, *local}))

    async def delete(self, name: str) -> None:
        """Delete one; for a local one, also the plain one that it was converted from."""
        folder = local_folder(self._location, name)
        if await asyncio.to_thread(is_local, folder):
            await asyncio.to_thread(_delete_local, folder)
        if name in await chroma.list_collections(self._location):
            await chroma.delete_collection(self._location, name)


def local_folder(location: Location, name: str) -> Path:
    """Return the path of a local collection of this name, existing or not."""
    if Path(name).name != name or name in (".", ".."):
        raise CollectionNotFound(name, ())
    return resolved(cast(str, location)) / name


def contents_of(location: Location, name: str) -> str:
    """Return a token that changes with every change of a local collection; "" for a plain one or a server. Blocks.

    >>> contents_of("nowhere", "rules")
    ''
    """
    if not is_folder(location):
        return ""
    shown = in_force(local_folder(location, name))
    return "" if shown is None else shown.state


async def _in_folder(location: Path, name: str, maker: Embedder | None, build: Build) -> Store:
    """Open an existing collection; given a `maker`, the embedder, convert a plain collection or create a new one."""
    folder = local_folder(str(location), name)
    model = None if maker is None else maker.name
    if await asyncio.to_thread(is_local, folder):
        return await open_local(folder, model=model, build=build)
    plain = name in await chroma.list_collections(str(location))
    if plain:
        await require_answering(folder.parent, name)
    if maker is not None:
        if plain:
            await _take_over(str(location), folder, maker)
        return await open_local(folder, model=model, build=build)
    if plain:
        return await chroma.open_collection(str(location), name)
    raise CollectionNotFound(name, await list_collections(str(location)))


async def _take_over(location: str, folder: Path, embedder: Embedder) -> None:
    """Copy a plain collection's chunks, vectors and stamps into a vault, which appears once complete."""
    lock = await acquire(partial(adopting_lock, folder.parent), FileLock.release)
    try:
        if not await asyncio.to_thread(is_local, folder):  # else another process was faster
            await _take_over_alone(location, folder, embedder)
    finally:
        lock.release()


async def _take_over_alone(location: str, folder: Path, embedder: Embedder) -> None:
    aside = adopting(folder)
    await asyncio.to_thread(shutil.rmtree, aside, ignore_errors=True)
    vault = await asyncio.to_thread(create_vault, aside, embedder.name)
    try:
        async with await chroma.open_collection(location, folder.name) as plain:
            require_same_model(plain, embedder)
            stamps = await plain.stamps()
            if embedder.dimension is None:
                await embedder.embed([])  # to learn the length of its vectors
            async for chunks, vectors in _with_vectors(plain, embedder):
                await asyncio.to_thread(vault.note, {"dimension": int(vectors.shape[1])})
                await asyncio.to_thread(vault.apply, chunks, vectors, [stamps[chunk.id] for chunk in chunks])
        await asyncio.to_thread(aside.rename, folder)
    finally:
        await asyncio.to_thread(vault.close)
        await asyncio.to_thread(shutil.rmtree, aside, ignore_errors=True)


async def _with_vectors(plain: ChromaStore, embedder: Embedder) -> AsyncIterator[tuple[list[Chunk], Vectors]]:
    """Yield all chunks with vectors of length 1; if Chroma can't read its vectors, the texts are embedded again."""
    pages = plain.scan_with_vectors()
    while True:
        try:
            page = await anext(pages, None)
        except StoreError as error:
            what = "the vectors of collection %r can't be read, so all its texts are embedded again: %s"
            facts = {"collection": plain.name, "reason": str(error)}
            log.warning(what, plain.name, error, extra={"event": "vectors.lost", "facts": facts})
            break
        if page is None:
            return
        yield page[0], _of_length_one(plain, page[1], embedder)
    chunks = [chunk async for chunk in plain.scan()]
    yield chunks, await embed_all(embedder, [embedding_text(chunk) for chunk in chunks])


def _of_length_one(plain: ChromaStore, vectors: Vectors, embedder: Embedder) -> Vectors:
    if embedder.dimension not in (None, vectors.shape[1]):
        raise EmbeddingError(
            f"collection {plain.name!r} holds vectors of {vectors.shape[1]} numbers, the embedding model "
            f"{embedder.name!r} makes {embedder.dimension}. Set the model it was made with, or ingest into another"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if plain.space != "cosine" and not np.allclose(lengths, 1, atol=1e-3):
        raise StoreError(
            f"collection {plain.name!r} measures in {plain.space}, and its vectors have other lengths than 1, "
            "so it can't be taken over; ingest into another collection"
        )
    return np.asarray(vectors / np.maximum(lengths, 1e-30), dtype=np.float32)


def local_names(location: Path) -> list[str]:
    """Return the names of the local collections in a folder, sorted; empty if it does not exist. Blocks."""
    try:
        return sorted(f.name for f in location.expanduser().iterdir() if not f.name.startswith(".") and is_local(f))
    except FileNotFoundError:
        return []
    except OSError as error:
        if not location.expanduser().exists():  # a file in its place; reported to whoever creates it
            return []
        raise StoreError(f"{location} can't be read ({error.strerror or error})") from error


def _delete_local(folder: Path) -> None:
    lock = writer_lock(folder)
    try:
        trash = deleted(folder)
        shutil.rmtree(trash, ignore_errors=True)
        folder.rename(trash)
        shutil.rmtree(trash)
    except OSError as error:
        raise StoreError(f"{folder} can't be deleted ({error.strerror or error})") from error
    finally:
        lock.release()
