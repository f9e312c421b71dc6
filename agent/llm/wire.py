"""Chat completions as they come from a server, whole or in pieces, read without trusting them.

What can't be used is `Unusable`, which another attempt may mend: a page of HTML, an answer without choices, a stream
that ends before the model did. Where a server reports no usage, its tokens are estimated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from agent.llm.protocol import FinishReason, Reply, ToolCall
from agent.llm.tokens import estimated_tokens
from agent.types import Usage

_FINISHED: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}


class Unusable(Exception):
    """An answer, or the lack of one, that another attempt may mend."""


class OutOfTime(Exception):
    """The time of the question is over, so no attempt can mend it."""


class _Function(BaseModel):
    name: str | None = None
    arguments: str | None = None


class _Call(BaseModel):
    index: int | None = None
    id: str | None = None
    function: _Function = _Function()


class _Part(BaseModel):
    text: str = ""


class _Said(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None

    @property
    def text(self) -> str:
        """The content, which some servers send in parts; a part without a text, such as a thought, is none of it."""
        return self.content if isinstance(self.content, str) else "".join(part.text for part in self.content or ())


class _Choice(BaseModel):
    message: _Said | None = None
    delta: _Said | None = None
    finish_reason: str | None = None


class _Tokens(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(BaseModel):
    """A whole answer, or a piece of one."""

    model: str | None = None
    choices: list[_Choice] | None = None
    usage: _Tokens | None = None
    error: Any = None


@dataclass(slots=True)
class _ToolCallParts:
    id: str
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Draft:
    """An answer as it grows: `add` what came, then ask for the `reply`."""

    model: str
    refusal: str = ""
    finish: str | None = None
    tokens: _Tokens = field(default_factory=_Tokens)
    _pieces: list[str] = field(default_factory=list)
    _calls: list[_ToolCallParts] = field(default_factory=list)
    _by_index: dict[int, _ToolCallParts] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self._pieces)

    def whole(self, body: bytes) -> None:
        """Take a whole answer; `Unusable` when it is none."""
        try:
            completion = _Completion.model_validate_json(body)
        except ValidationError:
            raise Unusable("gave something that is no chat completion") from None
        if not completion.choices or completion.choices[0].message is None:
            raise Unusable("gave an answer without choices")
        self._take(completion)
        self.finish = self.finish or "unknown"

    def piece(self, data: bytes) -> str:
        """Take one piece of a stream and return the text in it; `Unusable` when it is none."""
        try:
            completion = _Completion.model_validate_json(data)
        except ValidationError:
            raise Unusable("sent a piece that is none of a chat completion") from None
        if completion.error is not None:
            raise Unusable(f"broke off with an error: {_words_of(completion.error)}")
        return self._take(completion)

    def reply(self, prompt_tokens: int) -> Reply:
        """Return the finished answer; usage that the server did not report is estimated, and there is no cost yet."""
        if self.finish is None:
            raise Unusable("broke off in the middle of its answer")
        text = self.text
        calls = tuple(ToolCall(call.id, call.name, call.arguments) for call in self._calls)
        reported = self.tokens
        said = text + self.refusal + "".join(call.name + call.arguments for call in calls)
        usage = Usage(
            llm_calls=1,
            prompt_tokens=prompt_tokens if reported.prompt_tokens is None else reported.prompt_tokens,
            completion_tokens=(
                estimated_tokens(said) if reported.completion_tokens is None else reported.completion_tokens
            ),
        )
        finish = "content_filter" if self.refusal else _FINISHED.get(self.finish, "other")
        return Reply(text or self.refusal, calls, finish, usage, self.model)

    def _take(self, completion: _Completion) -> str:
        self.model = completion.model or self.model
        self.tokens = completion.usage or self.tokens
        choice = completion.choices[0] if completion.choices else _Choice()
        self.finish = choice.finish_reason or self.finish
        said = choice.message or choice.delta or _Said()
        self._pieces.append(said.text)
        self.refusal += said.refusal or ""
        for call in said.tool_calls or []:
            self._take_call(call)
        return said.text

    def _take_call(self, part: _Call) -> None:
        """Add to the call with this index. Some servers give no index, others the same one to every call."""
        open_call = self._by_index.get(part.index) if part.index is not None else None
        if open_call is None or (part.id and part.id != open_call.id):
            open_call = _ToolCallParts(part.id or f"call_{len(self._calls)}")
            self._calls.append(open_call)
            if part.index is not None:
                self._by_index[part.index] = open_call
        open_call.name += part.function.name or ""
        open_call.arguments += part.function.arguments or ""


def _words_of(error: object) -> object:
    return error.get("message", error) if isinstance(error, dict) else error
