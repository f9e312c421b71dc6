"""Chat completions as OpenAI sends them, whole and streamed, and all the ways in which they go wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tests.loopback import Reply

Said = str | Mapping[str, Any] | Reply
"""A text; or `content` and `tool_calls`, each with `name` and `arguments`; or the very bytes to send."""
Respond = Callable[[dict[str, Any]], Said]


def echo(chat: Mapping[str, Any]) -> str:
    """What the fake says when no one tells it what: the last message, or an empty object."""
    return "{}" if "response_format" in chat else f"You said: {chat['messages'][-1]['content']}"


def completion(chat: Mapping[str, Any], said: Said, *, usage: bool = True) -> Reply:
    """The answer to a request, streamed when it asks for that; `usage` is in it unless the server reports none."""
    if isinstance(said, Reply):
        return said
    message = _message(said)
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": chat["model"]}
    counted = _usage(chat, message) if usage else None
    if chat.get("stream"):
        options = chat.get("stream_options") or {}
        return streamed(body, message, counted if options.get("include_usage") else None)
    choice = {"index": 0, "message": message, "finish_reason": _finish(message)}
    return Reply({**body, "choices": [choice]} | ({"usage": counted} if counted else {}))


def streamed(body: Mapping[str, Any], message: Mapping[str, Any], usage: Mapping[str, Any] | None) -> Reply:
    """The same as server-sent events: a delta for each word and for each part of a tool call."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in re.findall(r"\s*\S+|\s+$", message["content"] or "")]
    for index, call in enumerate(message.get("tool_calls", ())):
        deltas += _call_deltas(index, call)
    chunk = {**body, "object": "chat.completion.chunk"}
    events = [{**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    events += [{**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(message)}]}]
    events += [{**chunk, "choices": [], "usage": usage}] if usage else []
    pieces = [b"data: %s\n\n" % json.dumps(event).encode() for event in events]
    return Reply(kind="text/event-stream", pieces=[*pieces, b"data: [DONE]\n\n"])


def failure(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI writes it; `retry_after="2"` becomes a header."""
    error = {"message": message, "type": "error", "param": None, "code": code}
    return Reply({"error": error}, status, {name.replace("_", "-"): value for name, value in headers.items()})


Fault = Callable[[Reply], Reply]


def _body(good: Reply) -> bytes:
    return b"".join(good.pieces) if good.pieces is not None else good.body()


def _dripping(good: Reply) -> Reply:
    """The right answer, a byte each twentieth of a second."""
    return replace(good, pieces=[bytes([byte]) for byte in _body(good)], pause=0.05)


def _cut(good: Reply) -> Reply:
    """The connection breaks in the middle of the answer."""
    pieces = good.pieces if good.pieces is not None else [bytes([byte]) for byte in good.body()]
    return replace(good, pieces=pieces[: len(pieces) // 2], drop=True)


def _truncated(good: Reply) -> Reply:
    """The answer is complete for HTTP, yet half of it is missing."""
    pieces = None if good.pieces is None else [*good.pieces[: len(good.pieces) // 2]]
    return replace(good, content=good.body()[: len(good.body()) // 2], pieces=pieces)


FAULTS: Mapping[str, Fault] = {
    "429": lambda good: failure(429, "Rate limit reached", "rate_limit_exceeded", retry_after="0.01"),
    "500": lambda good: failure(500, "The server had an error"),
    "hung": lambda good: Reply(hang=True),
    "dropped": lambda good: Reply(drop=True),
    "dripping": _dripping,
    "cut": _cut,
    "truncated": _truncated,
    "html": lambda good: Reply("<html>Please log in</html>", kind="text/html"),
    "no choices": lambda good: Reply({"id": "1", "object": "chat.completion", "model": "fake", "choices": []}),
    "401": lambda good: failure(401, "Incorrect API key provided", "invalid_api_key"),
    "quota": lambda good: failure(429, "You exceeded your current quota", "insufficient_quota"),
}
"""What the answer turns into; `good` is what it would have been."""


def fenced(said: Said) -> Said:
    """The same text as many models give it, between fences."""
    return f"Here it is:\n\n```json\n{said}\n```\n" if isinstance(said, str) else said


def _message(said: str | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(said, str):
        return {"role": "assistant", "content": said, "refusal": None}
    message = {"role": "assistant", "content": said.get("content"), "refusal": said.get("refusal")}
    calls = [_tool_call(number, call) for number, call in enumerate(said.get("tool_calls", ()))]
    return message | ({"tool_calls": calls} if calls else {})


def _tool_call(number: int, call: Mapping[str, Any]) -> dict[str, Any]:
    arguments = call.get("arguments", {})
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": call["name"], "arguments": written}
    return {"id": call.get("id", f"call_{number}"), "type": "function", "function": function}


def _call_deltas(index: int, call: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    arguments = call["function"]["arguments"]
    opened = {**call, "index": index, "function": {**call["function"], "arguments": ""}}
    yield {"tool_calls": [opened]}
    for start in range(0, len(arguments), 8):
        yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[start : start + 8]}}]}


def _finish(message: Mapping[str, Any]) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def _usage(chat: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, int]:
    """Words for tokens: easy to check."""
    prompt = sum(len((each.get("content") or "").split()) for each in chat["messages"])
    answer = len((message["content"] or "").split())
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
