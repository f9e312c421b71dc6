"""Find everything that can be wrong with the collections of a place, and repair what can be repaired.

Examining changes nothing. A local collection can be repaired if its vault or one of its indexes is sound; of a plain
one, made by another program, only what Chroma still knows is left, and the report advises how to go on.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from retrieval.collections import chroma
from retrieval.collections.chroma.location import Location, place, server_of
from retrieval.collections.health_report import Diagnosis, with_repairs
from retrieval.collections.inspection import bytes_of
from retrieval.collections.local import health as checkup
from retrieval.collections.local.layout import adopting_lock, in_force, is_adopting, is_local
from retrieval.collections.opening import list_collections, local_folder, local_names, open_collection
from retrieval.collections.places import is_folder
from retrieval.collections.probe import probe
from retrieval.embedding.models import provider_of
from retrieval.embedding.protocol import bundled_weights
from retrieval.errors import CollectionNotFound, ProcessTrouble, StoreError
from retrieval.paths import resolved
from retrieval.processes.worker import run_worker

LITTLE_ROOM = 100_000_000
"""The least free space, in bytes, regardless of the collections' size."""
OnProgress = Callable[[str, int, int], None]
"""Called with a collection's name, the number of its chunks rebuilt in the index, and their total."""


async def examine(
    location: Location, name: str | None = None, *, repair: bool = False, on_progress: OnProgress | None = None
) -> list[Diagnosis]:
    """Examine a folder or server and its collections, or only the named one; with `repair`, repair what can be
    repaired.

    Raises only `CollectionNotFound`, if there is no such collection; other failures become diagnoses.
    """
    if server_of(location) is not None:
        return await _server(location, name)
    if not is_folder(location):
        return await _foreign(location, name)
    try:
        folder = await asyncio.to_thread(resolved, cast(str, location))
    except StoreError as error:
        return [Diagnosis("folder", "wrong", str(error))]
    found = await asyncio.to_thread(lambda: list(_place(folder)))
    if repair and any(one.check == "leftovers" for one in found):
        await asyncio.to_thread(_clean, folder)
        found = with_repairs(found, await asyncio.to_thread(lambda: list(_place(folder))))
    local, plain, problem = await _names(location, folder)
    if name is not None and name not in (*local, *plain):
        raise CollectionNotFound(name, (*local, *plain))
    found += [] if problem is None else [problem]
    for each in sorted({*local, *plain} if name is None else {name}):
        if each in local:
            found += await _examined(local_folder(location, each), repair, on_progress)
        else:
            found += await _plain(folder, each)
    return found


async def _examined(folder: Path, repair: bool, on_progress: OnProgress | None) -> list[Diagnosis]:
    found = await checkup.examine(folder)
    if repair and any(one.state == "wrong" for one in found):
        tell = None if on_progress is None else (lambda done, total: on_progress(folder.name, done, total))
        try:
            left = await checkup.repair(folder, found, tell)
        except StoreError as error:
            left = [Diagnosis("repair", "wrong", str(error), collection=folder.name)]
        found = [*with_repairs(found, await checkup.examine(folder)), *left]
    index = await asyncio.to_thread(in_force, folder)
    return found if index is None else [*found, *_model(folder.name, index.model)]


async def _plain(folder: Path, name: str) -> list[Diagnosis]:
    if not os.access(folder, os.W_OK):
        message = "not examined: Chroma can't even read where it can't write"
        return [Diagnosis("queries", "noted", message, "copy the folder to a place that is yours", name)]
    heard: list[dict[str, Any]] = []
    ended = await run_worker("retrieval.collections.probe", [str(folder), name], heard.append)
    if ended is not None:
        advice = f"versus collections {name} --delete, then ingest its sources again"
        return [Diagnosis("queries", "wrong", f"the process that asks it {ended}: its files are damaged", advice, name)]
    return [_answered(name, heard[-1].get("problem", "no answer") if heard else "no answer")]


def _answered(name: str, problem: str | None) -> Diagnosis:
    if problem is None:
        return Diagnosis("queries", "sound", "chunks find themselves", collection=name)
    meaning = f"{problem}. Chroma has lost vectors, and finds less than it should; the texts are still there"
    advice = f"versus ingest PATH --collection {name} takes it over, and embeds its texts again if it has to"
    return Diagnosis("queries", "wrong", meaning, advice, name)


async def _server(location: Location, name: str | None) -> list[Diagnosis]:
    try:
        names = await chroma.list_collections(location)
    except StoreError as error:
        return [Diagnosis("server", "wrong", str(error))]
    if name is not None and name not in names:
        raise CollectionNotFound(name, names)
    found = [Diagnosis("server", "sound", f"{place(location)} answers")]
    for each in names if name is None else [name]:
        found.append(_answered(each, await asyncio.to_thread(probe, location, each)))
    return found


async def _foreign(location: Location, name: str | None) -> list[Diagnosis]:
    """Examine a plug-in's store: whether it answers and opens its collections."""
    try:
        names = await list_collections(location)
        if name is not None and name not in names:
            raise CollectionNotFound(name, names)
        for each in names if name is None else [name]:
            await (await open_collection(location, each)).close()
    except StoreError as error:
        return [Diagnosis("store", "wrong", str(error))]
    return [Diagnosis("store", "sound", f"{place(location)} answers, and its collections open")]


async def _names(location: Location, folder: Path) -> tuple[list[str], list[str], Diagnosis | None]:
    """Return the local and the plain collections of a folder, and why the plain ones can't be listed, if so."""
    try:
        local = await asyncio.to_thread(local_names, folder)
    except StoreError:
        return [], [], None  # the folder itself is reported already
    try:
        return local, [name for name in await chroma.list_collections(location) if name not in local], None
    except StoreError as error:
        if isinstance(error, ProcessTrouble):
            return local, [], Diagnosis("process", "wrong", str(error))
        if not os.access(folder, os.W_OK):
            return local, [], Diagnosis("database", "noted", f"plain collections can't be listed: {error}")
        advice = "put a copy of chroma.sqlite3 back, or move it away; local collections do not need it"
        return local, [], Diagnosis("database", "wrong", f"plain collections can't be listed: {error}", advice)


def _place(folder: Path) -> Iterator[Diagnosis]:
    if not folder.exists():
        yield Diagnosis("folder", "sound", f"{folder} does not exist yet, so there are no collections")
        return
    if not (folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)):
        yield Diagnosis("folder", "wrong", f"{folder} can't be read", "check whose folder it is")
        return
    if os.access(folder, os.W_OK):
        yield Diagnosis("folder", "sound", f"{folder} can be read and written")
    else:
        yield Diagnosis(
            "folder", "noted", f"{folder} can only be read: questions are answered, nothing can be ingested"
        )
    yield from (_room(folder), *_database(folder), *_leftovers(folder))


def _room(folder: Path) -> Diagnosis:
    free = shutil.disk_usage(folder).free
    largest = max((bytes_of(path) for path in folder.iterdir() if is_local(path)), default=0)
    if free >= max(LITTLE_ROOM, largest):
        return Diagnosis("disk", "sound", f"{_megabytes(free)} free")
    message = f"only {_megabytes(free)} free; an ingestion builds the next index beside the present one"
    return Diagnosis("disk", "wrong", message, f"make room for {_megabytes(max(LITTLE_ROOM, largest))}")


def _database(folder: Path) -> Iterator[Diagnosis]:
    """Check Chroma's own database, of plain collections, with SQLite."""
    path = folder / "chroma.sqlite3"
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
            result = str(database.execute("pragma quick_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        result = str(error)
    if result != "ok":
        advice = "put a copy of it back, or ingest again into another folder"
        yield Diagnosis("database", "wrong", f"{path}, which holds the plain collections, is damaged: {result}", advice)


def _leftovers(folder: Path) -> Iterator[Diagnosis]:
    names = ", ".join(path.name for path in _leftover_folders(folder))
    if names and not is_adopting(folder):
        yield Diagnosis(
            "leftovers", "wrong", f"a killed process left {names}; it does no harm", "versus doctor --repair"
        )


def _leftover_folders(folder: Path) -> list[Path]:
    return [*folder.glob(".*.adopting"), *folder.glob(".*.deleted")]


def _clean(folder: Path) -> None:
    try:
        lock = adopting_lock(folder)
    except StoreError:
        return  # an adoption in progress is no leftover
    try:
        for path in _leftover_folders(folder):
            shutil.rmtree(path, ignore_errors=True)
    finally:
        lock.release()


def _model(name: str, model: str | None) -> Iterator[Diagnosis]:
    """Yield whether the embedding model is available, as far as can be told without loading it."""
    if model is None or bundled_weights(model) is not None or Path(model).is_dir() or _downloaded(model):
        yield Diagnosis("model", "sound", f"model {model}", collection=name)
    elif (provider := provider_of(model)) is not None:
        where = "asked over the network" if provider[0] == "openai" else f"asked through the embedder {provider[0]!r}"
        yield Diagnosis("model", "noted", f"its embedding model {model} is {where}", collection=name)
    else:
        message = f"its embedding model {model} is not on this machine; it is downloaded when it is first used"
        yield Diagnosis("model", "noted", message, collection=name)


def _downloaded(model: str) -> bool:
    if importlib.util.find_spec("huggingface_hub") is None:
        return False
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        names = (model, f"sentence-transformers/{model}")
        return any(isinstance(try_to_load_from_cache(each, "config.json"), str) for each in names)
    except HFValidationError:  # a path, or an invalid name
        return False


def _megabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
