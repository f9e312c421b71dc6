"""The output file of a batch: records are appended, and a record counts only when it is safely on disk.

Records that are ready together share one `write` and one `fsync`, so that the disk syncs a few hundred times a second
at most, however many questions are running. The next run cuts off what a kill leaves half written.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import orjson
from filelock import FileLock, Timeout

from agent.batch.disk import Disk
from agent.batch.errors import BatchError
from agent.batch.index import Index
from agent.batch.records import LineState, Record, encoded, is_as_written, state_of
from agent.settings.private_files import open_private

OnFound = Callable[[LineState], None]
OnWritten = Callable[[Record], None]
"""Called with each record once it is safely on disk, in another thread."""
_PIECE = 1 << 20


class Output:
    """Appends to `path`, which only this process writes until `close`; `BatchError` if another process does."""

    def __init__(self, path: Path, on_written: OnWritten) -> None:
        self.path, self._on_written = path, on_written
        self._disk, self._turn = Disk(), asyncio.Lock()
        self._waiting: deque[Record] = deque()
        self._put = self._written = 0
        self._failure: OSError | None = None
        self._file, self._size = -1, 0
        self._lock = FileLock(beside(path, ".lock"), timeout=0, thread_local=False)
        self._made: tuple[Path, ...] = ()

    async def open(self) -> None:
        """Lock the output and open it."""
        await self._disk.run(self._open)

    async def recover(self, index: Index, on_found: OnFound, *, drop_failed: bool, has_checksums: bool = True) -> None:
        """Read the records of earlier runs, pass each to `on_found`, and cut off what a kill left half written.

        With `drop_failed`, failed records are removed in one step. `BatchError` if the file is no output of a batch, or
        a record was changed after it was written; only outputs of earlier versions have records without checksums.
        """
        await self._disk.run(lambda: self._recover(index, on_found, drop_failed, has_checksums))

    async def empty(self) -> None:
        """Delete all records."""
        await self._disk.run(lambda: self._cut(0))

    async def append(self, record: Record, index: Index) -> None:
        """Write a record to disk; `index` notes where an answer stands."""
        self._put += 1
        ticket = self._put
        self._waiting.append(record)
        async with self._turn:
            if self._written < ticket:
                await self._disk.run(lambda: self._append(index))

    async def find(self, question: str, index: Index) -> Record | None:
        """Return the record that answers a question, if one was written."""
        return await self._disk.run(lambda: self._find(question, index))

    async def withdraw(self) -> None:
        """Remove the files made by `open` if the batch could not begin and no record was written."""
        if self._lock.is_locked and not self._put:
            await self._disk.run(self._withdraw)

    async def close(self) -> None:
        """Finish writing, and release the lock."""
        await self._disk.close()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        self._lock.release()

    def _open(self) -> None:
        if self.path.exists() and not self.path.is_file():
            raise BatchError(f"{self.path} is no file; a batch needs one that it can read again")
        files = (self.path, beside(self.path, ".lock"), manifest_of(self.path))
        made = tuple(path for path in (*files, *self.path.parents) if not path.exists())
        try:
            self._lock.acquire()
            self._made = made
            fresh = not self.path.exists()
            self._file = open_private(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
            self._size = os.fstat(self._file).st_size
            if fresh:
                sync_folder(self.path.parent)
        except Timeout:
            raise BatchError(f"another process is writing {self.path}; wait for it, or name another --output") from None
        except OSError as error:
            raise self._unwritable(error) from error

    def _withdraw(self) -> None:
        for path in self._made:
            with suppress(OSError):  # a folder that others have used meanwhile stays
                path.rmdir() if path.is_dir() else path.unlink()

    def _find(self, question: str, index: Index) -> Record | None:
        place = index.answer(question)
        if place is None:
            return None
        offset, size = place
        found: Record = orjson.loads(os.pread(self._file, size, offset))
        return found

    def _append(self, index: Index) -> None:
        """Write all waiting records. After a failure nothing more is written, and a half-written record is cut off."""
        group = [self._waiting.popleft() for _ in range(len(self._waiting))]
        lines = [encoded(record) for record in group]
        try:
            if self._failure is None and lines:
                _write(self._file, b"".join(lines))
                os.fsync(self._file)
        except OSError as error:
            self._failure = error
            os.ftruncate(self._file, self._size)
        if self._failure is not None:
            raise self._unwritable(self._failure) from self._failure
        self._written += len(group)
        for record, line in zip(group, lines, strict=True):
            if "error" not in record and "same_as" not in record:
                index.add_answer(record["question"], self._size, len(line))
            self._size += len(line)
            self._on_written(record)

    def _recover(self, index: Index, on_found: OnFound, drop_failed: bool, has_checksums: bool) -> None:
        try:
            good = self._read_all(index, on_found, drop_failed, has_checksums)
            self._cut(good)
            if drop_failed:
                self._rewrite(index)
        except OSError as error:
            raise self._unwritable(error) from error

    def _read_all(self, index: Index, on_found: OnFound, drop_failed: bool, has_checksums: bool) -> int:
        """Read all records; return the number of bytes in whole records. What follows them was half written."""
        good, number, broken = 0, 0, 0
        for number, (offset, data) in enumerate(_lines(self._file), 1):
            state = state_of(data) if data.endswith(b"\n") else None
            if state is None:
                broken = broken or number
                continue
            if broken:
                raise BatchError(f"line {broken} of {self.path} is no record of a batch; mend it, or use --no-resume")
            if not is_as_written(data, has_checksum=has_checksums):
                raise BatchError(
                    f"line {number} of {self.path}, the record of line {state.line}, is not what was written. Put it "
                    "back, or delete the line to have it asked again; --no-resume asks everything again"
                )
            good = offset + len(data)
            if drop_failed and state.status == "failed":
                continue
            # A failed line may be mended in the file; an answered line must keep its question.
            if not index.add_done(state.line, None if state.status == "failed" else state.question):
                raise BatchError(f"{self.path} has two records for line {state.line}; mend it, or use --no-resume")
            if state.status != "failed" and not state.copied and state.question is not None:
                index.add_answer(state.question, offset, len(data))
            on_found(state)
        if broken == 1 and good == 0 and self._size > 0 and number > 1:
            raise BatchError(f"{self.path} is no output of a batch; name another --output, or use --no-resume")
        return good

    def _rewrite(self, index: Index) -> None:
        """Replace the output with a copy without failed records."""
        aside = beside(self.path, ".new")
        with os.fdopen(open_private(aside, os.O_WRONLY | os.O_TRUNC), "wb") as copy:
            for _, data in _lines(self._file):
                state = state_of(data)
                if state is not None and state.status != "failed":
                    if not state.copied and state.question is not None:
                        index.move_answer(state.question, copy.tell())
                    copy.write(data)
            copy.flush()
            os.fsync(copy.fileno())
        aside.replace(self.path)
        sync_folder(self.path.parent)
        os.close(self._file)
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        self._size = os.fstat(self._file).st_size

    def _cut(self, size: int) -> None:
        if size < self._size:
            os.ftruncate(self._file, size)
            os.fsync(self._file)
        self._size = size

    def _unwritable(self, error: OSError) -> BatchError:
        return BatchError(
            f"{error.filename or self.path} can't be written ({error.strerror or error}); check the disk and whose the"
            " folder is, then give the same command again: it goes on where it stopped"
        )


def beside(path: Path, suffix: str) -> Path:
    """Return the path of a file that belongs to an output.

    >>> beside(Path("out.jsonl"), ".lock").name
    'out.jsonl.lock'
    """
    return path.with_name(path.name + suffix)


def real_path(output: Path) -> Path:
    """Return the real path of an output; `BatchError` if a link in its path leads to itself."""
    try:
        return output.expanduser().resolve()
    except (OSError, RuntimeError) as error:  # the latter for a loop, before Python 3.13
        raise BatchError(
            f"{output} can't be followed ({error}): a link leads to itself; name another --output"
        ) from error


def manifest_of(output: Path) -> Path:
    """Return the path of an output's manifest."""
    return beside(output, ".manifest.json")


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder survive a power cut, if the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(file: int, data: bytes) -> None:
    """Write all data, in several pieces if the system accepts only a part."""
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _lines(file: int) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its end, and its offset; the last line may have no end."""
    with os.fdopen(os.dup(file), "rb", _PIECE) as lines:
        lines.seek(0)
        offset = 0
        for data in lines:
            yield offset, data
            offset += len(data)
