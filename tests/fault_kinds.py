"""Forty ways in which a server that should complete a chat does something else, beside those of `tests.fake_chat`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.fake_chat import FAULTS, Fault, failure
from tests.loopback import Reply

_EVENTS = "text/event-stream"


def _body(good: Reply) -> bytes:
    return b"".join(good.pieces) if good.pieces is not None else good.body()


def _text(good: Reply, text: str) -> Reply:
    """These bytes in place of the answer, as a stream where that was one."""
    pieces = None if good.pieces is None else [text.encode("utf-8", "surrogatepass")]
    return replace(good, content=text.encode("utf-8", "surrogatepass"), pieces=pieces)


def _choice(good: Reply, finish: str | None = "stop", **message: Any) -> Reply:
    """An answer with this message, in the form of the good one."""
    if good.pieces is None:
        return Reply({"choices": [{"index": 0, "message": message, "finish_reason": finish}], "model": "m"})
    events = [{"choices": [{"delta": message}]}, {"choices": [{"delta": {}, "finish_reason": finish}]}]
    return Reply(kind=_EVENTS, pieces=[b"data: %s\n\n" % json.dumps(each).encode() for each in events])


def _with(good: Reply, **fields: Any) -> Reply:
    """The good answer with other fields beside its choices."""
    if good.pieces is None:
        return replace(good, content={**good.content, **fields})
    return replace(good, pieces=[b"data: %s\n\n" % json.dumps(fields).encode(), *good.pieces])


def _marked(good: Reply) -> Reply:
    """The answer behind a byte order mark; a stream as it is."""
    return good if good.pieces is not None else replace(good, content=b"\xef\xbb\xbf" + good.body())


def _call(name: str, arguments: str) -> dict[str, Any]:
    return {
        "tool_calls": [{"index": 0, "id": "t", "type": "function", "function": {"name": name, "arguments": arguments}}]
    }


KINDS: Mapping[str, Fault] = {
    **FAULTS,
    "301": lambda good: Reply(status=301, headers={"location": "http://127.0.0.1:9/"}),
    "400": lambda good: failure(400, "I do not like this request"),
    "402": lambda good: failure(402, "Payment required"),
    "403": lambda good: failure(403, "Not for you"),
    "404": lambda good: failure(404, "No such model"),
    "408": lambda good: failure(408, "Request timeout"),
    "413": lambda good: failure(413, "Too large"),
    "422": lambda good: failure(422, "Unprocessable"),
    "502 of a proxy": lambda good: Reply("<html>Bad Gateway</html>", 502, kind="text/html"),
    "503": lambda good: failure(503, "Overloaded"),
    "an hour's pause": lambda good: failure(429, "Slow down", retry_after="3600"),
    "a pause of nonsense": lambda good: failure(429, "Slow down", retry_after="soon"),
    "error within 200": lambda good: Reply({"error": {"message": "upstream", "code": 503}}),
    "error as a string": lambda good: Reply({"error": "out of memory"}),
    "empty": lambda good: _text(good, ""),
    "spaces": lambda good: _text(good, " \n \n"),
    "null": lambda good: _text(good, "null"),
    "a list": lambda good: _text(good, "[1, 2]"),
    "deep brackets": lambda good: _text(good, "[" * 100_000),
    "no JSON": lambda good: _text(good, "data: {nope\n\ndata: [DONE]\n\n"),
    "half a surrogate": lambda good: _text(good, '{"choices": [{"message": {"content": "\\ud800"}}]}'),
    "byte order mark": _marked,
    "null content": lambda good: _choice(good, content=None),
    "empty content": lambda good: _choice(good, content=""),
    "content of numbers": lambda good: _choice(good, content=7),
    "a refusal": lambda good: _choice(good, refusal="I can't help with that."),
    "filtered": lambda good: _choice(good, "content_filter", content=""),
    "cut off at once": lambda good: _choice(good, "length", content="The"),
    "a reason nobody knows": lambda good: _choice(good, "moon", content="The moon."),
    "only thoughts": lambda good: _choice(good, content="<think>Hm, an orc"),
    "a tool nobody has": lambda good: _choice(good, "tool_calls", content=None, **_call("rm", "{}")),
    "a tool with no JSON": lambda good: _choice(good, "tool_calls", content=None, **_call("calculate", "{oops")),
    "usage of nonsense": lambda good: _with(good, usage={"prompt_tokens": "many", "completion_tokens": -5}),
    "usage without end": lambda good: _with(good, usage={"prompt_tokens": 10**30}),
    "a name without end": lambda good: _with(good, model="m" * 100_000),
    "a bomb": lambda good: Reply(gzip.compress(b" " * 32 * 2**20), headers={"content-encoding": "gzip"}),
    "an encoding nobody asked for": lambda good: Reply(b"x", headers={"content-encoding": "br"}),
    "broken gzip": lambda good: Reply(b"x", headers={"content-encoding": "gzip"}),
    "digits without end": lambda good: _choice(good, content="It is " + "7" * 200_000),
    "silence in the middle": lambda good: replace(good, pieces=[_body(good)[:20], b" ", b" "], pause=9.0),
}  # fmt: skip
"""What the answer turns into, by a name; more than forty, with those that `FakeOpenAI` knows."""
