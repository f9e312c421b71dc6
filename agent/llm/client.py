"""Language models behind an OpenAI-compatible endpoint, by chat completions.

One loop retries transient failures (`retrieval.embedding.retrying`); a permanent failure costs one request, and one
that used up the time of an attempt costs two. A stream has that time for each next word, and ten times as much for the
whole, so that a server that sends a byte a second can't hold a question for ever. A server that wants no request for an
hour gets none for a minute, and is then tried again. Features that the server lacks are learnt once (`capabilities`).
Texts and key go to that one host and to no other.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent.errors import LLMError
from agent.llm.capabilities import Capabilities
from agent.llm.connection import OPENAI, Connection, transport_errors
from agent.llm.errors_map import LATER, Endpoint, words_of
from agent.llm.limits import RateLimiter
from agent.llm.per_loop import PerLoop
from agent.llm.protocol import LLMRequest, OnText, Reply
from agent.llm.responses import AttemptExhausted, Draft, Failed, InvalidReply, Late, OutOfTime
from agent.llm.stream import read_stream
from agent.llm.tokens import prompt_tokens
from agent.settings.prices import PRICES, PriceTable, cost_of, is_local
from agent.types import Usage
from retrieval.embedding.retrying import ATTEMPTS, LONGEST_WAIT, Sleep, passes, retry_after, retrying

if TYPE_CHECKING:
    from openai import AsyncOpenAI

TIMEOUT = 30.0
"""Seconds that one attempt has until the last byte of its answer, or a stream until its next word."""
_STREAMS_FOR = 10
"""Factor on the timeout for a whole stream."""
_STEP = 0.01
"""Least postponement of the timeout, as a share of it: words arrive by the hundred."""
_SPENT_ATTEMPTS = 2
OnRetry = Callable[[int, str], None]
"""Called before each new attempt with the number of the failed one, from 1, and its error."""


class OpenAILLM:
    """A model behind an OpenAI-compatible endpoint; nothing is imported or sent before its first use.

    `base_url` defaults to OpenAI; `timeout` is in seconds, for one attempt. `prices` default to OpenAI's, or to none on
    the own network. Connections belong to the event loop of the call: close the client in the loop of its last use.

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
        prices: PriceTable | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        on_retry: OnRetry | None = None,
    ) -> None:
        self._endpoint = Endpoint(model, base_url or OPENAI, api_key)
        self._timeout, self._attempts, self._sleep, self._clock = timeout, attempts, sleep, clock
        self._limiter, self._on_retry = limiter or RateLimiter(), on_retry
        self._prices = prices if prices is not None else {} if is_local(self._endpoint.base_url) else PRICES
        self._connection = PerLoop(lambda: Connection(self._endpoint, timeout))
        self._turn = PerLoop(asyncio.Lock)
        self._capabilities = Capabilities()
        self._closed = False
        self._welcome_at = 0.0  # by the clock; until then the server wants no request
        self._probed_at = 0.0  # by the clock; until then no request is sent, however long a question can wait

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
        """Answer one request; `LLMRefused` if a retry can't help, `LLMError` if no attempt succeeded."""
        self._require_server_ready(request.give_up_at)
        await self._connected().client()  # imports openai in a thread, so that the next line costs nothing
        from openai import APIError, APIStatusError

        known = self._capabilities
        call = _Call(request, on_text, known, Draft(self.model), prompt_tokens(request))
        again = retrying(
            self._sleep,
            attempts=self._attempts,
            passing=call.may_pass,
            give_up_at=request.give_up_at,
            on_retry=lambda attempt, error: self._report_retry(call, attempt, error),
        )
        try:
            reply: Reply = await again(self._attempt, call)
        except (APIError, InvalidReply, OutOfTime) as error:
            failure = self._endpoint.failure(error, call.sent)
            if isinstance(error, APIStatusError):
                self._respect_retry_after(retry_after(error.response.headers) or 0.0)
        else:
            if call.capabilities != known:  # a call that learnt nothing must not undo what others learnt meanwhile
                self._capabilities = call.capabilities
            async with self._turn.here():  # replies that come at once are worked on in different turns of the loop
                await asyncio.sleep(0)
            return replace(reply, usage=self._priced(reply.usage + call.lost))
        self._report_lost_usage(call)
        raise failure  # out here it has no context, whose texts may hold the key

    async def close(self) -> None:
        """Close the connections; closing twice is no error."""
        self._closed = True
        await self._connection.here().close()

    def _respect_retry_after(self, wait: float) -> None:
        """Send nothing for as long as the server wants, but for a minute at most."""
        now = self._clock()
        self._welcome_at = max(self._welcome_at, now + wait)
        if wait > LONGEST_WAIT:
            self._probed_at = now + LONGEST_WAIT

    def _require_server_ready(self, give_up_at: float | None) -> None:
        """Raise `LLMError` while the server is not to be asked, or if a question can't wait until it may be."""
        now = self._clock()
        wait, off = self._welcome_at - now, self._probed_at - now
        if off > 0:
            raise LLMError(
                f"{self._endpoint} wants no request for {round(wait):g} s; it is turned off and is tried again in "
                f"{round(off):g} s; {LATER}"
            )
        left = LONGEST_WAIT if give_up_at is None else give_up_at - asyncio.get_running_loop().time()
        if 0 < wait <= LONGEST_WAIT and wait > max(0.0, left):
            raise LLMError(f"{self._endpoint} wants no request for {round(wait):g} s; {LATER}")

    def _report_retry(self, call: _Call, attempt: int, error: BaseException) -> None:
        self._report_lost_usage(call)
        if self._on_retry is not None:
            self._on_retry(attempt, self._endpoint.complaint(error))

    def _report_lost_usage(self, call: _Call) -> None:
        if call.request.on_lost is not None and call.lost != Usage():
            room = call.request.on_lost(self._priced(call.lost))
            call.request = replace(call.request, max_tokens=min(room, call.request.max_tokens))

    def _priced(self, usage: Usage) -> Usage:
        cost = cost_of(self.model, usage.prompt_tokens, usage.completion_tokens, self._prices)
        return replace(usage, cost_usd=cost.usd)

    async def _attempt(self, call: _Call) -> Reply:
        from openai import APIError

        try:
            async with _no_later_than(call.request.give_up_at, OutOfTime()):
                return await self._with_supported_features(call)
        except (APIError, InvalidReply, OutOfTime):
            call.retract_stream()
            call.lost, call.draft = call.lost + call.draft.spent(), Draft(self.model)
            raise

    async def _with_supported_features(self, call: _Call) -> Reply:
        """Send the request; after a refusal of a feature, send it again without that feature."""
        from openai import APIStatusError

        while True:
            try:
                return await self._asked(call)
            except APIStatusError as error:
                said = f"{words_of(error)} {error.param}"
                simpler = call.capabilities.after_refusal(
                    error.status_code, said, call.request, call.on_text is not None
                )
                if simpler is None:
                    raise
            call.capabilities = simpler

    async def _asked(self, call: _Call) -> Reply:
        """Send one request and read its answer, within the time of an attempt."""
        await self._limiter.reserve(call.prompt_tokens + call.request.max_tokens)
        call.sent, call.draft = call.sent + 1, Draft(self.model)
        now = asyncio.get_running_loop().time
        last = now() + self._timeout * _STREAMS_FOR
        async with _no_later_than(now() + self._timeout, Late(f"did not answer within {self._timeout:g} s")) as limit:
            call.on_piece = lambda: _extend_timeout(limit, min(last, now() + self._timeout), self._timeout * _STEP)
            body = call.capabilities.body(self.model, call.request, stream=call.on_text is not None)
            return await _answer(await self._connected().client(), body, call)

    def _connected(self) -> Connection:
        if self._closed:
            raise LLMError(f"{self._endpoint} was closed")
        return self._connection.here()


@dataclass(slots=True)
class _Call:
    """One request in progress: the capabilities tried, the answer so far, and the requests sent and spent in vain.

    `on_piece` is called with each piece of a stream.
    """

    request: LLMRequest
    on_text: OnText | None
    capabilities: Capabilities
    draft: Draft
    prompt_tokens: int
    sent: int = 0
    lost: Usage = field(default_factory=Usage)
    heard: list[str] = field(default_factory=list)
    spent: int = 0
    on_piece: Callable[[], None] = lambda: None

    def may_pass(self, error: BaseException) -> bool:
        """Return whether to retry; a failure that used up an attempt's time or size is retried only once."""
        if not isinstance(error, AttemptExhausted):
            return isinstance(error, InvalidReply) or passes(error)
        self.spent += 1
        return self.spent < _SPENT_ATTEMPTS

    def on_stream_text(self, text: str) -> None:
        """Pass on text as it arrives; a piece without text, such as a thought, is a sign of life too."""
        self.on_piece()
        self._say(text)

    def _say(self, text: str) -> None:
        if text and self.on_text is not None:
            self.heard.append(text)
            self.on_text(text)

    def reconcile_stream(self) -> None:
        """Make the streamed text equal to the final text: if they differ, retract it and send the final one."""
        if "".join(self.heard) != self.draft.text:
            self.retract_stream()
            self._say(self.draft.text)

    def retract_stream(self) -> None:
        """Retract the streamed text."""
        if self.heard and self.on_text is not None:
            self.heard.clear()
            self.on_text(None)


async def _answer(client: AsyncOpenAI, body: dict[str, Any], call: _Call) -> Reply:
    """Send a request and read the answer. If a server does not stream, its whole answer is used.

    The body is passed as `extra_body`: the library checks every other parameter against its types, which takes longer
    than sending it.
    """
    from openai import APIStatusError

    ask = client.chat.completions.with_streaming_response.create
    try:
        async with ask(model=body["model"], messages=(), extra_body=body) as raw:
            response = raw.http_response
            if call.on_text is None or "json" in response.headers.get("content-type", ""):
                call.draft.whole(await response.aread())
            else:
                await read_stream(response.aiter_bytes(), call.draft, call.on_stream_text)
        call.reconcile_stream()
    except transport_errors() as error:
        raise InvalidReply(f"broke off ({error or type(error).__name__})") from None
    except Failed as error:
        failed = APIStatusError(str(error), response=response, body=error.error)
        failed.status_code = error.status
        raise failed from None
    return call.draft.reply(call.prompt_tokens)


def _extend_timeout(limit: asyncio.Timeout, end: float, least: float) -> None:
    """Extend a block until `end`, unless that is hardly later than its current limit: each change adds a timer."""
    until = limit.when()
    if until is None or end - until >= least:
        limit.reschedule(end)


@asynccontextmanager
async def _no_later_than(end: float | None, failure: Exception) -> AsyncIterator[asyncio.Timeout]:
    """End the block with `failure` at a time of the event loop, which it may extend; raise at once if it is past."""
    if end is not None and end <= asyncio.get_running_loop().time():
        raise failure
    try:
        async with asyncio.timeout_at(end) as limit:
            yield limit
    except TimeoutError:
        if limit.expired():
            raise failure from None
        raise
