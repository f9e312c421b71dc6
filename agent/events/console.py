"""The log for people: each event as one coloured line on stderr, under the same masks and escapes as the file."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any

from agent.escape import one_line
from agent.events.logfile import masked_line

if TYPE_CHECKING:
    from rich.text import Text

_COLOURS = {"debug": "dim", "info": "green", "warning": "yellow", "error": "bold red", "critical": "bold red"}
_ELSEWHERE = ("timestamp", "level", "event", "run_id", "question_id", "sub_query", "batch_id")
_LONGEST = 120
"""Most characters of a value on the console; the file has all of them."""


class ConsoleHandler(logging.Handler):
    """Writes events to stderr as `time level event ids fields`, one line each, however long."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        self._secrets = tuple(secrets)

    def emit(self, record: logging.LogRecord) -> None:
        from rich.console import Console

        event = json.loads(masked_line(record, self._secrets))
        console = Console(file=StringIO(), force_terminal=sys.stderr.isatty(), width=10_000)
        with console.capture() as capture:
            console.print(event_line(event), soft_wrap=True)
        # Not through the console: a progress bar that is active takes over sys.stderr, and makes room.
        sys.stderr.write(capture.get())


def event_line(event: Mapping[str, Any]) -> Text:
    """Return one event as one line.

    >>> event = {"timestamp": "2026-11-22T05:33:09.1Z", "level": "info", "event": "a.b", "run_id": "r1", "n": 2}
    >>> event_line(event).plain
    '05:33:09 info    a.b  r1  n=2'
    """
    from rich.text import Text

    level = str(event.get("level", ""))
    # The beginning of an id is enough to find it, and a question that is its own run is named once.
    ids = dict.fromkeys(one_line(str(event[name]))[:8] for name in _ELSEWHERE[3:] if event.get(name))
    shown = {name: _short(value) for name, value in event.items() if name not in _ELSEWHERE and value is not None}
    fields = " ".join(f"{name}={text}" for name, text in shown.items() if text)
    return Text.assemble(
        (f"{one_line(str(event.get('timestamp', '')))[11:19]} ", "dim"),
        (f"{one_line(level):<7} ", _COLOURS.get(level, "")),
        (one_line(str(event.get("event", ""))), "bold"),
        (f"  {' '.join(ids)}  ", "cyan"),
        one_line(fields),
    )


def _short(value: object) -> str:
    """Return a value in a few words: the number of objects in a list, the counts that are not zero."""
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return f"[{len(value)}]" if value else ""
    if isinstance(value, dict):
        value = ",".join(f"{name}:{_short(each)}" for name, each in value.items() if each)
    if isinstance(value, float):
        return f"{value:.4g}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
