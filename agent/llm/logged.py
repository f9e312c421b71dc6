"""Calls of a language model as events: the purpose, duration and cost of each, and why it failed."""

from __future__ import annotations

import time
from dataclasses import replace

from agent import events
from agent.errors import LLMError
from agent.llm.protocol import LLM, LLMRequest, OnText, Reply


class LoggedLLM:
    """An LLM whose calls are logged, and that gives up at the question's deadline.

    `give_up_at` is a time of the event loop.
    """

    def __init__(self, llm: LLM, give_up_at: float | None = None) -> None:
        self._llm, self._give_up_at = llm, give_up_at

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._llm.model

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer one request; `LLMError` if it fails, after `llm.failed` was logged."""
        started = time.perf_counter()
        try:
            reply = await self._llm.complete(replace(request, give_up_at=self._give_up_at), on_text)
        except LLMError as error:
            events.emit("llm.failed", {"model": self.model, "purpose": request.purpose, "error": str(error)})
            raise
        usage = reply.usage
        events.emit(
            "llm.called",
            {
                "model": reply.model or self.model,
                "purpose": request.purpose,
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.completion_tokens,
                "cost_usd": usage.cost_usd,
                "ms": round((time.perf_counter() - started) * 1000, 3),
            },
        )
        return reply

    async def close(self) -> None:
        """Do nothing: whoever opened the LLM closes it."""
