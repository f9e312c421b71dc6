"""Language models behind an OpenAI-compatible endpoint, by chat completions.

One loop tries again what passes (`retrieval.retrying`); what can't pass costs one request. An attempt has its time as a
whole, so that a server that sends a byte a second can't hold a question for ever. What the server does not understand
is learnt once (`dialect`). Texts and key go to that one host and to no other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent.errors import LLMError
from agent.llm.connection import OPENAI, Connection, transport_error
from agent.llm.dialect import Dialect
from agent.llm.limits import RateLimiter
from agent.llm.per_loop import PerLoop
from agent.llm.prices import PRICES, PriceTable, cost_of, is_local
from agent.llm.protocol import LLMRequest, OnText, Reply
from agent.llm.stream import read_stream
from agent.llm.tokens import prompt_tokens
from agent.llm.trouble import Endpoint
from agent.llm.wire import Draft, OutOfTime, Unusable
from retrieval.retrying import ATTEMPTS, Sleep, passes, retrying

if TYPE_CHECKING:
    from openai import AsyncOpenAI

TIMEOUT = 30.0
"""Seconds that one attempt may take, to the last byte of its answer."""
OnRetry = Callable[[int, str], None]
"""Told before each new attempt which one failed, counted from 1, and why."""


class OpenAILLM:
    """A model behind an OpenAI-compatible endpoint; nothing is imported or sent before it is used.

    `base_url` is OpenAI's own when it is left out; `timeout` is in seconds and for one attempt. Connections belong to
    the event loop of the call: close it in the loop in which it was used last.

    >>> OpenAILLM("gpt-4o-mini", api_key="sk-1")
    OpenAILLM('gpt-4o-mini', 'https://api.openai.com/v1')
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = TIMEOUT,
        attempts: int = ATTEMPTS,
        limiter: RateLimiter | None = None,
        prices: PriceTable = PRICES,
        sleep: Sleep = asyncio.sleep,
        on_retry: OnRetry | None = None,
    ) -> None:
        self._endpoint = Endpoint(model, base_url or OPENAI, api_key)
        self._timeout, self._attempts, self._sleep = timeout, attempts, sleep
        self._limiter, self._on_retry = limiter or RateLimiter(), on_retry
        self._prices = {} if is_local(self._endpoint.base_url) else prices
        self._connection = PerLoop(lambda: Connection(self._endpoint, timeout))
        self._dialect = Dialect()
        self._closed = False

    def __repr__(self) -> str:
        return repr(self._endpoint).replace("Endpoint", "OpenAILLM")

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._endpoint.model

    @property
    def base_url(self) -> str:
        """The address of the endpoint."""
        return self._endpoint.base_url

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer one request; `LLMRefused` when asking again can't help, `LLMError` when no attempt succeeded."""
        await self._client()  # imports openai in a thread, so that the next line costs nothing
        from openai import APIError

        streamed, known = None if on_text is None else _Streamed(on_text), self._dialect
        call = _Call(request, streamed, known, prompt_tokens(request))
        again = retrying(
            self._sleep,
            attempts=self._attempts,
            passing=lambda error: isinstance(error, Unusable) or passes(error),
            give_up_at=request.give_up_at,
            on_retry=self._tell,
        )
        try:
            reply: Reply = await again(self._attempt, call)
        except (APIError, Unusable, OutOfTime) as error:
            failure = self._endpoint.failure(error, call.sent)
        else:
            if call.dialect != known:  # a call that learnt nothing must not undo what others did meanwhile
                self._dialect = call.dialect
            return self._priced(reply)
        raise failure  # out here it has no context, whose texts may hold the key

    async def close(self) -> None:
        """Close the connections; closing twice is no error."""
        self._closed = True
        await self._connection.here().close()

    def _tell(self, attempt: int, error: BaseException) -> None:
        if self._on_retry is not None:
            self._on_retry(attempt, self._endpoint.complaint(error))

    def _priced(self, reply: Reply) -> Reply:
        usage = reply.usage
        cost = cost_of(self.model, usage.prompt_tokens, usage.completion_tokens, self._prices)
        return replace(reply, usage=replace(usage, cost_usd=cost.usd))

    async def _attempt(self, call: _Call) -> Reply:
        from openai import APIError

        try:
            async with _no_later_than(call.request.give_up_at, OutOfTime()):
                return await self._understood(call)
        except (APIError, Unusable, OutOfTime):
            call.void()
            raise

    async def _understood(self, call: _Call) -> Reply:
        """Ask, and when the wording is refused, ask in simpler ones."""
        from openai import APIStatusError

        while True:
            try:
                return await self._asked(call)
            except APIStatusError as error:
                simpler = call.simpler(error.status_code, f"{error.message} {error.param}")
                if simpler is None:
                    raise
            call.dialect = simpler

    async def _asked(self, call: _Call) -> Reply:
        """Send one request and read its answer, within the time of an attempt."""
        await self._limiter.reserve(call.prompt_tokens + call.request.max_tokens)
        client = await self._client()
        call.sent += 1
        end = asyncio.get_running_loop().time() + self._timeout
        async with _no_later_than(end, Unusable(f"did not answer within {self._timeout:g} s (timed out)")):
            body = call.dialect.body(self.model, call.request, stream=call.streamed is not None)
            return await _answer(client, body, Draft(self.model), call)

    async def _client(self) -> AsyncOpenAI:
        if self._closed:
            raise LLMError(f"{self._endpoint} was closed")
        return await self._connection.here().opened()


class _Streamed:
    """Hands on text as it comes, and takes it back when its attempt fails."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._some = False

    def __call__(self, text: str) -> None:
        if text:
            self._some = True
            self._on_text(text)

    def void(self) -> None:
        if self._some:
            self._some = False
            self._on_text(None)


@dataclass(slots=True)
class _Call:
    """One request on its way: the wording that is tried, and how often anything was sent."""

    request: LLMRequest
    streamed: _Streamed | None
    dialect: Dialect
    prompt_tokens: int
    sent: int = 0

    def simpler(self, status: int, complaint: str) -> Dialect | None:
        return self.dialect.simpler(status, complaint, self.request, self.streamed is not None)

    def void(self) -> None:
        if self.streamed is not None:
            self.streamed.void()


async def _answer(client: AsyncOpenAI, body: dict[str, Any], draft: Draft, call: _Call) -> Reply:
    """Send a request and read what comes. A server that does not stream is taken at its whole answer."""
    try:
        raw = await client.chat.completions.with_raw_response.create(**body)
        response = raw.http_response
        if call.streamed is None:
            draft.whole(response.content)
        elif "json" in response.headers.get("content-type", ""):
            draft.whole(await response.aread())
            call.streamed(draft.text)
        else:
            async with aclosing(response):
                await read_stream(response.aiter_bytes(), draft, call.streamed)
    except transport_error() as error:
        raise Unusable(f"broke off ({error or type(error).__name__})") from None
    return draft.reply(call.prompt_tokens)


@asynccontextmanager
async def _no_later_than(end: float | None, failure: Exception) -> AsyncIterator[None]:
    """End the block at a time of the event loop with this failure, and don't begin it after that."""
    if end is not None and end <= asyncio.get_running_loop().time():
        raise failure
    try:
        async with asyncio.timeout_at(end) as limit:
            yield
    except TimeoutError:
        if limit.expired():
            raise failure from None
        raise
