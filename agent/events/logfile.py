"""One event, one line, one write: events as bytes in a file that several processes share.

A line is written in a single `write` on a descriptor opened for appending, so lines of different processes never mix.
Everything is masked and escaped before it is written. If the file is moved away in the meantime, a new one is begun.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from structlog.typing import EventDict, WrappedLogger

from agent.escape import encodable, json_safe
from agent.settings.private_files import make_private_folder, open_private

MASK = "***"
LONGEST = 4000
"""Most characters of a text field."""

_SECRET_NAME = re.compile(
    r"(?:^|[_-])(?:api_?key|secret|password|passwd|authorization|token|cookie|credentials?)$", re.IGNORECASE
)
_SECRET_VALUE = re.compile(
    r"\bsk-[A-Za-z0-9_-]{8,}|(?<=\bBearer )[^\s\"',;]+|(?<=//)[^/@\s]+:[^/@\s]+(?=@)", re.IGNORECASE
)
_DEEPEST = 12
_UNFINISHED_WORD = re.compile(r"(?<![\w.~+/=-])[\w.~+/=-]{1,200}\Z")


def mask(text: str) -> str:
    """Mask whatever looks like a key, a bearer token or a password in an address.

    >>> mask("Bearer abc to http://me:pw@host with sk-1234567890")
    'Bearer *** to http://***@host with ***'
    """
    return _SECRET_VALUE.sub(MASK, text)


def plain(value: object, depth: int = 0) -> object:
    """Return a copy that any JSON encoder accepts: masked, without surrogates, not-a-numbers or foreign types.

    >>> plain({"api_key": "x", "prompt_tokens": 3, "score": float("nan")})
    {'api_key': '***', 'prompt_tokens': 3, 'score': 'nan'}
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {_shorten(str(key)): _field(str(key), item, depth) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, depth + 1) for item in value]
    return _shorten(str(value))


def render_line(_logger: WrappedLogger | None, _method: str, event: EventDict) -> str:
    """Return the event as one line of JSON, its own fields first; the last structlog processor."""
    first = ("timestamp", "level", "event", "run_id", "question_id", "sub_query")
    ordered = {**{name: event[name] for name in first if name in event}, **event}
    return json_safe(json.dumps(plain(ordered), ensure_ascii=False))


def masked_line(record: logging.LogRecord, secrets: Iterable[str]) -> str:
    """Return a record of ours or of a library as one line of JSON, without any of the secrets."""
    line = record.getMessage() if record.name == "versus" else render_line(None, "", _foreign(record))
    for secret in secrets:
        if len(secret) >= 8:  # a shorter "secret" would mask ordinary words
            line = line.replace(json.dumps(secret)[1:-1], MASK).replace(
                json.dumps(secret, ensure_ascii=False)[1:-1], MASK
            )
    return line


class JsonLinesHandler(logging.Handler):
    """Appends lines to `folder/versus-YYYYMMDD.jsonl`; gives up, with one note on stderr, if it can't.

    A file that was moved away or deleted is recreated before the next line. With `max_bytes`, a file of that size is
    renamed to `versus-YYYYMMDD.0001.jsonl` and so on; 0 is no limit.
    """

    def __init__(self, folder: Path, secrets: Iterable[str] = (), max_bytes: int = 0) -> None:
        super().__init__()
        self._folder, self._secrets, self._max_bytes = folder, tuple(secrets), max_bytes
        self._descriptor, self._identity, self._broken = -1, (0, 0), False

    def emit(self, record: logging.LogRecord) -> None:
        if self._broken:
            return
        line = masked_line(record, self._secrets)
        try:
            self._open(self._folder / f"versus-{datetime.now(UTC):%Y%m%d}.jsonl")
            os.write(self._descriptor, f"{line}\n".encode())
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1
        super().close()

    def _open(self, path: Path) -> None:
        """Open the current file of this name for appending."""
        if self._is_open(path):
            return
        make_private_folder(self._folder)
        # A link could redirect the log of a working folder into any file of the user.
        fresh = open_private(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0))
        if self._descriptor >= 0:
            os.close(self._descriptor)
        status = os.fstat(fresh)
        self._descriptor, self._identity = fresh, (status.st_dev, status.st_ino)

    def _is_open(self, path: Path) -> bool:
        if self._descriptor < 0:
            return False
        try:
            status = path.stat()
        except FileNotFoundError:
            return False
        if self._max_bytes and status.st_size >= self._max_bytes:
            self._set_aside(path)
            return False
        return self._identity == (status.st_dev, status.st_ino)

    def _set_aside(self, path: Path) -> None:
        """Rename a full file, once, by whichever process comes first; a line that is being written is not lost."""
        from filelock import FileLock

        # Where an open file can't be renamed (Windows) it keeps growing: a large log is better than none.
        with suppress(FileNotFoundError, PermissionError), FileLock(self._folder / ".rotation.lock"):
            if path.stat().st_size >= self._max_bytes:
                names = (path.with_name(f"{path.stem}.{number:04}.jsonl") for number in count(1))
                path.rename(next(name for name in names if not name.exists()))

    def _give_up(self, error: OSError) -> None:
        self._broken = True
        reason = error.strerror or str(error)
        sys.stderr.write(
            f"note: no log is written: {self._folder}: {reason}. "
            "Name another folder with --log-dir or VERSUS_LOG_DIR.\n"
        )


class StderrLinesHandler(logging.Handler):
    """Writes the same lines to stderr, for containers whose log is their output."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        self._secrets = tuple(secrets)

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(masked_line(record, self._secrets) + "\n")


def _foreign(record: logging.LogRecord) -> EventDict:
    """Return a log record of a library as an event; if it carries an event and facts, with those."""
    fields = {"logger": record.name, "message": _message(record)}
    return {
        "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": getattr(record, "event", "log.message"),
        **getattr(record, "facts", fields),
    }


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - a library's malformed message must not end our work
        return f"{record.msg} {record.args}"


def _field(name: str, value: object, depth: int) -> object:
    return MASK if value is not None and _SECRET_NAME.search(name) else plain(value, depth + 1)


def _shorten(text: str) -> str:
    """Return the beginning of a long text; cut a word only as a whole, as half a key would not be recognised."""
    text = mask(encodable(text))
    if len(text) <= LONGEST:
        return text
    kept = _UNFINISHED_WORD.sub("", text[:LONGEST]) or text[:LONGEST]
    return f"{kept}… ({len(text) - len(kept)} more)"
