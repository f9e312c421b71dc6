"""The features that an OpenAI-compatible server supports, learnt from its refusals.

There is no way to ask. So a call begins with everything that OpenAI itself accepts, and whatever a refusal names is
omitted or replaced, one feature at a time. A schema that can't be sent as a parameter is written into the prompt.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import orjson

from agent.llm.protocol import LLMRequest, Message
from agent.llm.schemas import strict

Form = Literal["json_schema", "json_object", "prompt"]
"""How a JSON object is requested: by its schema, as any JSON object, or in the prompt only."""

_SIMPLER: dict[Form, Form] = {"json_schema": "json_object", "json_object": "prompt"}
_REFUSALS = (400, 404, 422, 500, 501)
_NO_FORM = re.compile(r"response_format|json|grammar|^[^'\"`]*(not supported|unsupported|does not support)[^'\"`]*$")
"""A complaint about the response format; one that names another parameter in quotes does not match."""
_NO_SYSTEM = re.compile(
    r"\bsystem (?:role|message|prompt)|\brole\b.{0,60}\bsystem\b|\broles must alternate\b", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The features used in requests to one server."""

    form: Form = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    reports_usage: bool = True
    takes_tools: bool = True
    takes_system: bool = True

    def after_refusal(self, status: int, complaint: str, request: LLMRequest, stream: bool) -> Capabilities | None:
        """Return the capabilities to try after a refusal; `None` if the refusal was not about a feature."""
        said = complaint.lower()[:1000]
        if status not in _REFUSALS:
            return None
        named = self._without_refused_feature(said, request, stream)
        if named is not None:
            return named
        refused = status in (422, 501) or _NO_FORM.search(said)
        if refused and request.schema is not None and self.form in _SIMPLER:
            return replace(self, form=_SIMPLER[self.form])
        return None

    def _without_refused_feature(self, said: str, request: LLMRequest, stream: bool) -> Capabilities | None:
        """Return the capabilities without the first used feature that the complaint names; `None` if it names none."""
        if self.limit == "max_tokens" and "max_completion_tokens" in said:
            return replace(self, limit="max_completion_tokens")
        if self.reports_usage and stream and "stream_options" in said:
            return replace(self, reports_usage=False)
        if self.takes_system and _NO_SYSTEM.search(said):
            return replace(self, takes_system=False)
        if self.takes_tools and request.tools and "tool" in said:
            return replace(self, takes_tools=False)
        return None

    def body(self, model: str, request: LLMRequest, stream: bool) -> dict[str, Any]:
        """Return the JSON of a chat completion request."""
        prompt = self._prompt(request)
        messages = [_message(message) for message in (prompt if self.takes_system else _from_user(prompt))]
        body: dict[str, Any] = {"model": model, "messages": messages, self.limit: request.max_tokens}
        if request.tools and self.takes_tools:
            body["tools"] = [_tool(tool.name, tool.description, dict(tool.parameters)) for tool in request.tools]
        if request.schema is not None and self.form != "prompt":
            body["response_format"] = self._response_format(request)
        if stream:
            body["stream"] = True
        if stream and self.reports_usage:
            body["stream_options"] = {"include_usage": True}
        return body

    def _prompt(self, request: LLMRequest) -> tuple[Message, ...]:
        if request.schema is None or self.form == "json_schema":
            return request.messages
        wish = "Answer with one JSON object and nothing else. It must fit this JSON schema:\n" + json.dumps(
            request.schema, ensure_ascii=False
        )
        first = request.messages[0] if request.messages else None
        if first is None or first.role != "system":
            return (Message("system", wish), *request.messages)
        return (replace(first, content=f"{first.content}\n\n{wish}"), *request.messages[1:])

    def _response_format(self, request: LLMRequest) -> dict[str, Any]:
        if self.form == "json_object":
            return {"type": "json_object"}
        closed = _closed(orjson.dumps(request.schema or {}))
        schema = request.schema if closed is None else closed
        return {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": closed is not None, "schema": schema},
        }


@lru_cache(maxsize=64)
def _closed(schema: bytes) -> dict[str, Any] | None:
    """Return a schema in its strict form; cached, as the same few are sent with every request."""
    return strict(orjson.loads(schema))


def _from_user(prompt: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the prompt with the system message moved to the head of the user message."""
    if [message.role for message in prompt[:2]] == ["system", "user"]:
        system, user, *rest = prompt
        return (replace(user, content=f"{system.content}\n\n{user.content}"), *rest)
    return tuple(replace(message, role="user") if message.role == "system" else message for message in prompt)


def _message(message: Message) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return body


def _tool(name: str, description: str, parameters: dict[str, Any]) -> dict[str, Any]:
    parameters = parameters or {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
