"""Replies stored on disk, so that the same request is never paid for twice: a cache, and the journal of a batch.

A reply is safely in the file before it is returned. Requests are the same if model, endpoint and text are identical;
purpose and deadline do not count. Several processes may share a file. A reply that was truncated at its token limit is
stored for its cost only, and never returned again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from agent.errors import SettingsError
from agent.llm.per_loop import PerLoop
from agent.llm.protocol import LLM, HasBaseURL, LLMRequest, OnText, Reply
from agent.llm.single_flight import SharedCalls
from agent.settings.private_files import make_private, make_private_folder, tighten
from agent.types import Usage

_PATIENCE = 30.0
"""Seconds to wait for another process that writes."""
_OURS = 0x56535253
_WHOSE = "SELECT application_id, (SELECT count(*) FROM sqlite_master) FROM pragma_application_id"
_SPENT = "SELECT count(*), {prompt_tokens}, {completion_tokens}, {cost_usd} FROM replies".format(
    **{
        name: f"coalesce(sum(json_extract(reply, '$.usage.{name}')), 0)"
        for name in ("prompt_tokens", "completion_tokens", "cost_usd")
    }
)
_FREE = Usage()
_REPLY = TypeAdapter(Reply)


class RecordedLLM:
    """An LLM whose replies are stored in the SQLite file `path`; a stored reply costs nothing.

    `base_url` distinguishes endpoints with models of one name; an LLM with its own `base_url` needs none. Concurrent
    requests that are the same share one call. `SettingsError` if the file is not such a file or damaged; `open` detects
    that early. Nothing is asked while the disk has less than `room` bytes: the reply could not be stored.
    """

    def __init__(self, llm: LLM, path: Path | str, *, base_url: str | None = None, room: int = 0) -> None:
        own = llm.base_url if isinstance(llm, HasBaseURL) else ""
        self._llm, self._base_url = llm, own if base_url is None else base_url
        self._file, self._room = _File(Path(path)), room
        self._calls = PerLoop(SharedCalls)

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._llm.model

    async def open(self) -> None:
        """Open the file, or raise `SettingsError`; without this the first request opens it."""
        await asyncio.to_thread(self._file.open)

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Return the stored reply, or ask, store the reply and return it. A stored text arrives in one piece."""
        key = key_of(self.model, self._base_url, request)
        kept = await asyncio.to_thread(self._file.get, key)
        if kept is not None:
            if on_text is not None and kept.text:
                on_text(kept.text)
            return kept
        return await self._calls.here().join(key, lambda heard: self._asked(key, request, heard), on_text)

    async def close(self) -> None:
        """Close the file and the LLM within."""
        await self._llm.close()
        await asyncio.to_thread(self._file.close)

    async def _asked(self, key: str, request: LLMRequest, on_text: OnText | None) -> Reply:
        # Another caller may have been answered since the first look into the file.
        kept = await asyncio.to_thread(self._file.get, key, self._room)
        if kept is not None:
            return kept
        reply = await self._llm.complete(request, on_text)
        kept_as = f"{key} cut {uuid4()}" if reply.finish_reason == "length" else key
        await asyncio.to_thread(self._file.put, kept_as, reply)
        return reply


def stored_usage(path: Path) -> Usage:
    """Return the usage of all replies in a file; zero if there is none. Blocks; `SettingsError` as above."""
    if not path.exists():
        return _FREE
    with _as_settings_error(path), closing(sqlite3.connect(path, _PATIENCE)) as database:
        if database.execute(_WHOSE).fetchone()[1] == 0:  # its creator was killed before it made the table
            return _FREE
        return Usage(*database.execute(_SPENT).fetchone())


def key_of(model: str, base_url: str, request: LLMRequest) -> str:
    """Return the key of a request: the SHA-256 of everything that the model receives, as canonical JSON.

    >>> key_of("m", "", LLMRequest((), "plan")) == key_of("m", "", LLMRequest((), "repair", give_up_at=1.0))
    True
    """
    told = asdict(replace(request, on_lost=None))
    del told["purpose"], told["give_up_at"], told["on_lost"]
    canonical = json.dumps([model, base_url, told], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class _File:
    """The replies on disk; its methods block, and may be called from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Lock()
        self._database: sqlite3.Connection | None = None

    def open(self) -> None:
        with self._turn, _as_settings_error(self._path):
            self._opened()

    def get(self, key: str, room: int = 0) -> Reply | None:
        with self._turn, _as_settings_error(self._path):
            row = self._opened().execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            if row is None and room and shutil.disk_usage(self._path.parent).free < room:
                raise OSError(f"the disk has less than {room / 1e6:.0f} MB left")
            return None if row is None else replace(_REPLY.validate_json(row[0]), usage=_FREE)

    def put(self, key: str, reply: Reply) -> None:
        with self._turn, _as_settings_error(self._path):
            row = (key, _REPLY.dump_json(reply).decode())
            self._opened().execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", row)

    def close(self) -> None:
        with self._turn:
            database, self._database = self._database, None
            if database is not None:
                database.close()

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            _make_private(self._path)
            database = sqlite3.connect(self._path, _PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                _set_up(database)
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database


def _make_private(path: Path) -> None:
    """Make the replies readable by their owner only; SQLite copies the permissions to the files beside the database."""
    make_private_folder(path.parent)
    make_private(path)
    for suffix in ("-wal", "-shm"):
        tighten(path.with_name(path.name + suffix))


def _set_up(database: sqlite3.Connection) -> None:
    """Initialise a new file, or check that an existing one is ours, and sound."""
    owner, tables = database.execute(_WHOSE).fetchone()
    if owner != _OURS and (owner, tables) != (0, 0):
        raise sqlite3.DatabaseError("it is a database of something else")
    (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)
    _use_wal(database)
    database.execute("PRAGMA synchronous = FULL")
    if owner != _OURS:
        database.execute(f"PRAGMA application_id = {_OURS}")
    database.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID")


def _use_wal(database: sqlite3.Connection) -> None:
    """Switch to write-ahead logging. SQLite does not wait for other processes here, whatever its timeout."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


@contextmanager
def _as_settings_error(path: Path) -> Iterator[None]:
    """Turn errors into `SettingsError`s that name the file, and what to do about it."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        raise SettingsError(
            f"the replies in {path} can't be read or kept: {error}; check the file and its disk"
        ) from error
    except (sqlite3.DatabaseError, ValidationError) as error:
        said = "a reply is damaged" if isinstance(error, ValidationError) else " ".join(str(error).split())
        raise SettingsError(
            f"{path} is not a file of kept replies, or damaged: {said}; delete it or name another"
        ) from error
