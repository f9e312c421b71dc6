"""Check that a plain Chroma collection still has the vectors it counts.

Chroma stores texts and metadata in its SQLite file and vectors beside it, so the vectors can be lost unnoticed: the
count is right, but queries find less, or fail, or crash the process. A few chunks, spread over all, are searched for by
their own vectors. Damaged files can crash the process that reads them. So a collection whose files are new or were
written since the last check is first queried in another process; the user's cache folder records the ones that
answered.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import numpy as np
import orjson
import platformdirs

from retrieval.collections.chroma.connect import close_client, connect, mapped
from retrieval.collections.chroma.location import Location
from retrieval.collections.chroma.store import space_of
from retrieval.errors import CollectionNotFound, Damaged, RetrievalError
from retrieval.processes.worker import News, Tell, run_worker

PROBES = 16
Touched = dict[str, list[int]]
"""The size and times, in nanoseconds, of each file with vectors."""


async def require_answering(folder: Path, name: str, *, cache: Path | None = None) -> None:
    """Query a plain collection in another process, unless it answered before and its files are unchanged.

    `Damaged` if it crashes that process. `cache` stores the record (default: the user's cache folder).
    """
    touched = await asyncio.to_thread(_touched, folder)
    if not touched or not os.access(folder, os.W_OK):
        return
    key = hashlib.sha256(f"{folder}\n{name}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    record = (cache or platformdirs.user_cache_path("versus") / "answering") / f"{key}.json"
    if await asyncio.to_thread(_recorded, record) == touched:
        return
    heard: list[News] = []
    ended = await run_worker("retrieval.collections.probe", [str(folder), name], heard.append)
    if ended is not None and ended.is_crash:
        raise Damaged(
            f"the process that asks collection {name!r} in {folder} {ended}: its files are damaged. "
            f"Delete it with versus collections {name} --delete, then ingest its sources again"
        )
    if heard and heard[-1].get("problem", "") is None:
        await asyncio.to_thread(_record, record, touched)


def _touched(folder: Path) -> Touched:
    """Return the files with vectors; the database is excluded, since Chroma writes to it at every opening."""
    found = {str(path.relative_to(folder)): path.stat() for path in sorted(folder.glob("*-*-*-*-*/*"))}
    return {name: [each.st_size, each.st_mtime_ns, each.st_ctime_ns] for name, each in found.items()}


def _recorded(record: Path) -> Touched | None:
    try:
        return cast(Touched, orjson.loads(record.read_bytes()))
    except (OSError, ValueError):
        return None


def _record(record: Path, touched: Touched) -> None:
    with suppress(OSError):  # without a record, it is checked again
        record.parent.mkdir(parents=True, exist_ok=True)
        aside = record.with_suffix(f".{os.getpid()}")
        aside.write_bytes(orjson.dumps(touched))
        aside.replace(record)


def probe(location: Location, name: str) -> str | None:
    """Return what is wrong with a collection when queried; `None` if nothing is. Blocks, and can crash the process."""
    try:
        return mapped(location, lambda: _probe(location, name))
    except RetrievalError as error:
        return str(error)


def _probe(location: Location, name: str) -> str | None:
    client = connect(location, create=False)
    if client is None:
        raise CollectionNotFound(name, ())
    try:
        collection = cast(Any, client.get_collection(name, embedding_function=None))
        space = space_of(collection.configuration_json, collection.metadata or {})
        places = np.unique(np.linspace(0, max(0, collection.count() - 1), PROBES).astype(int)).tolist()
        pages = [collection.get(limit=1, offset=place, include=["embeddings"]) for place in places]
        vectors = [page["embeddings"][0] for page in pages if len(page["ids"])]
        missing = 0
        for vector in vectors:
            found = collection.query(query_embeddings=[vector], n_results=1, include=["distances"])["distances"][0]
            # By inner product the nearest to a vector may be a longer one.
            missing += not found or (space != "ip" and abs(found[0]) > 1e-3 * max(1.0, float(np.dot(vector, vector))))
    finally:
        close_client(client)
    # An approximate index may miss one of them and still be sound.
    return f"{missing} of {len(vectors)} chunks do not find themselves" if missing > len(vectors) // 8 else None


def main(location: str, name: str, tell: Tell) -> int:
    """Probe a collection in a folder, and report `{"problem"}`, `null` if it is sound."""
    tell({"problem": probe(location, name)})
    return 0
