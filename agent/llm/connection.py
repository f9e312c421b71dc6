"""The connections of one client in one event loop: opened at the first call, in a thread, for the import takes long.

No redirect is followed, or the key and the question would go wherever a server says.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agent.errors import LLMRefused
from agent.llm.errors_map import Endpoint
from agent.llm.reply_size import ENCODING, limiting
from retrieval.keys import sendable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI = "https://api.openai.com/v1"


class Connection:
    """An `AsyncOpenAI` that is made when it is needed; `timeout` is in seconds, for each wait on the network."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint, self._timeout = endpoint, timeout
        self._opening = asyncio.Lock()
        self._client: AsyncOpenAI | None = None

    async def opened(self) -> AsyncOpenAI:
        """Return the client; `LLMRefused` when there can be none with this key and address."""
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    async def close(self) -> None:
        """Close what is open."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

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
