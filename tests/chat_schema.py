"""What a chat completion request must look like, after OpenAI's published API reference, as far as we may use it.

Unknown names are wrong too: a server that takes no notice of a misspelt one hides the mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Id = Annotated[str, StringConstraints(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Called(_Part):
    name: Name
    arguments: str


class _ToolCall(_Part):
    id: Id
    type: Literal["function"]
    function: _Called


class _System(_Part):
    role: Literal["system", "developer"]
    content: str


class _User(_Part):
    role: Literal["user"]
    content: str


class _Assistant(_Part):
    role: Literal["assistant"]
    content: str | None = None
    tool_calls: Annotated[list[_ToolCall], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.content is None and self.tool_calls is None:
            raise ValueError("content is required unless tool_calls is given")
        return self


class _ToolResult(_Part):
    role: Literal["tool"]
    content: str
    tool_call_id: Id


_Message = Annotated[_System | _User | _Assistant | _ToolResult, Field(discriminator="role")]


class _Schema(_Part):
    name: Name
    description: str | None = None
    json_schema: dict[str, Any] = Field(alias="schema")
    strict: bool | None = None

    @model_validator(mode="after")
    def _is_strict(self) -> Self:
        if self.json_schema.get("type") != "object":
            raise ValueError("schema must be of type object")
        if self.strict:
            _check_strict(self.json_schema)
        return self


class _Text(_Part):
    type: Literal["text"]


class _JsonObject(_Part):
    type: Literal["json_object"]


class _JsonSchema(_Part):
    type: Literal["json_schema"]
    json_schema: _Schema


class _StreamOptions(_Part):
    include_usage: bool


class _Function(_Part):
    name: Name
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class _Tool(_Part):
    type: Literal["function"]
    function: _Function


class ChatRequest(_Part):
    """The body of `POST /v1/chat/completions`."""

    model: Id
    messages: Annotated[list[_Message], Field(min_length=1)]
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    n: Literal[1] | None = None
    seed: int | None = None
    response_format: Annotated[_Text | _JsonObject | _JsonSchema, Field(discriminator="type")] | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    tools: Annotated[list[_Tool], Field(min_length=1, max_length=128)] | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.stream_options is not None and not self.stream:
            raise ValueError("stream_options is only allowed when stream is enabled")
        if self.max_tokens is not None and self.max_completion_tokens is not None:
            raise ValueError("max_tokens and max_completion_tokens exclude each other")
        says_json = any("json" in (message.content or "").lower() for message in self.messages)
        if isinstance(self.response_format, _JsonObject) and not says_json:
            raise ValueError("messages must contain the word 'json' to use response_format json_object")
        _check_pairs(self.messages)
        return self


def complaint_about(body: bytes) -> str | None:
    """What is wrong with a request; `None` when nothing is.

    >>> complaint_about(b'{"model": "m", "messages": [{"role": "user", "content": "Who?"}]}')
    >>> complaint_about(b'{"model": "m", "messages": []}')
    'messages: List should have at least 1 item after validation, not 0'
    """
    try:
        ChatRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return None


def _check_pairs(messages: list[Any]) -> None:
    """Every call of a tool is answered, once, before anyone else speaks."""
    waiting: set[str] = set()
    for message in messages:
        if isinstance(message, _ToolResult):
            if message.tool_call_id not in waiting:
                raise ValueError(f"a tool message must answer a preceding tool call, not {message.tool_call_id!r}")
            waiting.remove(message.tool_call_id)
            continue
        if waiting:
            raise ValueError(f"tool calls were not answered: {sorted(waiting)}")
        if isinstance(message, _Assistant):
            waiting = {call.id for call in message.tool_calls or []}
    if waiting:
        raise ValueError(f"tool calls were not answered: {sorted(waiting)}")


def _check_strict(schema: object) -> None:
    """Strict mode: every object closed, every property required, no defaults."""
    if isinstance(schema, list):
        for item in schema:
            _check_strict(item)
    if not isinstance(schema, Mapping):
        return
    properties = schema.get("properties")
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            raise ValueError("Invalid schema for response_format: 'additionalProperties' must be false")
        if set(schema.get("required", ())) != set(properties or ()):
            raise ValueError("Invalid schema for response_format: 'required' must name every property")
    if "default" in schema:
        raise ValueError("Invalid schema for response_format: 'default' is not permitted")
    for word, value in schema.items():
        for part in value.values() if word in ("properties", "$defs") else [value]:
            _check_strict(part)
