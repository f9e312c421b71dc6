"""Following a log while it is written: new lines of files that grow, appear, are truncated or moved away."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agent.monitoring.reading import LONGEST_LINE, Broken, LogEvent, age, event_of, events_of, is_log


@dataclass(slots=True)
class _Followed:
    stream: BinaryIO
    identity: tuple[int, int]
    number: int = 0
    position: int = 0
    rest: bytes = b""


class Tail:
    """Reads what has been added since the last call. Close it when done.

    A file is read to its end before its successor under the same name. A line counts once it has its line break, so an
    unfinished line is never taken for broken. Gzip files are read once.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = tuple(paths)
        self._open: dict[Path, _Followed] = {}
        self._seen: set[tuple[int, int]] = set()

    def read(self) -> Iterator[LogEvent | Broken]:
        """Yield every new event, and every new line that is not an event."""
        for path, followed in list(self._open.items()):
            yield from self._grown(path, followed)
            if _identity(path) != followed.identity:
                self._leave(path, followed)
        for path in self._files():
            identity = _identity(path)
            # A file that was only renamed has been read under its old name.
            if path in self._open or identity is None or identity in self._seen:
                continue
            self._seen.add(identity)
            yield from self._begun(path, identity)

    def close(self) -> None:
        """Close the files."""
        for followed in self._open.values():
            followed.stream.close()
        self._open.clear()

    def _leave(self, path: Path, followed: _Followed) -> None:
        # The identity of a deleted file may be reused by a new one.
        if os.fstat(followed.stream.fileno()).st_nlink == 0:
            self._seen.discard(followed.identity)
        followed.stream.close()
        del self._open[path]

    def _files(self) -> list[Path]:
        found: list[Path] = []
        for path in self._paths:
            found += sorted(filter(is_log, path.iterdir()), key=age) if path.is_dir() else [path]
        return found

    def _begun(self, path: Path, identity: tuple[int, int]) -> Iterator[LogEvent | Broken]:
        if path.name.endswith(".gz"):
            yield from events_of([path])
            return
        try:
            stream = path.open("rb")
        except FileNotFoundError:
            return
        self._open[path] = _Followed(stream, identity)
        yield from self._grown(path, self._open[path])

    def _grown(self, path: Path, followed: _Followed) -> Iterator[LogEvent | Broken]:
        if os.fstat(followed.stream.fileno()).st_size < followed.position:
            followed.stream.seek(0)
            followed.position, followed.number, followed.rest = 0, 0, b""
        while part := followed.stream.readline(LONGEST_LINE):
            followed.position += len(part)
            line = followed.rest + part
            if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                followed.rest = line
                continue
            followed.rest, followed.number = b"", followed.number + 1
            if line.strip():
                yield event_of(line, str(path), followed.number)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
