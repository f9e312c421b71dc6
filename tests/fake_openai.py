"""An OpenAI-compatible server on loopback that does what it is told, request by request, and remembers what was asked.

What no script covers is answered well: an embedding counts words, so that it means something.
"""

from __future__ import annotations

import base64
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tests.loopback import Answer, Loopback, Reply, Request, loopback

DIMENSION = 16


class FakeOpenAI:
    """The server's side: `then` says how the next requests are answered, `requests` are those that came."""

    def __init__(self) -> None:
        self._script: deque[Answer] = deque()
        self._server: Loopback | None = None

    @property
    def base_url(self) -> str:
        """What an `OPENAI_BASE_URL` would be."""
        assert self._server is not None
        return f"{self._server.url}/v1"

    @property
    def requests(self) -> list[Request]:
        """Every request so far, oldest first."""
        assert self._server is not None
        return self._server.requests

    def then(self, *answers: Answer | Reply) -> None:
        """Answer the next requests like this, one each; after them all is well again."""
        self._script += [answer if callable(answer) else _always(answer) for answer in answers]

    def answer(self, request: Request) -> Reply:
        """Follow the script, or answer as the path wants it."""
        if self._script:
            return self._script.popleft()(request)
        if request.path == "/v1/embeddings":
            return embeddings(request)
        return failure(404, f"no {request.path} here")

    @contextmanager
    def running(self) -> Iterator[FakeOpenAI]:
        """Listen on a loopback port until the block ends."""
        with loopback(self.answer) as self._server:
            yield self


def failure(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI writes it; `retry_after="2"` becomes a header."""
    error = {"message": message, "type": "error", "param": None, "code": code}
    return Reply({"error": error}, status, {name.replace("_", "-"): value for name, value in headers.items()})


def embeddings(request: Request) -> Reply:
    """A vector for each text, in the encoding that was asked for, and in a surprising order."""
    asked = request.json()
    size = asked.get("dimensions", DIMENSION)
    vectors = [vector_of(text, size) for text in asked["input"]]
    return embedded(vectors, asked.get("encoding_format", "float"))


def embedded(vectors: Sequence[Sequence[float]], encoding: str = "float") -> Reply:
    """The answer that carries these vectors, last one first."""
    rows = [
        {"object": "embedding", "index": index, "embedding": _encoded(vector, encoding)}
        for index, vector in reversed(list(enumerate(vectors)))
    ]
    return Reply({"object": "list", "data": rows, "model": "fake", "usage": {"prompt_tokens": 1, "total_tokens": 1}})


def vector_of(text: str, size: int = DIMENSION) -> list[float]:
    """What the server thinks of a text: how often each word comes in it, not of unit length."""
    vector = np.full(size, 0.1)
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % size] += 1
    return [float(number) for number in vector]


def _encoded(vector: Sequence[float], encoding: str) -> Any:
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode() if encoding == "base64" else vector


def _always(reply: Reply) -> Answer:
    return lambda request: reply
