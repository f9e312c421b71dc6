"""The budget of one question for language models: calls, tokens and dollars.

The budget is charged when a call begins, so that concurrent calls can't exceed it together. A call beyond the budget
sends nothing. Neither does a call after a refusal: a wrong key costs a question one request, however many steps it has.
"""

from __future__ import annotations

from dataclasses import replace

from agent.errors import BudgetExceeded, LLMRefused, RequestRefused
from agent.llm.protocol import LLM, LLMRequest, OnText, Reply
from agent.llm.tokens import prompt_tokens
from agent.settings.prices import PriceTable, cost_of
from agent.types import Usage


class MeteredLLM:
    """An LLM with a budget; `None` is no limit. Create a new one for each question.

    `max_calls` counts every call within the budget, answered or not, cached or not, and regardless of retries.
    `max_tokens` and `max_cost` (in dollars) stop the next call or attempt if the rest has no room for its estimated
    prompt and an answer; an answer's tokens are limited to the room left. Dollars require `prices`.

    >>> import asyncio
    >>> from agent.llm.scripted import ScriptedLLM
    >>> async def twice() -> None:
    ...     llm = MeteredLLM(ScriptedLLM(["yes", "no"]), max_calls=1)
    ...     await llm.complete(LLMRequest((), "plan"))
    ...     await llm.complete(LLMRequest((), "plan"))
    >>> asyncio.run(twice())
    Traceback (most recent call last):
    ...
    agent.errors.BudgetExceeded: a question may call the language model 1 times and no more; raise max_llm_calls
    """

    def __init__(
        self,
        llm: LLM,
        *,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        prices: PriceTable | None = None,
    ) -> None:
        self._llm = llm
        self._max_calls, self._max_tokens, self._max_cost = max_calls, max_tokens, max_cost
        self._prices = prices or {}
        self._usage = Usage()
        self._calls = 0
        self._waiting = 0
        """Tokens of the prompts that were sent and have no answer yet."""
        self._refused: str | None = None

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._llm.model

    @property
    def usage(self) -> Usage:
        """The usage so far. A failed call counts as a call, and with the usage that the server reported."""
        return self._usage

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer one request, or send nothing and raise `BudgetExceeded` (or the `LLMRefused` of an earlier call)."""
        prompt, most, spent = prompt_tokens(request), request.max_tokens, Usage(llm_calls=1)
        self._check()
        room = self._room(most, prompt, spent)

        def on_lost(lost: Usage) -> int:
            nonlocal spent
            spent = replace(lost, llm_calls=1)
            return self._room(most, 0, spent)

        self._calls += 1
        self._waiting += prompt
        try:
            reply = await self._llm.complete(replace(request, max_tokens=room, on_lost=on_lost), on_text)
            spent = reply.usage
        except LLMRefused as error:
            if not isinstance(error, RequestRefused):
                self._refused = str(error)
            raise
        finally:
            self._waiting -= prompt
            self._usage += spent
        return reply

    async def close(self) -> None:
        """Close the LLM within."""
        await self._llm.close()

    def _check(self) -> None:
        if self._refused is not None:
            raise LLMRefused(self._refused)
        if self._max_calls is not None and self._calls >= self._max_calls:
            raise BudgetExceeded(
                f"a question may call the language model {self._max_calls} times and no more; raise max_llm_calls"
            )

    def _room(self, most: int, prompt: int, lost: Usage) -> int:
        """Return how many of `most` tokens an answer may have, after all prompts and lost attempts."""
        spent, prompts = self._usage + lost, self._waiting + prompt
        tokens = spent.prompt_tokens + spent.completion_tokens + prompts
        room = most if self._max_tokens is None else min(most, self._max_tokens - tokens)
        if room < 1:
            raise BudgetExceeded(
                f"a question may spend {self._max_tokens} tokens; with the next prompt {tokens} are spent, which "
                "leaves no room for an answer; raise max_tokens"
            )
        if self._max_cost is None:
            return room
        left, each = self._max_cost - spent.cost_usd - self._cost(prompts, 0), self._cost(0, 1)
        if left <= 0 or left < each:
            raise BudgetExceeded(
                f"a question may cost {self._max_cost:g} dollars; {spent.cost_usd:.4g} are spent and the next prompt "
                f"costs about {self._cost(prompts, 0):.4g}; raise max_cost"
            )
        return min(room, int(left / each)) if each else room

    def _cost(self, prompt: int, completion: int) -> float:
        return cost_of(self.model, prompt, completion, self._prices).usd
