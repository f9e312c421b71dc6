"""Clients of chromadb: opening and closing them, and mapping their errors to ours.

chromadb shares one system for each folder in a process, so an unclosed client keeps the folder's database open.
Everything here blocks; call it in a thread.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

from retrieval.collections.chroma.location import Location, place, server_of
from retrieval.errors import ProcessTrouble, RetrievalError, StoreError
from retrieval.keys import cleaned
from retrieval.paths import resolved

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

    from retrieval.collections.chroma.server import ServerClient

    Client = ClientAPI | ServerClient

T = TypeVar("T")

# Recall of the approximate index; chromadb's own defaults (100, 100, 16) miss near duplicates in big collections.
HNSW = {"space": "cosine", "ef_construction": 200, "ef_search": 400, "max_neighbors": 32}

# chromadb creates the system of a folder without a lock of its own.
_OPENING = threading.Lock()


def connect(location: Location, create: bool) -> Client | None:
    """Return a client; `None` for a folder without a database, unless `create`."""
    server = server_of(location)
    if server is None:
        return embedded_client(Path(cast(str, location)), create)
    from retrieval.collections.chroma.server import ServerClient

    return ServerClient(server)


def embedded_client(folder: Path, create: bool) -> ClientAPI | None:
    """Return a client of a folder, to be released with `close_client`.

    `None` if the folder has no database and `create` is off: then nothing is created on disk.
    """
    import chromadb
    from chromadb.config import Settings

    # The process-wide cache is keyed by the string, so a folder must always be spelled in one way.
    folder = resolved(folder)
    if not create and not (folder / "chroma.sqlite3").is_file():
        return None
    # Not read from the environment or from a `.env` in the current folder, which may belong to something else.
    settings = Settings.model_construct(anonymized_telemetry=False)
    with _OPENING:
        return chromadb.PersistentClient(str(folder), settings=settings)


def close_client(client: Client) -> None:
    """Release a client; other clients of the same folder in this process are not affected."""
    with _OPENING:
        cast(Any, client).close()


async def acquire(make: Callable[[], T], release: Callable[[T], None]) -> T:
    """Make something in a thread. If the caller is cancelled meanwhile, the thread releases the result."""
    made: list[T] = []
    abandoned = False
    turn = threading.Lock()

    def work() -> None:
        thing = make()
        with turn:
            made.append(thing)
            late = abandoned
        if late:
            release(thing)

    try:
        await asyncio.to_thread(work)
    except asyncio.CancelledError:
        with turn:
            abandoned = True
            unwanted = list(made)
        for thing in unwanted:
            await asyncio.to_thread(release, thing)
        raise
    return made[0]


def mapped(location: Location, call: Callable[[], T]) -> T:
    """Run a call of chromadb; whatever it raises, even a plain `Exception` or a panic, becomes a `StoreError`.

    `ProcessTrouble` if the collection is not the cause.
    """
    try:
        return call()
    except RetrievalError:
        raise
    except BaseException as error:
        # A panic of Rust code is no `Exception`, and its type can't be imported.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        server = server_of(location)
        reason = cleaned(str(error), server.api_key, server.url) if server else cleaned(str(error), None)
        mapped_error = _mapped(location, error, reason or type(error).__name__)
        if reason != " ".join(str(error).split()):
            raise mapped_error from None  # the log would show the original
        raise mapped_error from error


def _mapped(location: Location, error: BaseException, reason: str) -> StoreError:
    trouble = _trouble(error)
    return StoreError(_advice(location, error, reason)) if trouble is None else ProcessTrouble(trouble)


def _trouble(error: BaseException) -> str | None:
    """Return what this process lacks, if that is why chromadb failed."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError) and error.title == "Settings":
        # Chroma reads its own settings when imported; their values may be secret.
        names = ", ".join(sorted({str(part).upper() for each in error.errors() for part in each["loc"][:1]}))
        return (
            f"Chroma can't start: it takes {names}, in the environment or in .env of the working folder, for its own, "
            "and can't read the value. Rename or remove it, or start in another folder; no collection was touched"
        )
    if "Too many open files" in str(error):
        return "this process may open no more files, which Chroma needs; raise the limit: ulimit -n 1024"
    return None


def _advice(location: Location, error: BaseException, reason: str) -> str:
    import httpx
    from chromadb.errors import NotFoundError

    where, server = place(location), server_of(location)
    if isinstance(error, NotFoundError):
        return f"the collection at {where} is gone ({reason}); ingest again"
    if isinstance(error, httpx.TimeoutException) and server is not None:
        return f"the Chroma server at {where} said nothing for {server.patience:g} s (timed out); is it busy or down?"
    if any(isinstance(cause, ssl.SSLError) for cause in _causes(error)):
        return (
            f"no safe connection to the Chroma server at {where} ({reason}); check that the address is right and "
            "speaks https, and name the file of your own certificate authority, if it has one, in SSL_CERT_FILE"
        )
    if isinstance(error, httpx.TransportError):
        port = urlsplit(server.url).port if server is not None else None
        command = " ".join(["chroma run --path data/chroma", *([f"--port {port}"] if port else [])])
        return f"no Chroma server answers at {where} ({reason}); start one with: {command}"
    return f"the vector store at {where} failed: {reason}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
