"""An OpenAI-compatible server on loopback that does what it is told, request by request, and remembers what was asked.

What no script covers is answered well: an embedding counts words, so that it means something; a chat is answered by
`respond`. Chat requests are held against the published schema, and what is wrong with them is kept in `complaints`.
"""

from __future__ import annotations

import base64
import random
import threading
import zlib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from tests.chat_schema import complaint_about
from tests.fake_chat import FAULTS, Respond, completion, echo, failure
from tests.fault_kinds import KINDS
from tests.loopback import Answer, Loopback, Reply, Request, loopback

__all__ = ["DIMENSION", "FAULTS", "FakeOpenAI", "embedded", "embeddings", "failure", "vector_of"]

DIMENSION = 16
CHAT = "/v1/chat/completions"


class FakeOpenAI:
    """The server's side: `then` says how the next requests are answered, `requests` are those that came.

    `respond` is given each chat request as a dict and says the answer; tell what a call is for by its messages.
    `faults` are shares of chat requests that go wrong, by their names in `FAULTS`, drawn with `seed`. `latency` is how
    many seconds each answer takes; `usage` is whether tokens are reported.
    """

    def __init__(
        self,
        respond: Respond = echo,
        *,
        faults: Mapping[str, float] | None = None,
        seed: int = 0,
        latency: float = 0.0,
        usage: bool = True,
    ) -> None:
        self.respond = respond
        self.complaints: list[str] = []
        self._faults, self._random = faults or {}, random.Random(seed)
        self._latency, self._usage = latency, usage
        self._script: deque[Answer | str] = deque()
        self._turn = threading.Lock()
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

    @property
    def connections(self) -> int:
        """How many connections are open now."""
        assert self._server is not None
        return self._server.connections

    @property
    def accepted(self) -> int:
        """How many connections there have been."""
        assert self._server is not None
        return self._server.accepted

    def then(self, *answers: Answer | Reply | str) -> None:
        """Answer the next requests like this, one each, or with a fault of this name; after them all is well again."""
        self._script += [_always(answer) if isinstance(answer, Reply) else answer for answer in answers]

    def answer(self, request: Request) -> Reply:
        """Follow the script, or answer as the path wants it."""
        wrong = complaint_about(request.body) if request.path == CHAT else None
        if wrong is not None:
            self.complaints.append(wrong)
            return failure(400, wrong)
        following = self._following(request)
        if callable(following):
            return following(request)
        if request.path == CHAT:
            return self._chat(request.json(), following)
        if request.path == "/v1/embeddings":
            return embeddings(request)
        return failure(404, f"no {request.path} here")

    def _following(self, request: Request) -> Answer | str | None:
        """What the script or chance has for this request."""
        with self._turn:
            if self._script:
                return self._script.popleft()
            if request.path != CHAT or not self._faults:
                return None
            names = [*self._faults, None]
            shares = [*self._faults.values(), 1 - sum(self._faults.values())]
            return self._random.choices(names, shares)[0]

    def _chat(self, chat: dict[str, Any], fault: str | None) -> Reply:
        try:
            said = self.respond(chat)
        except Exception as error:  # noqa: BLE001 - what breaks in a test's own hook is for the test to see
            self.complaints.append(f"respond failed: {error!r}")
            return failure(400, "respond failed")
        good = completion(chat, said, usage=self._usage)
        return replace(KINDS[fault](good) if fault else good, delay=self._latency)

    @contextmanager
    def running(self) -> Iterator[FakeOpenAI]:
        """Listen on a loopback port until the block ends."""
        with loopback(self.answer) as self._server:
            yield self


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
