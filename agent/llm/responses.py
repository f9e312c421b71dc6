"""Chat completions from a server, whole or in pieces, parsed without trusting them.

An invalid answer is `InvalidReply`, and another attempt may succeed: a page of HTML, an answer without choices, a
stream that breaks off. If a server reports no usage, its tokens are estimated.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ValidationError, field_validator

from agent.llm.protocol import FinishReason, Reply, ToolCall
from agent.llm.reasoning_tags import ReasoningStripper
from agent.llm.tokens import estimated_tokens
from agent.types import Usage

_FINISHED: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}

_LONGEST_NAME = 100
"""Most characters of a model's name; a server may send any name."""
_MOST_TOKENS = 10_000_000
"""More tokens than any model reads or writes in one call."""
_NO_MONEY = re.compile(r"\b(?:credits?|quota|balance)\b", re.IGNORECASE)
"""Words for a lack of credit, from a server without error codes; its other errors without a code may be transient."""


class InvalidReply(Exception):
    """An invalid or missing answer; another attempt may succeed."""


class AttemptExhausted(InvalidReply):
    """A failure that used up an attempt's time or size: one more attempt is enough."""


class Late(AttemptExhausted):
    """An answer that did not arrive within the time of an attempt."""


class Failed(Exception):
    """An error in place of an answer, although HTTP reports success; `status` is the status it should have had."""

    def __init__(self, error: object) -> None:
        told = error if isinstance(error, dict) else {}
        super().__init__(str(told.get("message", error)))
        code = str(told.get("code"))
        known = code.isdigit() and 400 <= int(code) <= 599
        self.error, self.status = error, int(code) if known else 402 if _NO_MONEY.search(str(self)) else 502


class OutOfTime(Exception):
    """The question's deadline has passed, so no attempt can help."""


class _Function(BaseModel):
    name: str | None = None
    arguments: str | dict[str, Any] | None = None  # some servers have parsed the JSON already


class _Call(BaseModel):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Part(BaseModel):
    text: str | None = None


class _Content(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None

    @property
    def text(self) -> str:
        """The content, which some servers send in parts; parts without text, such as thoughts, are skipped."""
        content = self.content or ()
        return content if isinstance(content, str) else "".join(part.text or "" for part in content)


class _Choice(BaseModel):
    message: _Content | None = None
    delta: _Content | None = None
    finish_reason: str | None = None


class _Tokens(BaseModel):
    """The token counts of a server; impossible counts are ignored."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @field_validator("prompt_tokens", "completion_tokens", mode="before")
    @classmethod
    def _counted(cls, said: object) -> int | None:
        if not isinstance(said, int) or isinstance(said, bool) or said > _MOST_TOKENS:
            return None
        return max(0, said)


class _Completion(BaseModel):
    """A whole answer, or a piece of one."""

    model: str | None = None
    choices: list[_Choice] | None = None
    usage: _Tokens | None = None
    error: Any = None

    @field_validator("model", mode="before")
    @classmethod
    def _named(cls, said: object) -> str | None:
        return said[:_LONGEST_NAME] if isinstance(said, str) else None

    @field_validator("usage", mode="before")
    @classmethod
    def _reported(cls, said: object) -> object:
        return said if isinstance(said, dict) else None


@dataclass(slots=True)
class _ToolCallParts:
    id: str
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Draft:
    """An answer in progress: `add` the pieces, then ask for the `reply`."""

    model: str
    refusal: str = ""
    finish: str | None = None
    tokens: _Tokens = field(default_factory=_Tokens)
    _written: list[str] = field(default_factory=list)
    _spoken: ReasoningStripper = field(default_factory=ReasoningStripper)
    _calls: list[_ToolCallParts] = field(default_factory=list)
    _by_index: dict[int, _ToolCallParts] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text so far."""
        return self._spoken.text

    def whole(self, body: bytes) -> None:
        """Add a whole answer; `InvalidReply` if it is invalid."""
        completion = _read(body, "gave something that is no chat completion")
        self._take(completion)
        if not completion.choices or completion.choices[0].message is None:
            raise InvalidReply("gave an answer without choices")
        self.finish = self.finish or "unknown"

    def piece(self, data: bytes) -> str:
        """Add one piece of a stream and return its text; `InvalidReply` if it is invalid."""
        return self._take(_read(data, "sent a piece that is none of a chat completion"))

    def reply(self, prompt_tokens: int) -> Reply:
        """Return the finished answer; unreported usage is estimated, and the cost is not yet set."""
        if self.finish is None:
            raise InvalidReply("broke off in the middle of its answer")
        calls = tuple(ToolCall(call.id, call.name, call.arguments) for call in self._calls)
        said = "".join(self._written) + self.refusal + "".join(call.name + call.arguments for call in calls)
        usage = replace(self.spent(prompt_tokens, estimated_tokens(said)), llm_calls=1)
        finish = "content_filter" if self.refusal else _FINISHED.get(self.finish, "other")
        return Reply(self.text or self.refusal, calls, finish, usage, self.model)

    def spent(self, prompt: int = 0, completion: int = 0) -> Usage:
        """Return the usage that the server has reported so far, with these defaults for missing counts."""
        told = self.tokens
        return Usage(
            prompt_tokens=prompt if told.prompt_tokens is None else told.prompt_tokens,
            completion_tokens=completion if told.completion_tokens is None else told.completion_tokens,
        )

    def _take(self, completion: _Completion) -> str:
        self.model = completion.model or self.model
        self.tokens = completion.usage or self.tokens
        choice = completion.choices[0] if completion.choices else _Choice()
        self.finish = choice.finish_reason or self.finish
        said = choice.message or choice.delta or _Content()
        self._written.append(said.text)
        self.refusal += said.refusal or ""
        for call in said.tool_calls or []:
            self._take_call(call)
        return self._spoken.add(said.text)

    def _take_call(self, part: _Call) -> None:
        """Add to the tool call with this index. Some servers send no index, others the same one for every call."""
        open_call = self._by_index.get(part.index) if part.index is not None else None
        if open_call is None or (part.id and part.id != open_call.id):
            open_call = _ToolCallParts(part.id or f"call_{len(self._calls)}")
            self._calls.append(open_call)
            if part.index is not None:
                self._by_index[part.index] = open_call
        function = part.function or _Function()
        given = function.arguments or ""
        open_call.name += function.name or ""
        open_call.arguments += given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _read(data: bytes, complaint: str) -> _Completion:
    """Parse a whole answer or a piece; `Failed` if it is an error instead, `InvalidReply` if it is neither."""
    try:
        completion = _Completion.model_validate_json(data)
    except ValidationError:
        try:  # byte order marks and halves of characters are invalid JSON, but some servers send them
            mended = json.dumps(json.loads(data.decode("utf-8-sig", "replace")), ensure_ascii=False)
            completion = _Completion.model_validate_json(mended.encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            raise InvalidReply(complaint) from None
    if completion.error:
        raise Failed(completion.error)
    return completion
