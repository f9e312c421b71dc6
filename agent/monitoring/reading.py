"""Log files as streams of events: folders, plain and gzip files, lines of any length, and broken lines.

Processes that write a log may be killed and disks may be full, so a broken line is data: it is counted and shown with
its place, and reading continues.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson

from agent.errors import LogError

LONGEST_LINE = 16_000_000
"""Bytes; a longer line is skipped as broken, so that a file without line breaks can't fill the memory."""

_NAME = re.compile(r"(.*?)(?:\.(\d+))?\.jsonl(?:\.(\d+)|-(\d+))?(?:\.gz)?")

LogEvent = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that is no event: its place, and the reason."""

    file: str
    line: int
    reason: str


def log_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files themselves, and for each folder its logs (see `is_log`), the oldest first by name.

    `LogError` if a path does not exist.
    """
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise LogError(f"there is no log at {path}; give files or folders, or set VERSUS_LOG_DIR")
        inside = sorted(filter(is_log, path.iterdir()), key=age) if path.is_dir() else [path]
        found += [file for file in inside if file not in found]
    return found


def is_log(file: Path) -> bool:
    """Return whether a file in a folder is a log by its name: as `versus` writes and rotates, or as logrotate does.

    >>> [is_log(Path(name)) for name in ("versus-20261122.0001.jsonl", "versus-20261122.jsonl.1.gz", "README.md")]
    [True, True, False]
    """
    return _NAME.fullmatch(file.name) is not None


def age(file: Path) -> tuple[str, int, int]:
    """Return a key that sorts logs by the time they were written, judged by their names.

    >>> names = ("v-2.jsonl", "v-2.0002.jsonl", "v-2.0001.jsonl", "v-2.jsonl.1", "v-2.jsonl.2.gz", "v-1.jsonl")
    >>> [file.name for file in sorted(map(Path, names), key=age)]
    ['v-1.jsonl', 'v-2.jsonl.2.gz', 'v-2.jsonl.1', 'v-2.0001.jsonl', 'v-2.0002.jsonl', 'v-2.jsonl']
    """
    match = _NAME.fullmatch(file.name)
    if match is None:
        return file.name, 0, 0
    name, aside, turned, dated = match.groups()
    if turned:
        return name, 0, -int(turned)
    return (name, 0, int(dated)) if dated else (name, 1, int(aside)) if aside else (name, 2, 0)


def events_of(files: Iterable[Path]) -> Iterator[LogEvent | Broken]:
    """Yield every event of these files in order, and every line that is not an event."""
    for file in files:
        yield from _events_of_file(file)


def event_of(line: bytes, file: str, number: int) -> LogEvent | Broken:
    """Return one line as an event, or why it is none.

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
