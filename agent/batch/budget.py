"""A language model with a budget for a whole batch; the batch ends when the model refuses to work.

It stands inside the journal, so replies that are already paid never reach it. A model that rejects the key or has no
credit left would refuse every question. The batch then stops, instead of answering the rest by rules, and can be
resumed when that is mended.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from typing import Literal

from agent.batch.errors import Halted
from agent.errors import LLMRefused, RequestRefused
from agent.llm.protocol import LLM, LLMRequest, OnText, Reply
from agent.llm.tokens import prompt_tokens
from agent.settings.prices import PriceTable, cost_of
from agent.types import Usage

Halt = Callable[[Literal["budget", "refused"], LLMRefused | None], None]
"""Called when the batch has to end: with "budget", or with "refused" and the error."""


def questions_for(calls: int) -> int:
    """Return how many questions to run for this many concurrent model calls: questions also search and compute.

    >>> questions_for(16)
    21
    """
    return calls + calls // 4 + 1


class BudgetedLLM:
    """An LLM that all questions of a batch share. With `max_cost`, in dollars, no call begins that could exceed it.

    A call reserves its highest possible cost: its prompt and its `max_tokens`. While other calls are running it waits
    for what they leave; if none is running, `halt` is called. `before` is the cost of earlier runs. At most `at_once`
    calls run at a time.
    """

    def __init__(
        self,
        llm: LLM,
        halt: Halt,
        *,
        max_cost: float | None = None,
        before: float = 0.0,
        prices: PriceTable | None = None,
        at_once: int | None = None,
    ) -> None:
        self._llm, self._halt = llm, halt
        self._max_cost, self._spent, self._prices = max_cost, before, prices or {}
        self._reserved, self._calls = 0.0, 0
        self._changed = asyncio.Event()
        self._over = False
        self._places = asyncio.Semaphore(at_once) if at_once else nullcontext()
        self.usage = Usage()

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._llm.model

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer one request; raise `Halted` if the batch may not ask any more. Lost attempts are paid as well."""
        spent = Usage()

        def on_lost(so_far: Usage) -> int:
            nonlocal spent
            spent = so_far
            return request.on_lost(so_far) if request.on_lost else request.max_tokens

        async with self._places, self._reservation(request):
            try:
                reply = await self._llm.complete(replace(request, on_lost=on_lost), on_text)
                spent = reply.usage
                return reply
            except RequestRefused:
                raise
            except LLMRefused as error:
                self._over = True
                self._halt("refused", error)
                raise Halted from None
            finally:
                self.usage += spent
                self._spent += spent.cost_usd

    async def close(self) -> None:
        """Do nothing: whoever opened the LLM closes it."""

    @asynccontextmanager
    async def _reservation(self, request: LLMRequest) -> AsyncIterator[None]:
        most = cost_of(self.model, prompt_tokens(request), request.max_tokens, self._prices).usd
        while not (self._over or self._fits(most)) and self._calls:
            await self._changed.wait()
        if not (self._over or self._fits(most)):
            self._over = True
            self._halt("budget", None)
        if self._over:
            self._wake_waiters()
            raise Halted
        self._calls += 1
        self._reserved += most
        try:
            yield
        finally:
            self._calls -= 1
            self._reserved -= most
            self._wake_waiters()

    def _wake_waiters(self) -> None:
        """Wake all calls that wait for money."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _fits(self, most: float) -> bool:
        return self._max_cost is None or self._spent + self._reserved + most <= self._max_cost
