"""Read files in a separate process with limits of time and memory: large ones, those that can hide a bomb, and all that
third-party readers read.

One process reads one file after the other. If a file crashes or blocks it, that file fails with a message, and a new
process reads the next one. The result is JSON; nothing in it is executed.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import orjson

from retrieval.errors import BrokenPlugin, MissingExtra, SourceError
from retrieval.readers.documents.document import READERS, Document, Paragraph, Placed, Reader, Records, Section
from retrieval.readers.documents.pages import Pages
from retrieval.readers.read_before import DocumentCache
from retrieval.stores.metadata import boxes_from_json, decode, encode, table_from_json

_PROGRAM = (
    "import os, sys; sys.path[:] = sys.argv[2:]; answers = os.fdopen(os.dup(1), 'wb'); os.dup2(2, 1); "
    "from retrieval.readers.cage import serve; serve(sys.stdin.buffer, answers, int(sys.argv[1]))"
)
_RAISED = {"MissingExtra": MissingExtra}
_PAGE = b"page "
"""The prefix of a line that reports how many pages are read."""
OnPage = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits on reading one file: seconds without progress such as a page read, bytes of memory, bytes of the file, and
    bytes of the result.

    A plug-in that needs more memory, for example for a model, sets the bytes as the attribute `memory` of its function.
    """

    seconds: float = 600.0
    memory: int = 4_000_000_000
    size: int = 500_000_000
    answer: int = 300_000_000


class ReaderProcess:
    """Reads files in another process, which starts with the first file and ends when the object is closed.

    with ReaderProcess() as process:
        document = process.read("pdf", Path("book.pdf"))
    """

    def __init__(self, limits: ReadLimits | None = None, before: DocumentCache | None = None) -> None:
        self._limits, self._before = limits or ReadLimits(), before
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def read(self, suffix: str, path: Path, on_page: OnPage | None = None) -> Document | Records:
        """Read a file by the reader of a suffix; `SourceError` says what is wrong or which limit was exceeded.

        `on_page` is called with the number of pages read and the total.
        """
        size = path.stat().st_size
        if size > self._limits.size:
            raise SourceError(f"{size:,} bytes; {self._limits.size:,} are the most", str(path))
        is_ours = READERS.is_built_in(suffix)
        if not size and is_ours:
            raise SourceError("an empty file", str(path))
        before = self._before if is_ours else None
        known = before.get(suffix, path) if before else None
        line = known or self._ask(suffix, path, on_page or _no_progress)
        answer: dict[str, Any] = orjson.loads(line)
        if "error" in answer:
            raise _RAISED.get(answer["kind"], SourceError)(answer["error"], answer["place"] or str(path))
        if before and known is None:
            before.keep(suffix, path, line)
        return _records_from(answer) if "records" in answer else document_from(answer)

    def _ask(self, suffix: str, path: Path, on_page: OnPage) -> bytes:
        """Return the line with the answer; lines before it report pages."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        is_late = False
        try:
            process.stdin.write(orjson.dumps([suffix, str(path)]) + b"\n")
            process.stdin.flush()
            while True:
                line, is_late = self._line(process)
                if not line.startswith(_PAGE):
                    break
                on_page(*orjson.loads(line.removeprefix(_PAGE)))
        except BrokenPipeError:
            line = b""
        if line.endswith(b"\n"):
            return line
        self._end()
        if len(line) > self._limits.answer:
            raise SourceError(f"what it says takes more than {self._limits.answer:,} bytes; part it", str(path))
        if is_late:
            raise SourceError(f"reading it took more than {self._limits.seconds:,.0f} s, and was stopped", str(path))
        raise SourceError("reading it ended the process that read it; the file is damaged, or far too large", str(path))

    def _line(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bool]:
        """Return the next line, and whether the process timed out and was killed."""
        assert process.stdout is not None
        timer = threading.Timer(self._limits.seconds, process.kill)
        timer.start()
        try:
            return process.stdout.readline(self._limits.answer + 1), not timer.is_alive()
        finally:
            timer.cancel()

    def _started(self) -> subprocess.Popen[bytes]:
        arguments = [sys.executable, "-c", _PROGRAM, str(self._limits.memory), *sys.path]
        return subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def _end(self) -> None:
        if self._process is None:
            return
        process, self._process = self._process, None
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def serve(requests: BinaryIO, answers: BinaryIO, memory: int) -> None:
    """Read the requested files, line by line: the main loop of the other process."""

    def tell(done: int, total: int) -> None:
        answers.write(_PAGE + orjson.dumps([done, total]) + b"\n")
        answers.flush()

    _limit_memory(memory)
    for line in requests:
        suffix, path = orjson.loads(line)
        try:
            with READERS.telling(suffix):
                answer = _read(suffix, Path(path), memory, tell)
        except SourceError as error:
            answer = orjson.dumps({"error": error.message, "kind": type(error).__name__, "place": error.place})
        except BrokenPlugin as error:
            answer = orjson.dumps({"error": str(error), "kind": "SourceError", "place": ""})
        answers.write(answer + b"\n")
        answers.flush()


def _read(suffix: str, path: Path, memory: int, tell: OnPage) -> bytes:
    """Return what a reader makes of a file, as JSON."""
    from retrieval.readers.pdf.reader import read_pdf

    reader: Reader = partial(read_pdf, on_page=tell) if suffix == "pdf" else READERS.get(suffix)
    most = getattr(reader, "memory", memory)
    _limit_memory(most)
    try:
        found = reader(path)
        if isinstance(found, Records):
            return orjson.dumps(_records_to_json(found))
        if isinstance(found, Document):
            return orjson.dumps(found)
    except MemoryError as error:
        raise SourceError(f"reading it takes more than {most:,} bytes", str(path)) from error
    raise TypeError(f"it returned {type(found).__name__} where a Document or Records is wanted")


def _limit_memory(memory: int) -> None:
    if sys.platform != "win32":
        import resource

        with suppress(OSError, ValueError):  # some systems do not support this limit
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (memory, most))


def _no_progress(done: int, total: int) -> None:
    pass


def _records_to_json(records: Records) -> dict[str, Any]:
    chunks = [[place, chunk.id, chunk.text, encode(chunk)] for place, chunk in records.chunks]
    return {"records": chunks, "warnings": records.warnings}


def _records_from(data: dict[str, Any]) -> Records:
    chunks, warnings = [], list(data["warnings"])
    for place, id_, text, flat in data["records"]:
        chunk, odd = decode(id_, text, flat)
        chunks.append((place, chunk))
        warnings += [f"{place}: {each}" for each in odd]
    return Records(tuple(chunks), tuple(warnings))


def document_from(data: dict[str, Any]) -> Document:
    """Return the document that JSON data describes."""
    sections = tuple(_section(section) for section in data["sections"])
    odd = tuple((int(line), str(message)) for line, message in data["odd"])
    return Document(sections, odd, tuple((int(page), str(label)) for page, label in data["page_labels"]))


def _section(data: dict[str, Any]) -> Section:
    return Section(tuple(data["headings"]), data["line"], [_block(block) for block in data["blocks"]])


def _block(data: dict[str, Any]) -> Paragraph | Placed:
    pages = Pages(data["pages"]["first"], tuple((amount, page) for amount, page in data["pages"]["later"]))
    if "table" in data:
        return Placed(table_from_json(data["table"]), data["line"], pages)
    parts = tuple((name, _pairs(pairs)) for name, pairs in data["parts"])
    members = data["members"] and table_from_json(data["members"])
    pairs, boxes = _pairs(data["pairs"]), boxes_from_json(data["boxes"])
    return Paragraph(data["text"], data["line"], pages, pairs, boxes, parts, members)


def _pairs(data: Iterable[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label, value) for label, value in data)
