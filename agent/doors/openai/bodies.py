"""What a client of OpenAI sends. What would change the answer and can't be done is refused, never left out silently.

Source: https://platform.openai.com/docs/api-reference/chat/create.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.doors.openai.errors import RequestError

MODEL = "versus"
"""The model that is the collection of the settings; another is behind a stroke: `versus/rules`."""
_TASK = "### Task:"
_MOST_MESSAGES = 200
_NEED_NOT_CALL = (None, "auto", "none")
_FIRST_ASKED = re.compile(r"^USER: (.+)$", re.MULTILINE)
"""How the chat stands in a prompt for its title."""


class Part(BaseModel):
    """A part of a message; only texts are read."""

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
        """Its text; a picture or a file is a `RequestError`, since it can't be looked at."""
        if isinstance(self.content, str) or self.content is None:
            return self.content or ""
        for part in self.content:
            if part.type not in ("text", "input_text", "refusal"):
                raise RequestError(f"a part of the type {part.type!r} can't be read; send text", "messages")
        return "\n".join(part.text for part in self.content)


class StreamOptions(BaseModel):
    """What a stream tells beside the text."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class ChatBody(BaseModel):
    """A request for a completion. What only steers how a model samples is taken and changes nothing.

    So do tools that are offered, for no model has to call one unless `tool_choice` says so. Open WebUI offers its own
    in every chat.
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
        """`RequestError` for what asks for another kind of answer than there is."""
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
        """Whether a stream ends with what it took."""
        return self.stream_options is not None and self.stream_options.include_usage

    @property
    def question(self) -> str:
        """The last message of the user; `RequestError` where there is none."""
        asked = [message for message in self.messages if message.role == "user"]
        if not asked:
            raise RequestError("no message is of the role 'user'; the last of these is the question", "messages")
        return asked[-1].text

    @property
    def turns(self) -> list[tuple[str, str]]:
        """The questions before it, each with what was answered."""
        found: list[tuple[str, str]] = []
        for message in self.messages:
            if message.role == "user":
                found.append((message.text, ""))
            elif message.role == "assistant" and found:
                found[-1] = (found[-1][0], message.text)
        return found[:-1]

    @property
    def is_task(self) -> bool:
        """Whether a program asks for a title, tags or the like, as Open WebUI does of the model of the chat."""
        return self.question.lstrip().startswith(_TASK)

    @property
    def first_asked(self) -> str:
        """The first question of the chat that such a prompt is about; empty where it holds none."""
        found = _FIRST_ASKED.search(self.question)
        return found[1].strip() if found is not None else ""


def collection_of(model: str) -> str | None:
    """The collection that a model is; None is that of the settings.

    >>> collection_of("versus"), collection_of("versus/rules,monsters")
    (None, 'rules,monsters')
    """
    name, stroke, collection = model.partition("/")
    if name != MODEL or (stroke and not collection):
        told = f"no model {model!r}; `/v1/models` lists those that there are"
        raise RequestError(told, "model", "model_not_found", 404)
    return collection or None
