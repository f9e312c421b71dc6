"""What a server may not do to us, over real HTTP: fill the memory, count beyond reason, or have its stream cut off."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

from agent.errors import SettingsError
from agent.llm.capabilities import Capabilities
from agent.llm.client import OpenAILLM
from agent.llm.factory import llm_of, prices_of
from agent.llm.protocol import LLMRequest, Message
from agent.llm.schemas import strict
from agent.planning.drafts import draftings, plan_schema
from agent.settings.prices import cost_of
from agent.settings.settings import Settings
from agent.stages.gaps import GapsDraft
from tests.agent.asking import HELLO, KEY, Heard, Pauses, failing
from tests.chat_schema import complaint_about
from tests.fake_chat import completion
from tests.fake_openai import FakeOpenAI
from tests.loopback import Reply

MB = 2**20


def good(text: str = "An orc.", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {"object": "chat.completion", "model": "small", "choices": [choice], **more}


def packed(content: bytes, encoding: str = "gzip") -> Reply:
    return Reply(content, headers={"content-encoding": encoding})


def bomb() -> bytes:
    """A body of 60 kB that unpacks to 64 MB."""
    return gzip.compress(json.dumps(good("")).encode() + b" " * 64 * MB, 6)


async def test_a_packed_reply_is_read(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(packed(gzip.compress(json.dumps(good()).encode())))
    assert "An orc." == (await llm.complete(HELLO)).text
    assert "gzip" == server.requests[0].headers["accept-encoding"]


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("status", [200, 400])
async def test_a_reply_that_unpacks_to_too_much_is_not_unpacked(
    streaming: bool, status: int, server: FakeOpenAI, llm: OpenAILLM
) -> None:
    await llm.complete(HELLO)
    heavy = Reply(bomb(), status, {"content-encoding": "gzip"}, "text/event-stream" if streaming else "text/json")
    server.then(*[heavy] * 3)
    tracemalloc.start()
    said = await failing(llm, HELLO, Heard() if streaming else None)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert "sent more than 4 MB (asked 2 times)" in said
    assert most < 24 * MB
    assert 3 == len(server.requests)


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_plain_reply_is_read_up_to_4_mb(streaming: bool, server: FakeOpenAI, llm: OpenAILLM) -> None:
    below, above = good("x" * 3 * MB), good("x" * 5 * MB)
    server.then(Reply(below), Reply(above), Reply(above))
    heard = Heard() if streaming else None
    assert 3 * MB == len((await llm.complete(HELLO, heard)).text)
    assert "sent more than 4 MB" in await failing(llm, HELLO, heard)


@pytest.mark.parametrize(
    "broken",
    [packed(b"no gzip at all"), packed(b"", "br"), packed(zlib.compress(b"{}"), "gzip, gzip"), packed(b"{}", "zstd")],
)
async def test_what_can_not_be_unpacked_may_be_better_the_next_time(
    broken: Reply, server: FakeOpenAI, llm: OpenAILLM
) -> None:
    server.then(broken)
    assert "You said: Who wins?" == (await llm.complete(HELLO)).text


@pytest.mark.parametrize(
    "usage",
    ["many", 7, [], {"prompt_tokens": "many"}, {"prompt_tokens": 1e400}, {"prompt_tokens": 10**30}, {}, None,
     {"prompt_tokens": True, "completion_tokens": [1]}, {"prompt_tokens": 1.5}],
)  # fmt: skip
@pytest.mark.parametrize("streaming", [False, True])
async def test_a_usage_that_makes_no_sense_is_ignored(
    usage: object, streaming: bool, server: FakeOpenAI, llm: OpenAILLM
) -> None:
    server.then(Reply(good(usage=usage)))
    reply = await llm.complete(HELLO, Heard() if streaming else None)
    assert ("An orc.", 3, 2) == (reply.text, reply.usage.prompt_tokens, reply.usage.completion_tokens)


@pytest.mark.parametrize(("name", "kept"), [("m" * 9999, "m" * 100), (7, "small"), (["m"], "small"), (None, "small")])
async def test_a_models_name_is_cut_or_ignored(name: object, kept: str, server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(Reply(good() | {"model": name}))
    assert kept == (await llm.complete(HELLO)).model


async def test_a_stream_has_its_time_as_long_as_it_comes(server: FakeOpenAI, pauses: Pauses) -> None:
    llm = OpenAILLM("small", base_url=server.base_url, api_key=KEY, timeout=0.4, sleep=pauses)
    await llm.complete(HELLO)
    slow = completion({"model": "small", "stream": True, "messages": []}, "one two three four five six seven eight")
    server.then(Reply(kind=slow.kind, pieces=slow.pieces, pause=0.1))
    assert "one two three four five six seven eight" == (await llm.complete(HELLO, Heard())).text
    assert 2 == len(server.requests)
    await llm.close()


async def test_a_stream_that_does_not_end_is_left(server: FakeOpenAI, pauses: Pauses) -> None:
    llm = OpenAILLM("small", base_url=server.base_url, api_key=KEY, timeout=0.2, sleep=pauses)
    await llm.complete(HELLO)
    word = b'data: {"choices": [{"delta": {"content": "on "}}]}\n\n'
    server.then(*[Reply(kind="text/event-stream", pieces=[word] * 100, pause=0.05)] * 2)
    assert "did not answer within 0.2 s (asked 2 times)" in await failing(llm, HELLO, Heard())
    await llm.close()


UNTAKEN = {
    "title", "default", "const", "oneOf", "pattern", "format", "minLength", "maxLength", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "contains",
    "minContains", "maxContains", "unevaluatedItems", "patternProperties", "unevaluatedProperties", "propertyNames",
    "minProperties", "maxProperties",
}  # fmt: skip
"""What Azure's page on structured outputs lists as not supported, and what OpenAI's does not list as supported."""


def words_of(schema: object) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(words_of, schema))
    if not isinstance(schema, Mapping):
        return set()
    parts = [each.values() if word in ("properties", "$defs") else [each] for word, each in schema.items()]
    return set(schema).union(*(words_of(part) for each in parts for part in each))


@pytest.mark.parametrize(
    "schema", [plan_schema(tuple(draftings()), narrowing=True, follows=True), GapsDraft.model_json_schema()]
)
def test_a_strict_schema_holds_nothing_that_is_refused(schema: dict[str, Any]) -> None:
    made = strict(schema)
    assert made is not None
    assert set() == words_of(made) & UNTAKEN
    request = LLMRequest((Message("user", "?"),), "plan", schema)
    assert complaint_about(json.dumps(Capabilities().body("small", request, stream=False)).encode()) is None


@pytest.mark.parametrize(
    "without",
    [{"not": {"type": "string"}}, {"allOf": [{"type": "string"}]}, {"type": "object"}, {"items": {"type": "object"}}],
)
def test_a_schema_that_would_say_something_else_has_no_strict_form(without: dict[str, Any]) -> None:
    assert strict({"type": "object", "properties": {"one": without}}) is None


def test_a_schema_that_is_too_deep_or_too_large_has_no_strict_form() -> None:
    nested: dict[str, Any] = {"type": "string"}
    for _ in range(5):
        nested = {"type": "object", "properties": {"one": nested}}
    assert strict(nested) is not None
    assert strict({"type": "object", "properties": {"one": nested}}) is None
    assert strict({"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(101)}}) is None


HERE = Settings(openai_base_url="http://127.0.0.1:4000/v1", model="proxied", max_cost=1.0)


def test_a_local_address_has_a_price_when_one_is_set() -> None:
    settings = HERE.model_copy(update={"llm_prices": {"proxied": (1, 2)}})
    assert llm_of(settings) is not None
    assert 3.0 == cost_of("proxied", 1_000_000, 1_000_000, prices_of(settings)).usd


def test_a_budget_that_no_price_can_hold_is_refused() -> None:
    with pytest.raises(SettingsError, match="max_cost can't be kept: no price is known for model 'proxied'"):
        llm_of(HERE)
