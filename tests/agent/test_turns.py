"""A conversation of many turns: by rules and with a model, the fifth question still knows what it speaks of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agent.ask import Agent
from agent.llm.scripted import ScriptedLLM
from agent.planning.conversation import TURNS
from agent.types import Answer
from tests.agent.shelf import agent_on

PUMPS = """# Pumps

| Pump | Weight | Flow | Price |
|---|---|---|---|
| Heron | 12 kg | 40 l/min | 310 |
| Stork | 19 kg | 55 l/min | 450 |
| Crane | 31 kg | 90 l/min | 990 |

# Priming

Fill the chamber with water before the first start.
"""


async def conversation(agent: Agent, *questions: str) -> list[Answer]:
    answers: list[Answer] = []
    for question in questions:
        answers.append(await agent.ask(question, after=[answer.turn for answer in answers]))
    return answers


async def test_by_rules_the_fifth_turn_still_knows_its_subject(tmp_path: Path) -> None:
    agent = await agent_on(tmp_path, book=PUMPS)
    told = await conversation(
        agent,
        "What is the weight of the Heron?",
        "And its flow?",
        "How is the chamber primed?",
        "What about its price?",
        "And the Stork?",
    )
    assert "40 l/min" in told[1].text
    assert "310" in told[3].text
    assert "450" in told[4].text
    assert ["complete"] * 3 == [told[turn].stop_reason for turn in (1, 3, 4)]


def drafted(text: str, **more: Any) -> str:
    return json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": text}], **more})


ON = "How much would one have to carry, if it had to be moved by hand?"


async def test_a_model_says_what_a_question_means_after_a_conversation(tmp_path: Path) -> None:
    meant = "What is the weight of the Heron?"
    llm = ScriptedLLM(
        [drafted("heron pump flow"), "40 l/min [1].", drafted("heron weight", standalone=meant), "12 kg [1]."]
    )
    agent = await agent_on(tmp_path, llm, book=PUMPS)
    first, second = await conversation(agent, "What is the flow of the Heron?", ON)

    planning, writing = llm.requests[2].messages[-1].content, llm.requests[3].messages[1].content
    for prompt in (planning, writing):
        assert first.question in prompt
        assert "40 l/min" in prompt
    assert (meant, ON) == (second.plan.understood, second.plan.question)
    assert "12 kg" in second.text


async def test_whom_nobody_spoke_of_is_not_taken_for_the_subject(tmp_path: Path) -> None:
    llm = ScriptedLLM([drafted("heron flow"), "40 l/min [1].", drafted("crane", standalone="The weight of the Crane?")])
    agent = await agent_on(tmp_path, llm, book=PUMPS)
    _, second = await conversation(agent, "What is the flow of the Heron?", ON)
    assert "Crane" not in second.plan.understood


async def test_a_prompt_tells_the_last_turns_and_how_long_answers_begin(tmp_path: Path) -> None:
    questions = [f"What is the flow of the Heron at {bar} bar?" for bar in range(1, TURNS + 3)]
    llm = ScriptedLLM([])
    agent = await agent_on(tmp_path, book=PUMPS)
    told = [answer.turn for answer in await conversation(agent, *questions)]
    asked = await agent_on(tmp_path, llm, book=PUMPS)
    await asked.ask(ON, after=told)

    prompt = llm.requests[0].messages[1].content
    assert [False, False, *[True] * TURNS] == [question in prompt for question in questions]
    assert len(prompt) < 8_000
