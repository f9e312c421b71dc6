"""The requests of OpenAI clients. A parameter that would change the answer and is unsupported is refused, not ignored.

Source: https://platform.openai.com/docs/api-reference/chat/create.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.doors.openai.errors import RequestError

MODEL = "versus"
"""The model for the collection of the settings; another collection follows after a slash: `versus/rules`."""
_TASK = "### Task:"
_MOST_MESSAGES = 200
_NEED_NOT_CALL = (None, "auto", "none")
_FIRST_ASKED = re.compile(r"^USER: (.+)$", re.MULTILINE)
"""A user message of the chat in a prompt for its title."""


class Part(BaseModel):
    """A part of a message; only text is read."""

    model_config = ConfigDict(extra="ignore")

    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """A message of the conversation."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """The text of the message; an image or a file is a `RequestError`."""
        if isinstance(self.content, str) or self.content is None:
            return self.content or ""
        for part in self.content:
            if part.type not in ("text", "input_text", "refusal"):
                raise RequestError(f"a part of the type {part.type!r} can't be read; send text", "messages")
        return "\n".join(part.text for part in self.content)


class StreamOptions(BaseModel):
    """The options of a stream."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class ChatBody(BaseModel):
    """A request for a completion. Parameters that only affect sampling are accepted and ignored.

    So are offered tools, as no model has to call one unless `tool_choice` demands it. Open WebUI offers its own in
    every chat.
    """

    model_config = ConfigDict(extra="ignore")

    model: str = MODEL
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=_MOST_MESSAGES)]
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = None
    tool_choice: Any = None
    function_call: Any = None
    logprobs: bool | None = None
    audio: Any = None
    response_format: dict[str, Any] | None = None

    def require_supported(self) -> None:
        """Raise `RequestError` for a parameter that asks for an unsupported kind of answer."""
        wanted = {
            "n": self.n not in (None, 1),
            "tool_choice": self.tool_choice not in _NEED_NOT_CALL,
            "function_call": self.function_call not in _NEED_NOT_CALL,
            "logprobs": bool(self.logprobs),
            "audio": self.audio is not None,
            "response_format": self.response_format not in (None, {"type": "text"}),
        }
        for name, is_wanted in wanted.items():
            if is_wanted:
                raise RequestError(f"{name!r} is not supported here; leave it out", name, "unsupported_parameter")

    @property
    def wants_usage(self) -> bool:
        """True if a stream ends with the usage."""
        return self.stream_options is not None and self.stream_options.include_usage

    @property
    def question(self) -> str:
        """The last message of the user; `RequestError` if there is none."""
        asked = [message for message in self.messages if message.role == "user"]
        if not asked:
            raise RequestError("no message is of the role 'user'; the last of these is the question", "messages")
        return asked[-1].text

    @property
    def turns(self) -> list[tuple[str, str]]:
        """The questions before the last one, each with its answer."""
        found: list[tuple[str, str]] = []
        for message in self.messages:
            if message.role == "user":
                found.append((message.text, ""))
            elif message.role == "assistant" and found:
                found[-1] = (found[-1][0], message.text)
        return found[:-1]

    @property
    def is_task(self) -> bool:
        """True if a program asks for a title, tags or the like, as Open WebUI does with the chat's model."""
        return self.question.lstrip().startswith(_TASK)

    @property
    def first_asked(self) -> str:
        """The first question of the chat in such a prompt; empty if there is none."""
        found = _FIRST_ASKED.search(self.question)
        return found[1].strip() if found is not None else ""


def collection_of(model: str) -> str | None:
    """Return the collection of a model name; None for the collection of the settings.

    >>> collection_of("versus"), collection_of("versus/rules,monsters")
    (None, 'rules,monsters')
    """
    name, stroke, collection = model.partition("/")
    if name != MODEL or (stroke and not collection):
        told = f"no model {model!r}; `/v1/models` lists those that there are"
        raise RequestError(told, "model", "model_not_found", 404)
    return collection or None
