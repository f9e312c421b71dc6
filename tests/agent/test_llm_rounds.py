"""Rounds with tools: what a model was told by them stays, and who has used them up is told so."""

from __future__ import annotations

import json
from pathlib import Path

from agent.llm.protocol import LLMRequest, Message, Reply, ToolCall
from agent.llm.scripted import Line, ScriptedLLM
from agent.writing.wording.writer import NO_MORE_TOOLS, TOOL_ROUNDS
from tests.agent.shelf import agent_on
from tests.agent.tool_users import FERRIES, NO_FERRY, cell, talking, told

WILLOW = cell("Willow", "Upper", "Seats")


def calling(number: int) -> Reply:
    name, arguments = WILLOW
    return Reply("", (ToolCall(f"c{number}", name, json.dumps(arguments)),))


def restless(answer: str, rounds: int) -> ScriptedLLM:
    """A model that calls a tool so many times, whether it is offered any or not, and then writes."""
    asked = 0

    def line(request: LLMRequest) -> Line:
        nonlocal asked
        if request.purpose == "plan":
            return json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": "the sun"}]})
        asked += 1
        return (
            calling(asked) if asked <= rounds else answer.format(told(request)[0].partition("[")[2].partition("]")[0])
        )

    return ScriptedLLM(line)


async def test_what_tools_said_is_still_there_when_an_answer_is_repaired(tmp_path: Path) -> None:
    llm = talking(WILLOW, answer="The Willow has 60 seats above [{0}]. The Willow has 61 seats below [{0}].")
    await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)
    repair = next(each for each in llm.requests if each.purpose == "repair")

    assert ["system", "user", "assistant", "tool", "assistant", "user"] == [each.role for each in repair.messages]
    assert "Deck Upper / Seats = 60" in told(repair)[0]


async def test_who_has_used_up_the_tools_is_told_so(tmp_path: Path) -> None:
    llm = restless("The Willow has 60 seats above [{0}].", TOOL_ROUNDS)
    answer = await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)

    assert ((), Message("user", NO_MORE_TOOLS)) == (llm.requests[-1].tools, llm.requests[-1].messages[-1])
    assert answer.text.startswith("The Willow has 60 seats above [")


async def test_who_calls_tools_nevertheless_is_asked_once_more_for_the_answer(tmp_path: Path) -> None:
    llm = restless("The Willow has 60 seats above [{0}].", TOOL_ROUNDS + 1)
    answer = await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)

    assert answer.text.startswith("The Willow has 60 seats above [")
    assert NO_MORE_TOOLS == told(llm.requests[-1])[-1]


async def test_who_never_stops_calling_tools_has_written_nothing(tmp_path: Path) -> None:
    llm = restless("The Willow has 60 seats above [{0}].", 99)
    answer = await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)

    assert any("wrote nothing" in note for note in answer.notes)
    assert TOOL_ROUNDS + 2 == sum(each.purpose == "synthesize" for each in llm.requests)
