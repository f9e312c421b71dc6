"""The connections to one endpoint in one event loop: opened at the first call, in a thread, as the import is slow.

Redirects are not followed: a server could otherwise send the key and the question anywhere.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from ssl import SSLContext
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agent.errors import LLMRefused
from agent.llm.errors_map import Endpoint
from agent.llm.reply_size import ENCODING, limiting
from retrieval.keys import sendable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI = "https://api.openai.com/v1"
AT_ONCE, MOST_CLIENTS = 8, 128
"""Requests per client at a time, and the most clients; beyond both, clients get more requests."""


@dataclass(slots=True)
class _Client:
    """A client of the library, and its number of running requests."""

    library: AsyncOpenAI
    requests: int = 0


class Connection:
    """Lends an `AsyncOpenAI` for each request; `timeout` is in seconds, for each wait on the network.

    At the start and end of each request, the pool of a client checks every connection. With 200 concurrent requests on
    one client that took more processor time than everything else for a question. So each client has few concurrent
    requests, and more requests get more clients.
    """

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint, self._timeout = endpoint, timeout
        self._opening = asyncio.Lock()
        self._clients: list[_Client] = []

    @asynccontextmanager
    async def client(self) -> AsyncIterator[AsyncOpenAI]:
        """Lend a client for one request; `LLMRefused` if none can be made with this key and address."""
        await self.opened()
        lent = self._free()
        lent.requests += 1
        try:
            yield lent.library
        finally:
            lent.requests -= 1

    async def opened(self) -> None:
        """Import the library and open the first client, if not yet done; raises as `client` does."""
        async with self._opening:
            if not self._clients:
                self._clients.append(_Client(await asyncio.to_thread(self._connect)))

    async def close(self) -> None:
        """Close all clients."""
        clients, self._clients = self._clients, []
        for client in clients:
            await client.library.close()

    def _free(self) -> _Client:
        """Return the first client with room for a request, so that the connections of the first clients are reused."""
        for client in self._clients:
            if client.requests < AT_ONCE:
                return client
        if len(self._clients) == MOST_CLIENTS:
            return min(self._clients, key=lambda client: client.requests)
        self._clients.append(_Client(self._connect()))
        return self._clients[-1]

    @cached_property
    def _certificates(self) -> SSLContext:
        """The trusted certificates; reading them takes longer than everything else that a client needs."""
        context: SSLContext = importlib.import_module(_http_library()).create_ssl_context()
        return context

    def _connect(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        key, base_url = self._endpoint.api_key, self._endpoint.base_url
        if base_url == OPENAI and not key:
            raise LLMRefused(f"{self._endpoint} needs a key; set OPENAI_API_KEY, or go on without it: --planner rules")
        try:
            # A server that needs no key still gets one: otherwise the client would search the environment for another.
            key = sendable(key or "none")
            _ = urlsplit(base_url).port
        except ValueError as error:
            raise LLMRefused(f"{self._endpoint} can't be asked: {error}; check its key and its address") from None
        session = DefaultAsyncHttpxClient(
            follow_redirects=False,
            timeout=self._timeout,
            headers={"accept-encoding": ENCODING},
            event_hooks={"response": [limiting(_http_library())]},
            verify=self._certificates,
        )
        return AsyncOpenAI(api_key=key, base_url=base_url, max_retries=0, timeout=self._timeout, http_client=session)


def transport_error() -> type[Exception]:
    """Return the exception of the HTTP library below `openai`, which version 3 changed from httpx to httpx2.

    `openai` wraps it nearly everywhere, except while it reads the body of an error in a stream.
    """
    error: type[Exception] = importlib.import_module(_http_library()).RequestError
    return error


def _http_library() -> str:
    from openai import DefaultAsyncHttpxClient

    return DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]
