"""Log files as streams of events: folders, plain and gzip files, lines of any length, and lines that are no events.

A log is written by processes that can be killed and disks that can be full, so a broken line is data: it is counted and
shown with its place, and the reading goes on.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson

from agent.errors import AgentError

LONGEST_LINE = 16_000_000
"""Bytes; a longer line is skipped as broken, so that a file without line breaks can't fill the memory."""

LogEvent = Mapping[str, Any]


class LogError(AgentError):
    """A log can't be read, or does not hold what was asked for."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that is no event: where it stands, and why."""

    file: str
    line: int
    reason: str


def log_files(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and for each folder its `*.jsonl` and `*.jsonl.gz`, in the order of their names.

    `LogError` when a path does not exist.
    """
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise LogError(f"there is no log at {path}; give files or folders, or set VERSUS_LOG_DIR")
        inside = sorted(file for file in path.iterdir() if is_log(file)) if path.is_dir() else [path]
        found += [file for file in inside if file not in found]
    return found


def is_log(file: Path) -> bool:
    """Return whether a file of a folder is taken for a log by its name.

    >>> is_log(Path("versus-20261122.0001.jsonl.gz"))
    True
    """
    return file.name.endswith((".jsonl", ".jsonl.gz"))


def events_of(files: Iterable[Path]) -> Iterator[LogEvent | Broken]:
    """Every event of these files, one after the other, and every line that is none."""
    for file in files:
        yield from _events_of_file(file)


def event_of(line: bytes, file: str, number: int) -> LogEvent | Broken:
    """One line as an event, or why it is none.

    >>> event_of(b"[]", "a.jsonl", 3)
    Broken(file='a.jsonl', line=3, reason='not an event')
    """
    try:
        event = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Broken(file, number, f"not JSON: {error.msg}")
    return (
        event
        if isinstance(event, dict) and isinstance(event.get("event"), str)
        else Broken(file, number, "not an event")
    )


def _events_of_file(file: Path) -> Iterator[LogEvent | Broken]:
    number = 0
    try:
        with _opened(file) as stream:
            for number, line in enumerate(_lines(stream), 1):
                if line is None:
                    yield Broken(str(file), number, f"longer than {LONGEST_LINE:,} bytes")
                elif line.strip():
                    yield event_of(line, str(file), number)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield Broken(str(file), number + 1, f"damaged gzip file, the rest is lost: {error}")
    except OSError as error:
        raise LogError(f"{file} can't be read: {error.strerror or error}") from error


def _opened(file: Path) -> BinaryIO:
    if file.name.endswith(".gz"):
        return cast("BinaryIO", gzip.open(file, "rb"))
    return file.open("rb", buffering=1 << 20)


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Each line; None for one that is too long to be held."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None
