"""Requests to a language model and its replies, whoever serves it.

`LLM` has one main method. Clients, caches and budgets all implement it, so that each wraps the next: a question's
budget around a cache around a client.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from agent.types import Usage

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "other"]
OnText = Callable[[str | None], None]
"""Called with each piece of an answer as it streams in; `None` retracts all pieces so far: the call starts again."""
OnLost = Callable[[Usage], int]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to call. `arguments` is JSON as the model wrote it, perhaps invalid."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation. A message of a tool answers the call `tool_call_id`."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LLMRequest:
    """One call. With `schema`, a JSON schema of an object, the answer has to be such an object.

    `purpose` (`plan`, `synthesize`, `repair`, …) is for logs only. `give_up_at` is a time of the event loop: no wait
    and no retry goes beyond it. `on_lost` is called after each failed attempt with the usage of all failed attempts of
    this call, as far as the server reports it, and returns how many tokens the next answer may have; an exception from
    it ends the call.
    """

    messages: tuple[Message, ...]
    purpose: str
    schema: Mapping[str, Any] | None = None
    tools: tuple[Tool, ...] = ()
    max_tokens: int = 2000
    give_up_at: float | None = None
    on_lost: OnLost | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's answer. `usage` is the usage of this call with its failed attempts; a cached reply has none."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
    model: str = ""


@runtime_checkable
class HasBaseURL(Protocol):
    """An LLM that knows its address."""

    @property
    def base_url(self) -> str:
        """The address of its endpoint."""


class LLM(Protocol):
    """A language model. Safe to call concurrently."""

    @property
    def model(self) -> str:
        """The name of the model."""

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Answer one request, and stream its text to `on_text` if given; `LLMError` if it fails."""

    async def close(self) -> None:
        """Close connections; closing twice is no error."""
