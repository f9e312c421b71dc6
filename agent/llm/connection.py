"""The client of one endpoint in one event loop: made at the first call, in a thread, as the import is slow.

Its requests go through aiohttp, which `openai` offers beside its own transport: that one checks every connection at the
start and end of each request, and with 200 requests at once this took more processor time than all else for a question.
Redirects are not followed: a server could otherwise send the key and the question anywhere.
"""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from agent.errors import LLMRefused
from agent.llm.errors_map import Endpoint
from agent.llm.reply_size import ENCODING, limiting
from retrieval.keys import sendable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI = "https://api.openai.com/v1"


@dataclass(slots=True)
class Connection:
    """Makes and keeps an `AsyncOpenAI`; `timeout` is in seconds, for each wait on the network."""

    endpoint: Endpoint
    timeout: float
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _client: AsyncOpenAI | None = field(default=None, init=False)

    async def client(self) -> AsyncOpenAI:
        """Return the client; the first call imports the library. `LLMRefused` if key or address can't be used."""
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    async def close(self) -> None:
        """Close the client; closing twice is no error."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _connect(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAioHttpClient

        key, base_url = self.endpoint.api_key, self.endpoint.base_url
        if base_url == OPENAI and not key:
            raise LLMRefused(f"{self.endpoint} needs a key; set OPENAI_API_KEY, or go on without it: --planner rules")
        try:
            # A server that needs no key still gets one: otherwise the client would search the environment for another.
            key = sendable(key or "none")
            base_url, login = _without_login(base_url)
        except ValueError as error:
            raise LLMRefused(f"{self.endpoint} can't be asked: {error}; check its key and its address") from None
        session = DefaultAioHttpClient(
            auth=login,
            follow_redirects=False,
            timeout=self.timeout,
            headers={"accept-encoding": ENCODING},
            event_hooks={"response": [limiting(_http_library())]},
        )
        return AsyncOpenAI(api_key=key, base_url=base_url, max_retries=0, timeout=self.timeout, http_client=session)


def transport_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of the HTTP libraries below `openai`, for what it does not wrap itself.

    That is what happens while a body is read, and an answer of a server that is no HTTP.
    """
    aiohttp: Any = importlib.import_module("aiohttp")
    return (importlib.import_module(_http_library()).RequestError, aiohttp.ClientError)


def _without_login(base_url: str) -> tuple[str, tuple[str, str] | None]:
    """Return an address without the name and password in it, and these two; aiohttp takes no address that has them.

    >>> _without_login("http://ann:s%40fe@host:8000/v1")
    ('http://host:8000/v1', ('ann', 's@fe'))
    """
    parts = urlsplit(base_url)
    _ = parts.port  # raises if it is no number
    if parts.username is None:
        return base_url, None
    login = unquote(parts.username), unquote(parts.password or "")
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl(), login


def _http_library() -> str:
    """Return the library of `openai`'s requests and errors, which version 3 changed from httpx to httpx2."""
    from openai import DefaultAsyncHttpxClient

    return DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]
