"""The double that ships: it follows its script, and says when there is none left."""

from __future__ import annotations

import pytest

from agent.errors import LLMError, LLMRefused
from agent.llm.protocol import LLM, LLMRequest, Message, Reply, ToolCall
from agent.llm.scripted import ScriptedLLM
from agent.types import Usage

HELLO = LLMRequest((Message("user", "Who wins?"),), "plan")


async def test_lines_are_texts_replies_and_exceptions() -> None:
    said = Reply("", (ToolCall("1", "look_up", "{}"),), "tool_calls")
    llm: LLM = ScriptedLLM(["An owl.", said, LLMRefused("no key")])

    assert Reply("An owl.", usage=Usage(1, 3, 2), model="scripted") == await llm.complete(HELLO)
    assert said == await llm.complete(HELLO)
    with pytest.raises(LLMRefused, match="no key"):
        await llm.complete(HELLO)


async def test_a_function_answers_as_often_as_it_is_asked_and_requests_are_remembered() -> None:
    llm = ScriptedLLM(lambda request: request.purpose.upper())
    repair = LLMRequest((), "repair")

    assert ["PLAN", "REPAIR"] == [(await llm.complete(request)).text for request in (HELLO, repair)]
    assert [HELLO, repair] == llm.requests


async def test_an_exception_of_the_function_may_be_returned() -> None:
    with pytest.raises(LLMError, match="down"):
        await ScriptedLLM(lambda request: LLMError("down")).complete(HELLO)


async def test_when_the_lines_run_out_it_says_so() -> None:
    llm = ScriptedLLM(["An owl."])
    await llm.complete(HELLO)

    with pytest.raises(LLMError, match=r"no line for request 2 \(plan\)"):
        await llm.complete(HELLO)


@pytest.mark.parametrize("text", ["An owl\n\nflies. ", " x", "x", "  ", ""])
async def test_text_is_streamed_word_by_word(text: str) -> None:
    heard: list[str | None] = []
    await ScriptedLLM([text]).complete(HELLO, heard.append)

    assert text == "".join(piece or "" for piece in heard)
    assert max(1, len(text.split())) >= len(heard)
