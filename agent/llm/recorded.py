"""Replies kept on disk, so that the same request is never paid for twice: a cache, and the journal of a batch.

A reply is in the file for good before anyone sees it. The same request means the same model, endpoint and text, to the
last character; what it is for, and how long one would wait, do not count. Several processes may share a file.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import threading
from dataclasses import asdict, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from agent.errors import SettingsError
from agent.llm.per_loop import PerLoop
from agent.llm.protocol import LLM, LLMRequest, OnText, Reply
from agent.llm.sharing import SharedCalls
from agent.types import Usage

_PATIENCE = 30.0
"""Seconds to wait for another process that writes."""
_FREE = Usage()
_REPLY = TypeAdapter(Reply)


class RecordedLLM:
    """An LLM whose replies are kept in the SQLite file `path`; what is in there costs nothing.

    `base_url` tells endpoints apart that have models of one name. Requests that are made while the same one is under
    way share its call. `SettingsError` when the file is none of ours or damaged; `open` finds that out early.
    """

    def __init__(self, llm: LLM, path: Path | str, *, base_url: str = "") -> None:
        self._llm, self._base_url = llm, base_url
        self._file = _File(Path(path))
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
        await asyncio.to_thread(self._file.close)
        await self._llm.close()

    async def _asked(self, key: str, request: LLMRequest, on_text: OnText | None) -> Reply:
        # Someone may have been answered between our look into the file and now.
        kept = await asyncio.to_thread(self._file.get, key)
        if kept is not None:
            return kept
        reply = await self._llm.complete(request, on_text)
        await asyncio.to_thread(self._file.put, key, reply)
        return reply


def key_of(model: str, base_url: str, request: LLMRequest) -> str:
    """Return what a request is kept under: the SHA-256 of all that the model is told, as canonical JSON.

    >>> key_of("m", "", LLMRequest((), "plan")) == key_of("m", "", LLMRequest((), "repair", give_up_at=1.0))
    True
    """
    told = asdict(request)
    del told["purpose"], told["give_up_at"]
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

    def get(self, key: str) -> Reply | None:
        with self._turn, _said_plainly(self._path):
            row = self._opened().execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else replace(_REPLY.validate_json(row[0]), usage=_FREE)

    def put(self, key: str, reply: Reply) -> None:
        with self._turn, _said_plainly(self._path):
            database = self._opened()
            with database:
                database.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, _REPLY.dump_json(reply).decode()))

    def close(self) -> None:
        with self._turn:
            database, self._database = self._database, None
            if database is not None:
                database.close()
