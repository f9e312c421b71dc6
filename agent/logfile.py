"""One event, one line, one write: how an event becomes bytes in a file that several processes share.

A line is handed to the system in a single `write` on a descriptor opened for appending, so lines of different
processes never mix. Everything is masked and escaped before it is written.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from structlog.typing import EventDict, WrappedLogger

from agent.escape import encodable, json_safe

MASK = "***"
LONGEST = 4000
"""Characters of one text field that are kept."""

_SECRET_NAME = re.compile(
    r"(?:^|[_-])(?:api_?key|secret|password|passwd|authorization|token|cookie|credentials?)$", re.IGNORECASE
)
_SECRET_VALUE = re.compile(
    r"\bsk-[A-Za-z0-9_-]{8,}|(?<=\bBearer )[^\s\"',;]+|(?<=//)[^/@\s]+:[^/@\s]+(?=@)", re.IGNORECASE
)
_DEEPEST = 12


def mask(text: str) -> str:
    """Hide what looks like a key, a bearer token or a password in an address.

    >>> mask("Bearer abc to http://me:pw@host with sk-1234567890")
    'Bearer *** to http://***@host with ***'
    """
    return _SECRET_VALUE.sub(MASK, text)


def plain(value: object, depth: int = 0) -> object:
    """A copy that any JSON encoder takes: masked, without surrogates, not-a-numbers or foreign types.

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
    """The last structlog processor: the event as one line of JSON, its own names first."""
    first = ("timestamp", "level", "event", "run_id", "question_id", "sub_query")
    ordered = {**{name: event[name] for name in first if name in event}, **event}
    return json_safe(json.dumps(plain(ordered), ensure_ascii=False))


class JsonLinesHandler(logging.Handler):
    """Appends lines to `folder/versus-YYYYMMDD.jsonl`; gives up, with one note on stderr, when it can't."""

    def __init__(self, folder: Path, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        # A short "secret" would mask ordinary words.
        self._folder, self._secrets = folder, tuple(secret for secret in secrets if len(secret) >= 8)
        self._day, self._descriptor, self._broken = "", -1, False

    def emit(self, record: logging.LogRecord) -> None:
        if self._broken:
            return
        line = self._line(record)
        for secret in self._secrets:
            line = line.replace(json.dumps(secret)[1:-1], MASK)
        try:
            self._open(f"{datetime.now(UTC):%Y%m%d}")
            os.write(self._descriptor, f"{line}\n".encode())
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._day, self._descriptor = "", -1
        super().close()

    def _line(self, record: logging.LogRecord) -> str:
        if record.name == "versus":
            return record.getMessage()
        return render_line(None, "", _foreign(record))

    def _open(self, day: str) -> None:
        if day == self._day:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = os.open(
            self._folder / f"versus-{day}.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644
        )
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._day, self._descriptor = day, fresh

    def _give_up(self, error: OSError) -> None:
        self._broken = True
        reason = error.strerror or str(error)
        sys.stderr.write(f"note: no log is written: {self._folder}: {reason}. Set VERSUS_LOG_DIR to another folder.\n")


def _foreign(record: logging.LogRecord) -> EventDict:
    """What a library said; where it named the event and its facts, those."""
    said = {"logger": record.name, "message": record.getMessage()}
    return {
        "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": getattr(record, "event", "log.message"),
        **getattr(record, "facts", said),
    }


def _field(name: str, value: object, depth: int) -> object:
    return MASK if value is not None and _SECRET_NAME.search(name) else plain(value, depth + 1)


def _shorten(text: str) -> str:
    text = mask(encodable(text))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text) - LONGEST} more)"
