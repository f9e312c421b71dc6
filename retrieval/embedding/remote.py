"""Embeddings from an OpenAI-compatible endpoint: OpenAI or a compatible server.

The answer is validated: one vector for each text, in the order of the indexes, all finite and of one length; they are
normalized here, since not every server does it. Texts are sent only to that host.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from retrieval.embedding.retrying import ATTEMPTS, Sleep, retrying
from retrieval.errors import EmbeddingError
from retrieval.keys import cleaned, sendable, shown

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAIError

Vectors = NDArray[np.float32]

PREFIX = "openai:"
OPENAI = "https://api.openai.com/v1"
BATCH_SIZE = 100
"""The texts in one request; OpenAI takes 300,000 tokens, so each may have 3,000."""
TIMEOUT = 60.0
"""The most seconds for one answer."""


class OpenAIEmbedder:
    """A model behind an OpenAI-compatible endpoint; nothing is imported or sent before it is used.

    `dimensions` asks for shorter vectors, if the model supports them. Close it after use.

    >>> OpenAIEmbedder("text-embedding-3-small").name
    'openai:text-embedding-3-small'
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        batch_size: int = BATCH_SIZE,
        timeout: float = TIMEOUT,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._model = model.removeprefix(PREFIX)
        self.name = PREFIX + self._model
        self._base_url, self._api_key = base_url or OPENAI, api_key
        self._asked = dimensions
        self._dimension = dimensions
        self._batch_size, self._timeout, self._sleep = batch_size, timeout, sleep
        self._client: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        self._closed = False

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` until the first ones arrive, unless requested."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension); `EmbeddingError` if the endpoint fails."""
        starts = range(0, len(texts), self._batch_size)
        parts = [await self._embedded(list(texts[start : start + self._batch_size])) for start in starts]
        return np.concatenate(parts) if parts else np.zeros((0, self._dimension or 0), dtype=np.float32)

    async def close(self) -> None:
        """Close the connections; closing twice is no error."""
        self._closed = True
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _embedded(self, texts: list[str]) -> Vectors:
        body = await self._answer(await self._opened(), texts)
        try:
            vectors = await asyncio.to_thread(_vectors, body, len(texts))
        except ValueError as error:
            raise EmbeddingError(f"{self._description()} gave an answer that can't be used: {error}") from error
        if self._dimension is not None and vectors.shape[1] != self._dimension:
            raise EmbeddingError(
                f"{self._description()} gave vectors of {vectors.shape[1]} numbers, not of {self._dimension}"
            )
        self._dimension = vectors.shape[1]
        return vectors

    async def _answer(self, client: AsyncOpenAI, texts: list[str]) -> bytes:
        from openai import OpenAIError, omit

        async def send() -> bytes:
            raw = await client.embeddings.with_raw_response.create(
                model=self._model, input=texts, dimensions=self._asked or omit
            )
            return raw.content

        try:
            return await retrying(self._sleep)(send)
        except OpenAIError as error:
            message = f"{self._description()} {self._complaint(error)}"
            if self._api_key and self._api_key.strip() in f"{error} {error.__cause__}":
                raise EmbeddingError(message) from None  # the log would show the original
            raise EmbeddingError(message) from error

    async def _opened(self) -> AsyncOpenAI:
        async with self._opening:
            if self._closed:
                raise EmbeddingError(f"{self._description()} was closed")
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    def _connect(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        if self._base_url == OPENAI and not self._api_key:
            raise EmbeddingError(f"{self._description()} needs a key; set OPENAI_API_KEY")
        try:
            # Without a key the client would look for one in the environment, so a placeholder is passed.
            key = sendable(self._api_key or "none")
            _ = urlsplit(self._base_url).port
        except ValueError as error:
            raise EmbeddingError(
                f"{self._description()} can't be asked: {error}; check its key and its address"
            ) from None
        session = DefaultAsyncHttpxClient(follow_redirects=False, timeout=self._timeout)
        return AsyncOpenAI(
            api_key=key, base_url=self._base_url, max_retries=0, timeout=self._timeout, http_client=session
        )

    def _description(self) -> str:
        return f"the embedding model {self.name!r} at {shown(self._base_url)}"

    def _complaint(self, error: OpenAIError) -> str:
        from openai import APIStatusError, APITimeoutError

        if isinstance(error, APITimeoutError):
            return f"said nothing for {self._timeout:g} s, {ATTEMPTS} times (timed out); is the endpoint busy or down?"
        if not isinstance(error, APIStatusError):
            said = cleaned(f"{error} {error.__cause__ or ''}", self._api_key, self._base_url)
            return f"can't be reached ({said}); check the address, OPENAI_BASE_URL or VERSUS_EMBEDDING_BASE_URL"
        said = f"(HTTP {error.status_code}: {cleaned(error.message, self._api_key, self._base_url)[:300]})"
        if error.code == "insufficient_quota":
            return f"has no quota left {said}; raise it, or take another model with VERSUS_EMBEDDING_MODEL"
        return _ADVICE.get(error.status_code, "failed {}; try again later").format(said)


_KEY = "does not take the key {}; set OPENAI_API_KEY, or VERSUS_EMBEDDING_API_KEY for an endpoint of its own"
_MOVED = "has moved {}; set OPENAI_BASE_URL or VERSUS_EMBEDDING_BASE_URL to its new address"
_ADVICE = {
    **dict.fromkeys((401, 403), _KEY),
    **dict.fromkeys((301, 302, 303, 307, 308), _MOVED),
    400: "refuses these texts {}",
    404: "is not there {}; check VERSUS_EMBEDDING_MODEL and the address, which often ends with /v1",
    429: "has too much to do {}; try again later",
}


class _Row(BaseModel):
    index: int | None = None
    embedding: list[float] | str


class _Answer(BaseModel):
    data: list[_Row]


def _vectors(body: bytes, count: int) -> Vectors:
    """Return the unit vectors of an answer to `count` texts; `ValueError` says what is wrong with it."""
    try:
        rows = _Answer.model_validate_json(body).data
    except ValidationError:
        raise ValueError("it is none of an OpenAI-compatible endpoint; check the address") from None
    places = [place if row.index is None else row.index for place, row in enumerate(rows)]
    if sorted(places) != list(range(count)):
        raise ValueError(f"{len(rows)} vectors for {count} texts, or not one for each")
    vectors = np.stack([_numbers(rows[row].embedding) for row in np.argsort(places)])
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        raise ValueError("it has numbers that are not finite")
    if not lengths.all():
        raise ValueError("it has a vector of length 0")
    return np.asarray(vectors / lengths, dtype=np.float32)


def _numbers(embedding: list[float] | str) -> NDArray[np.float64]:
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float64)
    return np.asarray(embedding, dtype=np.float64)
