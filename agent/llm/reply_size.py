"""A size limit on replies, enforced while they are read: a small compressed reply can't fill the memory.

The HTTP library decompresses whatever arrives, whatever its size. Here a body is decompressed in pieces of a fixed
size, and reading ends at the limit; whole replies, streams and the bodies of errors are all limited.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

from agent.llm.responses import AttemptExhausted, InvalidReply

LARGEST = 4 * 2**20
"""Most bytes of a reply, decompressed."""
ENCODING = "gzip"
"""The compression that a server may use: this module can decompress it piece by piece."""
_PIECE = 2**16
_GZIP = 16 + zlib.MAX_WBITS


class TooLarge(AttemptExhausted):
    """A reply larger than any answer."""


def limiting(library: str) -> Any:
    """Return a response hook for the async clients of an HTTP library, `httpx` or its successor.

    The hook gives the response a decompressed body that raises `TooLarge` beyond `LARGEST`.
    """
    byte_stream = importlib.import_module(library).AsyncByteStream

    class LimitedStream(byte_stream):  # type: ignore[misc, valid-type]  # the library is known at run time only
        def __init__(self, stream: Any, encoding: str) -> None:
            self._stream, self._encoding = stream, encoding

        def __aiter__(self) -> AsyncIterator[bytes]:
            return _limited(self._stream, self._encoding)

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def limit(response: Any) -> None:
        encoding = response.headers.pop("content-encoding", "").strip().lower()
        response.stream = LimitedStream(response.stream, encoding)

    return limit


async def _limited(pieces: AsyncIterator[bytes], encoding: str) -> AsyncIterator[bytes]:
    if encoding not in ("", "identity", ENCODING):
        raise InvalidReply(f"sent its answer as {encoding[:20]!r}, which was not asked for")
    unpacker = zlib.decompressobj(_GZIP) if encoding == ENCODING else None
    size = 0
    async for packed in pieces:
        for piece in [packed] if unpacker is None else _unpacked(packed, unpacker):
            size += len(piece)
            if size > LARGEST:
                raise TooLarge(f"sent more than {LARGEST // 2**20} MB")
            yield piece


def _unpacked(packed: bytes, unpacker: Any) -> Iterator[bytes]:
    """Yield the decompressed content, in pieces of a bounded size.

    >>> b"".join(_unpacked(zlib.compress(b"orc" * 9, wbits=31), zlib.decompressobj(_GZIP)))
    b'orcorcorcorcorcorcorcorcorc'
    """
    try:
        while packed:
            yield unpacker.decompress(packed, _PIECE)
            packed = unpacker.unconsumed_tail
    except zlib.error as error:
        raise InvalidReply(f"sent an answer that can't be unpacked ({error})") from None
