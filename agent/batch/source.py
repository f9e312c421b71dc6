"""The source of a batch's questions: a file, or a stream such as standard input, read piece by piece.

A file may be read more than once: to count its lines, and in any order.
"""

from __future__ import annotations

import os
import select
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from stat import S_ISREG

from agent.batch.errors import BatchError
from agent.batch.lines import Joined, Line, Lines
from agent.batch.questions import Columns, Item, Parse, columns_of, item_of, parse_json, parse_text
from agent.errors import QuestionError

_PIECE = 1 << 16
BOM = b"\xef\xbb\xbf"
_LOOK = 0.2
"""Seconds between two checks whether to go on waiting for a stream."""
_LONGEST = 1_000_000
_BYTES = 12
"""Most bytes of a character that JSON has escaped."""
Stop = Callable[[], bool]
"""Returns True to stop reading."""
FORMATS = {".txt": "text", ".jsonl": "json", ".ndjson": "json", ".csv": "csv"}


@dataclass(frozen=True, slots=True)
class Source:
    """The questions at `place`; `-` is standard input. `QuestionError` for an unknown kind of file.

    `.txt` has one question per line, `.jsonl` one object per line, `.csv` a column `question`. A stream is JSON if its
    first byte is `{`, else text. `most_chars` is the longest question.
    """

    place: str
    most_chars: int

    @property
    def is_stream(self) -> bool:
        """True if it can be read only once."""
        return self.place == "-" or not S_ISREG(self._status().st_mode)

    @property
    def format(self) -> str:
        """`text`, `json` or `csv`; `stream` for a stream."""
        if self.is_stream:
            return "stream"
        suffix = Path(self.place).suffix.lower()
        if suffix not in FORMATS:
            known = ", ".join(FORMATS)
            raise QuestionError(f"{self.place} is none of {known}; rename it, or give it as standard input with -")
        return FORMATS[suffix]

    def is_at(self, path: Path) -> bool:
        """Return True if the questions are in this very file."""
        return not self.is_stream and path.exists() and path.samefile(self.place)

    def items(self, stop: Stop) -> Iterator[list[Item]]:
        """Yield every question in order, in lists as they are read; end early when `stop` returns True."""
        with self._opened() as file:
            piece = _next_piece(file, stop)
            form = self._form(piece)
            records = form.records(self._longest)
            while piece:
                yield form.items(records.feed(piece), self.most_chars)
                piece = _next_piece(file, stop)
            if not stop():
                yield form.items(records.end(), self.most_chars)

    def survey(self, stop: Stop) -> array[int]:
        """Return offset and number of each line that is not blank, in alternation; 16 bytes per line."""
        places = array("Q")
        with self._opened() as file:
            piece = _next_piece(file, stop)
            form = self._form(piece)
            records = form.records(self._longest)
            while piece:
                form.note(places, records.feed(piece))
                piece = _next_piece(file, stop)
            form.note(places, records.end())
        return places

    def shuffled(self, stop: Stop, seed: int) -> Iterator[list[Item]]:
        """Yield every question of a file once, in an order that the seed determines."""
        places = self.survey(stop)
        order = array("Q", range(len(places) // 2))
        Random(seed).shuffle(order)
        with self._opened() as file:
            form = self._form(os.pread(file, _PIECE, 0))
            for at in order:
                if stop():
                    return
                line = self._line_at(file, form, places[2 * at], places[2 * at + 1])
                yield form.items([line], self.most_chars)

    def _line_at(self, file: int, form: Form, offset: int, number: int) -> Line:
        records, at = form.records(self._longest, number, offset), offset
        while piece := os.pread(file, 4096, at):
            at += len(piece)
            if found := records.feed(piece):
                return found[0]
        return records.end()[0]

    def _form(self, beginning: bytes) -> Form:
        """Return the format of this file: a stream shows it by its first byte, CSV by its first line."""
        beginning = beginning.removeprefix(BOM)
        if self.format == "csv":
            columns = columns_of(beginning.partition(b"\n")[0].rstrip(b"\r"), self.place)
            return Form(columns.parse, columns)
        as_json = self.format == "json" or (self.is_stream and beginning[:1] == b"{")
        return Form(parse_json if as_json else parse_text)

    @property
    def _longest(self) -> int:
        """The most bytes of a line."""
        return max(_LONGEST, _BYTES * self.most_chars)

    def _status(self) -> os.stat_result:
        try:
            return Path(self.place).stat()
        except OSError as error:
            raise QuestionError(f"{self.place} can't be read ({error.strerror or error}); check its name") from error

    @contextmanager
    def _opened(self) -> Iterator[int]:
        if self.place == "-":
            yield 0
            return
        try:
            file = os.open(self.place, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise QuestionError(f"{self.place} can't be read ({error.strerror or error}); check whose it is") from error
        try:
            yield file
        finally:
            os.close(file)


@dataclass(frozen=True, slots=True)
class Form:
    """Turns lines into questions; with `columns`, lines are records of CSV, and the first one is the header."""

    parse: Parse
    columns: Columns | None = None

    def records(self, longest: int, number: int = 1, offset: int = 0) -> Records:
        """Return the splitter for pieces that begin at this line."""
        return Records(Lines(longest, number, offset), Joined(self.columns.fits) if self.columns else None)

    def items(self, lines: Iterable[Line], most_chars: int) -> list[Item]:
        """Return the questions of these lines."""
        found = (item_of(_without_mark(line), self.parse, most_chars) for line in lines if not self._is_header(line))
        return [item for item in found if item is not None]

    def note(self, places: array[int], lines: Iterable[Line]) -> None:
        """Append offset and number of each of these lines that is neither blank nor the header."""
        for line in lines:
            if not self._is_header(line) and (line.data is None or line.data.strip()):
                places.extend((line.offset, line.number))

    def _is_header(self, line: Line) -> bool:
        return self.columns is not None and line.number == 1


@dataclass(frozen=True, slots=True)
class Records:
    """Splits pieces into lines, or into records of CSV."""

    lines: Lines
    joined: Joined | None

    def feed(self, piece: bytes) -> list[Line]:
        """Return the lines that end in this piece."""
        lines = self.lines.feed(piece)
        return self.joined.feed(lines) if self.joined else lines

    def end(self) -> list[Line]:
        """Return the remaining lines."""
        lines = self.lines.end()
        return [*self.joined.feed(lines), *self.joined.end()] if self.joined else lines


def _without_mark(line: Line) -> Line:
    if line.number == 1 and line.data and line.data.startswith(BOM):
        return Line(1, 0, line.data[len(BOM) :])
    return line


def _next_piece(file: int, stop: Stop) -> bytes:
    """Read what is available; return nothing at the end, or when `stop` returns True. Poll while a stream is silent."""
    while not stop():
        # Windows has no select for files; there a read waits until the stream has data.
        if sys.platform == "win32" or select.select([file], [], [], _LOOK)[0]:
            try:
                return os.read(file, _PIECE)
            except OSError as error:
                raise BatchError(f"the questions can't be read on ({error.strerror or error})") from error
    return b""
