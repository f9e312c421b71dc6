"""Three hundred questions to a server that fails in every way there is: answered, or in part with the reason."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.llm.client import OpenAILLM
from agent.llm.protocol import LLMRequest, OnText, Reply
from agent.settings.settings import Settings
from agent.types import Answer
from tests.agent.shelf import agent_on
from tests.fake_chat import Said, fenced
from tests.fake_openai import FakeOpenAI
from tests.stalls import stalls

QUESTIONS, AT_ONCE, DEADLINE = 300, 32, 8.0
MIX = {
    "429": 0.10, "500": 0.05, "hung": 0.05, "dripping": 0.01, "html": 0.01, "no choices": 0.01, "truncated": 0.01,
    "cut": 0.01, "dropped": 0.01,
}  # fmt: skip
GOOD = {
    "kind": "open",
    "sub_queries": [
        {"id": "a", "text": "how long must a hexer rest before casting again"},
        {"id": "b", "text": "level 5 reaver attack table armor class 3"},
    ],
}
CIRCLE = {"sub_queries": [{"id": "a", "text": "x {b}", "depends_on": ["b"]}, {"id": "b", "text": "y {a}"}]}
MANY = {"sub_queries": [{"id": f"s{n}", "text": f"hexer rule {n}"} for n in range(10_000)]}
PLANS: tuple[Said, ...] = (
    json.dumps(GOOD), json.dumps(GOOD), json.dumps(GOOD), fenced(json.dumps(GOOD)), json.dumps(GOOD)[:60], "No.",
    json.dumps({"sub_queries": []}), json.dumps(CIRCLE),
    json.dumps({"sub_queries": [{"id": "a", "text": "hexer {z}"}]}),
    json.dumps({**GOOD, "sub_queries": [{**GOOD["sub_queries"][0], "tags": ["none"], "chunk_types": ["all"]}]}),  # type: ignore[dict-item]
)  # fmt: skip
CELL = {
    "subject": "reaver",
    "keys": [{"name": "level", "value": "5"}, {"name": "armor class", "value": "3"}],
    "want": "",
}
TEXTS: tuple[Said, ...] = (
    "A hexer must rest for 8 hours [1].", "A hexer must rest for 8 hours [4711].", "A hexer rests 4711 hours.", "",
    "It was not found.", {"tool_calls": [{"name": "lookup_cell", "arguments": CELL}]},
    {"tool_calls": [{"name": "lookup_cell", "arguments": "{not JSON"}, {"name": "rm", "arguments": {}}]},
)  # fmt: skip


def respond(chat: Mapping[str, Any]) -> Said:
    """Plans and texts in turn, by the number in the question; who is shown an error does better."""
    talk = chat["messages"]
    number = int((re.search(r"number (\d+)", talk[1]["content"]) or ["", "0"])[1])
    if "You split a question" in talk[0]["content"]:
        if number % 100 == 99:
            return json.dumps(MANY)
        return PLANS[number % len(PLANS)] if len(talk) == 2 or number % 3 else json.dumps(GOOD)
    if talk[-1]["role"] == "tool":
        return "A hexer must rest for 8 hours [1]."
    return TEXTS[number % len(TEXTS)] if len(talk) == 2 else TEXTS[0]


class Watched:
    """A client that counts its calls and how far each went beyond its deadline."""

    def __init__(self, inner: OpenAILLM) -> None:
        self._inner, self.calls, self.latest = inner, 0, 0.0

    @property
    def model(self) -> str:
        return self._inner.model

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        self.calls += 1
        try:
            return await self._inner.complete(request, on_text)
        finally:
            assert request.give_up_at is not None
            self.latest = max(self.latest, asyncio.get_running_loop().time() - request.give_up_at)

    async def close(self) -> None:
        await self._inner.close()


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_three_hundred_questions_to_a_server_that_fails_in_every_way(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    with stalls() as stalled, FakeOpenAI(respond, faults=MIX, seed=4).running() as server:
        llm = Watched(OpenAILLM("fake", base_url=server.base_url, api_key="k", timeout=0.5))
        settings = Settings(collection="small", planner="llm", deadline=DEADLINE)
        agent = await agent_on(tmp_path, llm, settings)
        places = asyncio.Semaphore(AT_ONCE)

        async def ask(number: int) -> Answer:
            async with places:
                return await agent.ask(f"How long must a hexer rest before casting, and why, asks number {number}?")

        answers = await asyncio.gather(*(ask(number) for number in range(QUESTIONS)))
        await llm.close()
        assert [] == server.complaints
        assert len(server.requests) / llm.calls <= 1.5
        assert server.requests
    assert 0 == server.connections
    assert before == asyncio.all_tasks()
    assert llm.latest < 0.5 + max(stalled, default=0)
    _check(answers)


def _check(answers: list[Answer]) -> None:
    stops = Counter(answer.stop_reason for answer in answers)
    assert QUESTIONS == stops["complete"] + stops["partial"] + stops["deadline"]
    assert stops["complete"] > QUESTIONS / 4
    for answer in answers:
        assert answer.text
        assert "complete" == answer.stop_reason or answer.unanswered or "(unverified)" in answer.text
        assert "llm" == answer.plan.planner or answer.notes
        assert "4711" not in answer.text.replace("(unverified)", "") or "(unverified)" in answer.text
        assert set(map(int, re.findall(r"\[(\d+)\]", answer.text))) <= {citation.n for citation in answer.citations}


async def test_a_model_that_hangs_leaves_time_for_the_rules(tmp_path: Path) -> None:
    with FakeOpenAI(respond, faults={"hung": 1.0}).running() as server:
        llm = OpenAILLM("fake", base_url=server.base_url, api_key="k")
        agent = await agent_on(tmp_path, llm, Settings(collection="small", planner="llm", deadline=2.0))
        answer = await agent.ask("What are the hit dice of a bog ogre?")
        await llm.close()
    assert ("rules", "complete") == (answer.plan.planner, answer.stop_reason)
    assert "4+1" in answer.text
    assert ("planned and worded by rules, not by the language model: it had no plan after 1 s",) == answer.notes


@pytest.mark.parametrize("fault", ["401", "quota"])
async def test_what_can_not_pass_costs_a_question_one_request(fault: str, tmp_path: Path) -> None:
    with FakeOpenAI(respond, faults={fault: 1.0}).running() as server:
        llm = OpenAILLM("fake", base_url=server.base_url, api_key="sk-canary-12345678")
        answer = await (await agent_on(tmp_path, llm)).ask("How long must a hexer rest, and who has told it so at all?")
        await llm.close()
        assert 1 == len(server.requests)
    assert "rules" == answer.plan.planner
    assert answer.notes
    assert "sk-canary" not in repr(answer)
