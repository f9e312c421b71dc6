"""Lines of bytes from pieces as they arrive, none longer than a limit: the sender can't exhaust the memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end, or a record of several lines; `data` is None if it was too long to keep.

    `number` is the number of its first line, from 1, and `offset` where that line begins, in bytes.
    """

    number: int
    offset: int
    data: bytes | None


class Lines:
    r"""Splits pieces of bytes at line feeds.

    >>> lines = Lines(5)
    >>> [line.data for line in (*lines.feed(b"on"), *lines.feed(b"e\n\nmuch too long\ntwo"), *lines.end())]
    [b'one', b'', None, b'two']
    """

    def __init__(self, longest: int, number: int = 1, offset: int = 0) -> None:
        self._longest, self._number, self._offset = longest, number, offset
        self._held, self._size = bytearray(), 0

    def feed(self, piece: bytes) -> list[Line]:
        """Return the lines that end in this piece."""
        *ended, rest = piece.split(b"\n")
        lines = [self._line(part) for part in ended]
        self._hold(rest)
        return lines

    def end(self) -> list[Line]:
        """Return the last line, if it has no end."""
        return [self._line(b"")] if self._size else []

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._longest:
            self._held += part
        else:
            self._held.clear()

    def _line(self, part: bytes) -> Line:
        self._hold(part)
        data = bytes(self._held) if self._size <= self._longest else None
        line = Line(self._number, self._offset, data)
        self._number += 1
        self._offset += self._size + 1
        self._held.clear()
        self._size = 0
        return line


class Joined:
    r"""Joins lines of CSV whose quoted field continues on the next line; a quote without an end costs only its line.

    `fits` returns whether joined lines are a whole record; if `most` lines are not, the first line stands alone.

    >>> joined, lines = Joined(lambda data: True), Lines(99)
    >>> [line.data for line in joined.feed(lines.feed(b'1,"a\nb"\n2,c\n'))]
    [b'1,"a\nb"', b'2,c']
    """

    def __init__(self, fits: Callable[[bytes], bool], most: int = 200) -> None:
        self._fits, self._most = fits, most
        self._waiting: list[Line] = []

    def feed(self, lines: Sequence[Line]) -> list[Line]:
        """Return the records that these lines complete."""
        self._waiting += lines
        return self._complete(final=False)

    def end(self) -> list[Line]:
        """Return the remaining records."""
        return self._complete(final=True)

    def _complete(self, final: bool) -> list[Line]:
        records, at = list[Line](), 0
        while at < len(self._waiting) and (length := self._length(at, final)):
            first = self._waiting[at]
            records.append(Line(first.number, first.offset, first.data if length == 1 else self._data(at, length)))
            at += length
        del self._waiting[:at]
        return records

    def _length(self, at: int, final: bool) -> int:
        """Return the number of lines of the record that begins here; 0 if that is not known yet."""
        quotes = 0
        for length, line in enumerate(self._waiting[at : at + self._most], 1):
            if line.data is None:
                return 1
            quotes += line.data.count(b'"')
            if quotes % 2 == 0:
                return length if length == 1 or self._fits(self._data(at, length)) else 1
        return 1 if final or len(self._waiting) - at >= self._most else 0

    def _data(self, at: int, length: int) -> bytes:
        return b"\n".join(line.data or b"" for line in self._waiting[at : at + length])


def cells(data: bytes, delimiter: str = ",") -> list[str]:
    """Return the fields of one record of CSV; `ValueError` if it is none.

    >>> cells(b'1,"a,b",c')
    ['1', 'a,b', 'c']
    """
    try:
        rows = list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise ValueError(f"is no line of CSV ({error})") from None
    if len(rows) != 1:
        raise ValueError("is no line of CSV")
    return rows[0]
