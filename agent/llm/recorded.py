"""Replies kept on disk, so that the same request is never paid for twice: a cache, and the journal of a batch.

A reply is in the file for good before anyone sees it. The same request means the same model, endpoint and text, to the
last character; what it is for, and how long one would wait, do not count. Several processes may share a file. A reply
that was cut off at its limit of tokens is there for what it cost, and never given again.
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
from agent.llm.protocol import LLM, Addressed, LLMRequest, OnText, Reply
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
    """An LLM whose replies are kept in the SQLite file `path`; what is in there costs nothing.

    `base_url` tells endpoints apart that have models of one name; an LLM that says its own needs none. Requests that
    are made while the same one is under way share its call. `SettingsError` when the file is none of ours or damaged;
    `open` finds that out early. Nothing is asked while the disk has less than `room` bytes: it could not be kept.
    """

    def __init__(self, llm: LLM, path: Path | str, *, base_url: str | None = None, room: int = 0) -> None:
        own = llm.base_url if isinstance(llm, Addressed) else ""
        self._llm, self._base_url = llm, own if base_url is None else base_url
        self._file, self._room = _File(Path(path)), room
        self._calls = PerLoop(SharedCalls)

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._llm.model

    async def open(self) -> None:
        """Open the file, or `SettingsError`; without this the first request does it."""
        await asyncio.to_thread(self._file.open)

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer from the file, or ask, write the reply down and then return it. A kept text comes in one piece."""
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
        # Someone may have been answered between our look into the file and now.
        kept = await asyncio.to_thread(self._file.get, key, self._room)
        if kept is not None:
            return kept
        reply = await self._llm.complete(request, on_text)
        kept_as = f"{key} cut {uuid4()}" if reply.finish_reason == "length" else key
        await asyncio.to_thread(self._file.put, kept_as, reply)
        return reply


def spent(path: Path) -> Usage:
    """Return what the replies in a file have cost; nothing when there is none. Blocks; `SettingsError` as above."""
    if not path.exists():
        return _FREE
    with _said_plainly(path), closing(sqlite3.connect(path, _PATIENCE)) as database:
        if database.execute(_WHOSE).fetchone()[1] == 0:  # who made it was killed before it had its table
            return _FREE
        return Usage(*database.execute(_SPENT).fetchone())


def key_of(model: str, base_url: str, request: LLMRequest) -> str:
    """Return what a request is kept under: the SHA-256 of all that the model is told, as canonical JSON.

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
        with self._turn, _said_plainly(self._path):
            self._opened()

    def get(self, key: str, room: int = 0) -> Reply | None:
        with self._turn, _said_plainly(self._path):
            row = self._opened().execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            if row is None and room and shutil.disk_usage(self._path.parent).free < room:
                raise OSError(f"the disk has less than {room / 1e6:.0f} MB left")
            return None if row is None else replace(_REPLY.validate_json(row[0]), usage=_FREE)

    def put(self, key: str, reply: Reply) -> None:
        with self._turn, _said_plainly(self._path):
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
    """Only the owner may read the replies; SQLite gives new files beside the database the permissions of its own."""
    make_private_folder(path.parent)
    make_private(path)
    for suffix in ("-wal", "-shm"):
        tighten(path.with_name(path.name + suffix))


def _set_up(database: sqlite3.Connection) -> None:
    """Make a new file ours, or see that this one is, and sound."""
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
    """Switch to write-ahead logging. SQLite does not wait for others here, however much patience it is given."""
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
def _said_plainly(path: Path) -> Iterator[None]:
    """Say which file is at fault, and what to do about it."""
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
