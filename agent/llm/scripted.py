"""A language model that replies from a script: for tests of its callers, ours and yours."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterable

from agent.errors import LLMError
from agent.llm.protocol import LLMRequest, OnText, Reply
from agent.llm.tokens import estimated_tokens, prompt_tokens
from agent.types import Usage

Line = str | Reply | Exception
Script = Iterable[Line] | Callable[[LLMRequest], Line]
_WORD = re.compile(r"\s*\S+\s*$|\s*\S+|\s+")


class ScriptedLLM:
    """Replies from a script, and stores the requests in `requests`.

    The script has one line for each request, or is a function of the request. A line is a text, which is replied with
    estimated usage, a `Reply`, which is returned as it is, or an exception, which is raised. Past the last line it
    raises `LLMError`. Text is streamed word by word.

    >>> llm = ScriptedLLM(["An owl."])
    >>> asyncio.run(llm.complete(LLMRequest((), "synthesize"))).text
    'An owl.'
    """

    def __init__(self, replies: Script, *, model: str = "scripted") -> None:
        self.requests: list[LLMRequest] = []
        self._model = model
        self._lines = None if callable(replies) else deque(replies)
        self._answer = replies if callable(replies) else None

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._model

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer with the next line."""
        self.requests.append(request)
        await asyncio.sleep(0)  # like a real model, it yields to other tasks
        line = self._next(request)
        if isinstance(line, Exception):
            raise line
        reply = self._reply(request, line) if isinstance(line, str) else line
        if on_text is not None:
            for word in _WORD.findall(reply.text):
                on_text(word)
        return reply

    async def close(self) -> None:
        """Do nothing: nothing is open."""

    def _next(self, request: LLMRequest) -> Line:
        if self._answer is not None:
            return self._answer(request)
        if not self._lines:
            asked = len(self.requests)
            return LLMError(f"the script has no line for request {asked} ({request.purpose}); give it one more")
        return self._lines.popleft()

    def _reply(self, request: LLMRequest, text: str) -> Reply:
        return Reply(text, usage=Usage(1, prompt_tokens(request), estimated_tokens(text)), model=self._model)
