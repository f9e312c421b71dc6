"""What the tests of the client for language models share: what they ask, and what they hear and read of it."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable

import pytest

from agent.errors import LLMError
from agent.llm.client import OpenAILLM
from agent.llm.protocol import LLMRequest, Message
from tests.fake_openai import FakeOpenAI
from tests.stalls import stalls

KEY = "sk-canary-7e2a"
HELLO = LLMRequest((Message("user", "Who wins?"),), "plan")
ATTEMPTS = 3


class Pauses(list[float]):
    """Notes how long it should have slept, and doesn't."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


class Heard(list[str | None]):
    """What was streamed."""

    def __call__(self, text: str | None) -> None:
        self.append(text)

    @property
    def text(self) -> str:
        """What a reader has before them: all since the last time that it was taken back."""
        last = max((place for place, piece in enumerate(self) if piece is None), default=-1)
        return "".join(piece or "" for piece in self[last + 1 :])


def impatient(server: FakeOpenAI, pauses: Pauses, attempts: int = ATTEMPTS) -> OpenAILLM:
    return OpenAILLM("small", base_url=server.base_url, api_key=KEY, attempts=attempts, timeout=0.2, sleep=pauses)


async def failing(llm: OpenAILLM, request: LLMRequest = HELLO, heard: Heard | None = None) -> str:
    """What a user gets to read; the log would show no more than the traceback."""
    with pytest.raises(LLMError) as caught:
        await llm.complete(request, heard)
    error: BaseException | None = caught.value
    assert KEY not in "".join(traceback.format_exception(caught.value)) + repr(llm)
    while error is not None:
        assert KEY not in f"{error} {error!r} {vars(error)}"
        error = error.__cause__ or error.__context__
    return f"{type(caught.value).__name__}: {caught.value}"


async def within(seconds: float, condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, and assert that it took no longer, but for the time that the machine kept us from
    running.
    """
    with stalls() as stalled:
        began = time.monotonic()
        await until(condition)
        took = time.monotonic() - began
    assert took < seconds + stalled()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - the server is in another thread
            await asyncio.sleep(0.01)
