"""Collections by name, wherever they are: kept in a folder of ours, in a Chroma folder of others, or on a server.

A folder may hold both. What `versus ingest` writes into a folder is kept (`retrieval.kept`); a plain Chroma collection
that is already there can be read as it is, and is taken over, vectors and all, when it is first ingested into.
"""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import cast

import numpy as np

from retrieval import chroma
from retrieval.chroma.location import Location, server_of
from retrieval.chroma.store import ChromaStore
from retrieval.embed import Embedder
from retrieval.errors import CollectionNotFound, EmbeddingError, StoreError
from retrieval.kept.layout import is_kept, writer_lock
from retrieval.kept.store import create_vault, open_kept
from retrieval.store import Store, Vectors, require_same_model


async def open_collection(
    location: Location, name: str, *, create: bool = False, embedder: Embedder | None = None
) -> Store:
    """Open a collection in a folder or on a server; with `create`, and an embedder, make it where it is missing.

    Raises `CollectionNotFound` with those that exist, `EmbeddingError` when `embedder` is not the one it was made
    with, and `StoreError`. Opening for reading creates nothing.

    >>> store = await open_collection("data/chroma", "rules", embedder=embedder)  # doctest: +SKIP
    """
    if server_of(location) is not None:
        return await chroma.open_collection(location, name, create=create, embedder=embedder)
    store = await _in_folder(Path(cast(str, location)), name, create, embedder)
    try:
        if embedder is not None:
            require_same_model(store, embedder)
    except BaseException:
        await store.close()
        raise
    return store


async def list_collections(location: Location) -> tuple[str, ...]:
    """Return the names of the collections there, sorted; none when the folder does not exist."""
    plain = await chroma.list_collections(location)
    if server_of(location) is not None:
        return plain
    kept = await asyncio.to_thread(_kept_names, Path(cast(str, location)))
    return tuple(sorted({*plain, *kept}))


async def delete_collection(location: Location, name: str) -> None:
    """Delete a collection and all its chunks; `CollectionNotFound` when there is none.

    A kept one takes the plain one that it was made from along.
    """
    if name not in (known := await list_collections(location)):
        raise CollectionNotFound(name, known)
    if server_of(location) is None and await asyncio.to_thread(is_kept, kept_folder(location, name)):
        await asyncio.to_thread(_delete_kept, kept_folder(location, name))
    if name in await chroma.list_collections(location):
        await chroma.delete_collection(location, name)


def kept_folder(location: Location, name: str) -> Path:
    """Return where a kept collection of this name is, or would be."""
    if Path(name).name != name or name in (".", ".."):
        raise CollectionNotFound(name, ())
    return Path(cast(str, location)).expanduser().resolve() / name


async def _in_folder(location: Path, name: str, create: bool, embedder: Embedder | None) -> Store:
    folder = kept_folder(str(location), name)
    if await asyncio.to_thread(is_kept, folder):
        return await open_kept(folder)
    plain = name in await chroma.list_collections(str(location))
    if create and embedder is not None:
        if plain:
            await _take_over(str(location), folder, embedder.name)
        return await open_kept(folder, model=embedder.name)
    if plain:
        return await chroma.open_collection(str(location), name)
    raise CollectionNotFound(name, await list_collections(str(location)))


async def _take_over(location: str, folder: Path, model: str) -> None:
    """Copy a plain collection's chunks, vectors and stamps into a vault; it is there when all of it is."""
    aside = folder.with_name(f".{folder.name}.adopting")
    await asyncio.to_thread(shutil.rmtree, aside, ignore_errors=True)
    vault = await asyncio.to_thread(create_vault, aside, model)
    try:
        async with await chroma.open_collection(location, folder.name) as plain:
            if plain.model not in (None, model):
                raise EmbeddingError(
                    f"collection {plain.name!r} was made with the embedding model {plain.model!r}, not {model!r}. "
                    f"Set the model to {plain.model!r}, or ingest into another collection"
                )
            stamps = await plain.stamps()
            async for chunks, vectors in plain.scan_with_vectors():
                unit = _of_length_one(plain, vectors)
                await asyncio.to_thread(vault.note, {"dimension": int(unit.shape[1])})
                await asyncio.to_thread(vault.apply, chunks, unit, [stamps[chunk.id] for chunk in chunks])
        await asyncio.to_thread(aside.rename, folder)
    finally:
        await asyncio.to_thread(vault.close)
        await asyncio.to_thread(shutil.rmtree, aside, ignore_errors=True)


def _of_length_one(plain: ChromaStore, vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if plain.space != "cosine" and not np.allclose(lengths, 1, atol=1e-3):
        raise StoreError(
            f"collection {plain.name!r} measures in {plain.space}, and its vectors have other lengths than 1, "
            "so it can't be taken over; ingest into another collection"
        )
    return np.asarray(vectors / np.maximum(lengths, 1e-30), dtype=np.float32)


def _kept_names(location: Path) -> list[str]:
    try:
        return [f.name for f in location.expanduser().iterdir() if not f.name.startswith(".") and is_kept(f)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{location} can't be read ({error.strerror or error})") from error


def _delete_kept(folder: Path) -> None:
    lock = writer_lock(folder)
    try:
        gone = folder.with_name(f".{folder.name}.deleted")
        shutil.rmtree(gone, ignore_errors=True)
        folder.rename(gone)
        shutil.rmtree(gone)
    except OSError as error:
        raise StoreError(f"{folder} can't be deleted ({error.strerror or error})") from error
    finally:
        lock.release()
