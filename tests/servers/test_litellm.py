"""versus' client before litellm's proxy: what it says, in its own forms, and how it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.errors import LLMError, LLMRefused
from agent.llm.protocol import LLMRequest, Message, Tool
from agent.settings.settings import Settings
from tests.agent.asking import HELLO, Heard
from tests.agent.shelf import agent_on
from tests.agent.test_llm_replay import CAREFUL, PLAN, QUESTION, responding
from tests.fake_chat import Said
from tests.fake_openai import FakeOpenAI
from tests.servers.conftest import KEY, SENTENCE, dropping, opened

pytestmark = pytest.mark.timeout(120, func_only=True)
STREAMED = pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
SCHEMA = {"type": "object", "properties": {"winner": {"type": "string"}}, "required": ["winner"]}
OBJECT = LLMRequest(HELLO.messages, "plan", schema=SCHEMA)
LOOKUP = Tool("lookup_cell", "Reads a cell.", {"type": "object", "properties": {"subject": {"type": "string"}}})
WITH_TOOL = LLMRequest((Message("user", "Which armor class has an orc?"),), "synthesize", tools=(LOOKUP,))


def planner(**settings: Any) -> Settings:
    return Settings(collection="small", planner="llm", absolute_min=0.0, **settings)


@STREAMED
async def test_an_answer_arrives_with_its_tokens_counted(streaming: bool, litellm: str) -> None:
    heard = Heard()
    async with opened(litellm, "answering") as llm:
        reply = await llm.complete(HELLO, heard if streaming else None)
    assert (SENTENCE, "stop") == (reply.text, reply.finish_reason)
    assert 0 < reply.usage.completion_tokens < 100
    assert heard.text == (SENTENCE if streaming else "")


async def test_a_question_is_planned_and_answered_through_the_proxy(
    litellm: str, upstream: FakeOpenAI, tmp_path: Path
) -> None:
    upstream.respond = responding(PLAN, CAREFUL)
    async with opened(litellm, "relayed") as llm:
        answer = await (await agent_on(tmp_path, llm, planner())).ask(QUESTION)
    assert ("complete", "llm") == (answer.stop_reason, answer.plan.planner)
    assert "8 hours" in answer.text
    assert [] == upstream.complaints


async def test_an_answer_streams_through_the_proxy(litellm: str, upstream: FakeOpenAI, tmp_path: Path) -> None:
    upstream.respond = responding(PLAN, CAREFUL)
    async with opened(litellm, "relayed") as llm:
        agent = await agent_on(tmp_path, llm, planner())
        events = [event async for event in agent.stream(QUESTION)]
    assert 3 < sum(event.name == "answer.delta" for event in events)
    assert "answer.completed" == events[-1].name


async def test_a_model_that_plans_in_prose_leaves_that_to_the_rules_and_says_so(litellm: str, tmp_path: Path) -> None:
    async with opened(litellm, "answering") as llm:
        answer = await (await agent_on(tmp_path, llm, planner())).ask(
            "How long must a hexer rest before casting again?"
        )
    assert "rules" == answer.plan.planner
    assert any("planned by rules" in note for note in answer.notes)
    assert "8 hours" in answer.text


@STREAMED
async def test_a_model_without_structured_output_is_asked_in_words(streaming: bool, litellm: str) -> None:
    async with opened(litellm, "simple") as llm:
        for _ in range(2):  # what was learnt is kept
            reply = await llm.complete(OBJECT, Heard() if streaming else None)
            assert SENTENCE == reply.text


async def test_a_schema_reaches_the_model_behind_the_proxy(litellm: str, upstream: FakeOpenAI) -> None:
    forms: list[Mapping[str, Any]] = []

    def respond(chat: dict[str, Any]) -> Said:
        forms.append(chat["response_format"])
        return json.dumps({"winner": "the orc"})

    upstream.respond = respond
    async with opened(litellm, "relayed") as llm:
        reply = await llm.complete(OBJECT)
    assert {"winner": "the orc"} == json.loads(reply.text)
    assert ["json_schema"] == [each["type"] for each in forms]


@STREAMED
async def test_a_tool_call_arrives_whole(streaming: bool, litellm: str, upstream: FakeOpenAI) -> None:
    upstream.respond = lambda chat: {"tool_calls": [{"name": "lookup_cell", "arguments": {"subject": "orc"}}]}
    async with opened(litellm, "relayed") as llm:
        reply = await llm.complete(WITH_TOOL, Heard() if streaming else None)
    assert [("lookup_cell", {"subject": "orc"})] == [
        (each.name, json.loads(each.arguments)) for each in reply.tool_calls
    ]


async def test_a_model_without_tools_answers_without_them(litellm: str) -> None:
    async with opened(litellm, "simple") as llm:
        assert SENTENCE == (await llm.complete(WITH_TOOL)).text


async def test_a_model_that_is_not_there_is_named(litellm: str) -> None:
    async with opened(litellm, "nobody") as llm:
        with pytest.raises(LLMError, match="nobody"):
            await llm.complete(HELLO)


async def test_a_key_that_is_refused_is_not_told(litellm: str) -> None:
    async with opened(litellm, "answering", "sk-wrong-canary") as llm:
        with pytest.raises(LLMError, match="No connected db") as caught:  # so a proxy that knows one key only says it
            await llm.complete(HELLO)
    assert not re.search(f"sk-wrong-canary|{KEY}", str(caught.value))


async def test_a_key_that_is_refused_behind_the_proxy_turns_the_model_off(litellm: str, upstream: FakeOpenAI) -> None:
    upstream.then("401")
    async with opened(litellm, "relayed") as llm:
        with pytest.raises(LLMRefused, match="does not take the key"):
            await llm.complete(HELLO)


@STREAMED
@pytest.mark.parametrize("model", ["limited", "broken"])
async def test_what_fails_behind_the_proxy_is_a_reason(
    model: str, streaming: bool, litellm: str, tmp_path: Path
) -> None:
    async with opened(litellm, model) as llm:
        with pytest.raises(LLMError):
            await llm.complete(HELLO, Heard() if streaming else None)
        answer = await (await agent_on(tmp_path, llm, planner(deadline=20.0))).ask(
            "What is the armor class of the bog ogre?"
        )
    assert "5" in answer.text
    assert answer.notes


@STREAMED
@pytest.mark.parametrize("at", [0, 30])
async def test_a_connection_that_breaks_is_a_reason(at: int, streaming: bool, litellm: str) -> None:
    with dropping(litellm, at) as broken:
        async with opened(broken.url, "answering") as llm:
            with pytest.raises(LLMError):
                await llm.complete(HELLO, Heard() if streaming else None)


async def test_an_upstream_that_breaks_off_is_a_reason(litellm: str, upstream: FakeOpenAI) -> None:
    async with opened(litellm, "relayed", timeout=5.0) as llm:
        upstream.then(*["dropped"] * 20)
        with pytest.raises(LLMError):
            await llm.complete(HELLO)
