"""The client of versus before `transformers serve`, whose model says letters at random: nothing that it says holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import LLMError
from agent.llm.protocol import LLMRequest
from tests.agent.asking import HELLO, Heard
from tests.agent.shelf import agent_on
from tests.servers.conftest import dropping, opened
from tests.servers.test_litellm import OBJECT, STREAMED, WITH_TOOL, planner

pytestmark = pytest.mark.timeout(180, func_only=True)
SHORT = LLMRequest(HELLO.messages, "synthesize", max_tokens=20)
Served = tuple[str, str]


@STREAMED
async def test_what_it_says_arrives_with_its_tokens_counted(streaming: bool, transformers: Served) -> None:
    heard = Heard()
    async with opened(*transformers) as llm:
        reply = await llm.complete(SHORT, heard if streaming else None)
    assert reply.text
    assert ("length", 20) == (reply.finish_reason, reply.usage.completion_tokens)
    assert heard.text == (reply.text if streaming else "")


@STREAMED
@pytest.mark.parametrize("request_", [OBJECT, WITH_TOOL], ids=["a schema", "a tool"])
async def test_what_it_does_not_know_is_ignored(request_: LLMRequest, streaming: bool, transformers: Served) -> None:
    request = LLMRequest(request_.messages, "plan", request_.schema, request_.tools, max_tokens=20)
    async with opened(*transformers) as llm:
        reply = await llm.complete(request, Heard() if streaming else None)
    assert reply.text
    assert () == reply.tool_calls


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the armor class of the bog ogre?", "5"),
        ("How long must a hexer rest before casting again?", "8 hours"),
    ],
    ids=["computed", "open"],
)
async def test_random_letters_leave_the_answer_to_the_rules(
    question: str, value: str, transformers: Served, tmp_path: Path
) -> None:
    async with opened(*transformers, timeout=10.0, attempts=1) as llm:
        answer = await (await agent_on(tmp_path, llm, planner(deadline=60.0))).ask(question)
    assert value in answer.text
    assert "\ufffd" not in answer.text
    assert "rules" == answer.plan.planner
    assert any("by rules, not by the language model" in note for note in answer.notes)


async def test_a_model_that_is_not_there_is_named(transformers: Served) -> None:
    async with opened(transformers[0], "nobody/nothing") as llm:
        with pytest.raises(LLMError, match="nobody/nothing"):
            await llm.complete(SHORT)


async def test_a_key_that_nobody_asks_for_does_no_harm(transformers: Served) -> None:
    async with opened(*transformers, "sk-anything") as llm:
        assert (await llm.complete(SHORT)).text


@STREAMED
@pytest.mark.parametrize("at", [0, 30])
async def test_a_connection_that_breaks_is_a_reason(at: int, streaming: bool, transformers: Served) -> None:
    with dropping(transformers[0], at) as broken:
        async with opened(broken.url, transformers[1]) as llm:
            with pytest.raises(LLMError):
                await llm.complete(SHORT, Heard() if streaming else None)
