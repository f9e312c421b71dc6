"""What one question may spend on language models: calls, tokens and dollars.

A budget is counted when a call begins, so that calls side by side can't pass it together. A call that is not allowed
sends nothing. Neither does one after a refusal: a wrong key costs a question one request, however many steps it has.
"""

from __future__ import annotations

from agent.errors import BudgetExceeded, LLMError, LLMRefused, RequestRefused
from agent.llm.prices import PriceTable, cost_of
from agent.llm.protocol import LLM, LLMRequest, OnText, Reply
from agent.llm.tokens import prompt_tokens
from agent.types import Usage


class MeteredLLM:
    """An LLM with a budget; `None` is no limit. Make a new one for each question.

    `max_calls` counts every call that was let through, answered or not, cached or not. `max_tokens` and `max_cost` (in
    dollars) stop the next call when they are spent, or when its prompt alone, estimated, would pass them; for the cost
    of a prompt the `prices` are needed.

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
        """Tokens of the prompts that were sent and are not answered."""
        self._refused: str | None = None

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._llm.model

    @property
    def usage(self) -> Usage:
        """What was spent so far. A call that failed counts as a call; what it cost is not known."""
        return self._usage

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer one request, or raise `BudgetExceeded` (or the `LLMRefused` of before) and send nothing."""
        prompt = prompt_tokens(request)
        self._check(prompt)
        self._calls += 1
        self._waiting += prompt
        try:
            reply = await self._llm.complete(request, on_text)
        except LLMError as error:
            self._failed(error)
            raise
        finally:
            self._waiting -= prompt
        self._usage += reply.usage
        return reply

    async def close(self) -> None:
        """Close the LLM within."""
        await self._llm.close()

    def _failed(self, error: LLMError) -> None:
        if isinstance(error, BudgetExceeded):
            return
        self._usage += Usage(llm_calls=1)
        if isinstance(error, LLMRefused) and not isinstance(error, RequestRefused):
            self._refused = str(error)

    def _check(self, prompt: int) -> None:
        if self._refused is not None:
            raise LLMRefused(self._refused)
        if self._max_calls is not None and self._calls >= self._max_calls:
            raise BudgetExceeded(
                f"a question may call the language model {self._max_calls} times and no more; raise max_llm_calls"
            )
        self._check_tokens(prompt)
        self._check_cost(prompt)

    def _check_tokens(self, prompt: int) -> None:
        spent = self._usage.prompt_tokens + self._usage.completion_tokens + self._waiting
        if self._max_tokens is not None and (spent >= self._max_tokens or spent + prompt > self._max_tokens):
            raise BudgetExceeded(
                f"a question may spend {self._max_tokens} tokens; {spent} are spent and the next prompt has "
                f"about {prompt}; raise max_tokens"
            )

    def _check_cost(self, prompt: int) -> None:
        spent = self._usage.cost_usd + self._cost(self._waiting)
        limit = self._max_cost
        if limit is not None and (spent >= limit or spent + self._cost(prompt) > limit):
            raise BudgetExceeded(
                f"a question may cost {limit:g} dollars; {spent:.4g} are spent and the next prompt costs "
                f"about {self._cost(prompt):.4g}; raise max_cost"
            )

    def _cost(self, prompt: int) -> float:
        return cost_of(self.model, prompt, 0, self._prices).usd
