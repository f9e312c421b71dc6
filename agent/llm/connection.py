"""The connections to one endpoint in one event loop: opened at the first call, in a thread, for the import takes long.

No redirect is followed, or the key and the question would go wherever a server says.
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
"""How many requests a client has at once, and how many clients there are; beyond both, clients take more."""


@dataclass(slots=True)
class _Client:
    """A client of the library, and how many requests it has under way."""

    library: AsyncOpenAI
    requests: int = 0


class Connection:
    """Lends an `AsyncOpenAI` for each request; `timeout` is in seconds, for each wait on the network.

    For each request that begins or ends, the pool of a client asks every connection whether it is still there. With 200
    requests at once on one client that took more of the processor than all else that was done for a question. So a
    client has few requests at once, and there are more clients when there are more.
    """

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint, self._timeout = endpoint, timeout
        self._opening = asyncio.Lock()
        self._clients: list[_Client] = []

    @asynccontextmanager
    async def client(self) -> AsyncIterator[AsyncOpenAI]:
        """A client for one request; `LLMRefused` when there can be none with this key and address."""
        await self.opened()
        lent = self._free()
        lent.requests += 1
        try:
            yield lent.library
        finally:
            lent.requests -= 1

    async def opened(self) -> None:
        """Import the library and open the first client, if that was not done; raises as `client` does."""
        async with self._opening:
            if not self._clients:
                self._clients.append(_Client(await asyncio.to_thread(self._connect)))

    async def close(self) -> None:
        """Close what is open."""
        clients, self._clients = self._clients, []
        for client in clients:
            await client.library.close()

    def _free(self) -> _Client:
        """The first client that can take a request, so that the connections of the first ones are used again."""
        for client in self._clients:
            if client.requests < AT_ONCE:
                return client
        if len(self._clients) == MOST_CLIENTS:
            return min(self._clients, key=lambda client: client.requests)
        self._clients.append(_Client(self._connect()))
        return self._clients[-1]

    @cached_property
    def _certificates(self) -> SSLContext:
        """What servers are believed by; to read it takes longer than all else that a client needs."""
        context: SSLContext = importlib.import_module(_http_library()).create_ssl_context()
        return context

    def _connect(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        key, base_url = self._endpoint.api_key, self._endpoint.base_url
        if base_url == OPENAI and not key:
            raise LLMRefused(f"{self._endpoint} needs a key; set OPENAI_API_KEY, or go on without it: --planner rules")
        try:
            # A server that wants no key still gets one, or the client would look for another in the environment.
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
    """Return what the HTTP library beneath `openai` raises, which version 3 changed from httpx to httpx2.

    `openai` translates it nearly everywhere, not where it reads the body of an error while streaming.
    """
    error: type[Exception] = importlib.import_module(_http_library()).RequestError
    return error


def _http_library() -> str:
    from openai import DefaultAsyncHttpxClient

    return DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]
