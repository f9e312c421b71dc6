"""What a whole batch may cost, and what a model that refuses does to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.ask import Agent
from agent.batch.budget import BudgetedLLM
from agent.batch.errors import Halted
from agent.batch.results import BatchResult
from agent.errors import LLMError, LLMRefused, QuestionError, RequestRefused
from agent.llm.protocol import LLMRequest, Message, Reply
from agent.llm.scripted import Line, ScriptedLLM
from agent.settings.prices import Price
from agent.settings.settings import Settings
from agent.types import Usage
from tests.agent.shelf import agent_on

PRICES = {"scripted": Price(0.0, 12500.0)}
REQUEST = LLMRequest((Message("user", "Who wins?"),), "plan", max_tokens=10)
"""It costs an eighth of a dollar at most."""


def costing(dollars: float) -> ScriptedLLM:
    return ScriptedLLM(lambda request: Reply("yes", usage=Usage(1, 5, 5, dollars)))


class Halts:
    """Remembers why a batch was to end."""

    def __init__(self) -> None:
        self.told: list[tuple[str, LLMRefused | None]] = []

    def __call__(self, ending: str, error: LLMRefused | None) -> None:
        self.told.append((ending, error))


async def outcomes(llm: BudgetedLLM, count: int) -> list[Any]:
    calls = [asyncio.create_task(llm.complete(REQUEST)) for _ in range(count)]
    await asyncio.wait(calls)
    return [call.exception() or call.result().text for call in calls]


@pytest.mark.parametrize(("budget", "each", "answered"), [
    (1.0, 1 / 8, 8),
    (1.0, 1 / 64, 57),  # of the last eighth nobody knows whether the next call would fit
    (0.1, 0.0, 0),
    (None, 1.0, 200),
])  # fmt: skip
async def test_a_budget_is_used_up_and_never_passed(budget: float | None, each: float, answered: int) -> None:
    halts = Halts()
    paid = BudgetedLLM(costing(each), halts, max_cost=budget, prices=PRICES)
    found = await outcomes(paid, 200)
    assert answered == found.count("yes")
    assert budget is None or paid.usage.cost_usd <= budget + 1e-9
    assert 200 - answered == sum(isinstance(each, Halted) for each in found)
    assert ([] if budget is None else [("budget", None)]) == halts.told


async def test_what_earlier_runs_spent_counts() -> None:
    halts = Halts()
    assert [True] == [
        isinstance(each, Halted)
        for each in await outcomes(BudgetedLLM(costing(0.01), halts, max_cost=1.0, before=0.9, prices=PRICES), 1)
    ]
    assert [("budget", None)] == halts.told


async def test_a_call_that_fails_or_is_cancelled_gives_back_what_it_reserved() -> None:
    hung = asyncio.Event()

    class Hung(ScriptedLLM):
        async def complete(self, request: LLMRequest, on_text: Any = None) -> Reply:
            reply = await super().complete(request, on_text)
            if reply.text == "hang":
                await hung.wait()
            return reply

    paid = BudgetedLLM(Hung(["hang", LLMError("try later"), "yes"]), Halts(), max_cost=0.125, prices=PRICES)
    first = asyncio.create_task(paid.complete(REQUEST))
    second = asyncio.create_task(paid.complete(REQUEST))
    third = asyncio.create_task(paid.complete(REQUEST))
    _, waiting = await asyncio.wait([first, second, third], timeout=0.05)
    assert 3 == len(waiting)
    first.cancel()
    await asyncio.wait([second, third])
    assert "try later" == str(second.exception())
    assert "yes" == third.result().text


async def test_after_a_refusal_nothing_is_sent() -> None:
    halts, refused = Halts(), LLMRefused("does not take the key")
    llm = ScriptedLLM([refused])
    paid = BudgetedLLM(llm, halts)
    for _ in range(3):
        with pytest.raises(Halted):
            await paid.complete(REQUEST)
    assert (1, [("refused", refused)]) == (len(llm.requests), halts.told)


async def test_a_refusal_of_one_request_concerns_no_other() -> None:
    halts = Halts()
    paid = BudgetedLLM(
        ScriptedLLM([RequestRefused("the model refuses this request (HTTP 400: too long)"), "yes"]), halts
    )
    with pytest.raises(LLMRefused):
        await paid.complete(REQUEST)
    assert ("yes", []) == ((await paid.complete(REQUEST)).text, halts.told)


QUESTIONS = ["What does a 5th level reaver need to hit armor class 3?", " ", "How does a hexer rest?", "Bog ogre?"]


async def agent(tmp_path: Path, line: Line | None = None) -> Agent:
    if line is None:
        return await agent_on(tmp_path)
    llm = ScriptedLLM(lambda request: line)
    return await agent_on(tmp_path, llm, Settings(collection="small", planner="llm"))


async def streamed(questions: list[str]) -> AsyncIterator[str]:
    for question in questions:
        yield question


async def test_a_batch_gives_each_question_its_answer_or_its_error(tmp_path: Path) -> None:
    results = [result async for result in (await agent(tmp_path)).batch(streamed(QUESTIONS), concurrency=2)]
    results.sort(key=lambda result: result.line)
    assert ["line-1", "line-2", "line-3", "line-4"] == [result.id for result in results]
    assert QUESTIONS == [result.question for result in results]
    assert [False, True, False, False] == [isinstance(result.error, QuestionError) for result in results]
    assert "14" in str(results[0].answer and results[0].answer.text)


async def test_a_question_may_bring_its_id(tmp_path: Path) -> None:
    asked = [BatchResult("mine", 0, QUESTIONS[0])]
    (result,) = [result async for result in (await agent(tmp_path)).batch(asked)]
    assert ("mine", 1, None) == (result.id, result.line, result.error)


async def test_questions_may_be_as_in_a_file_and_what_is_none_is_its_own_error(tmp_path: Path) -> None:
    asked: list[Any] = [{"id": "mine", "question": QUESTIONS[0]}, {"question": QUESTIONS[0]}, None, {"id": 7}, 5]
    results = [result async for result in (await agent(tmp_path)).batch(asked)]
    results.sort(key=lambda result: result.line)
    assert ["mine", "line-2", "line-3", 7, "line-5"] == [result.id for result in results]
    errors = [str(result.error or "").partition(": ")[2] for result in results]
    assert ["", "", "None", "{'id': 7}", "5"] == errors
    assert {True} == {isinstance(result.error, QuestionError) for result in results[2:]}


async def test_a_model_that_takes_no_key_ends_the_batch(tmp_path: Path) -> None:
    refusing = await agent(tmp_path, LLMRefused("does not take the key"))
    with pytest.raises(LLMRefused, match="does not take the key"):
        async for _ in refusing.batch(QUESTIONS[:1] * 50, concurrency=4):
            pass


async def test_a_model_that_fails_otherwise_is_replaced_by_the_rules(tmp_path: Path) -> None:
    failing = await agent(tmp_path, LLMError("busy"))
    results = [result async for result in failing.batch(QUESTIONS[:1] * 5)]
    assert [True] * 5 == [result.answer is not None and "busy" in result.answer.notes[0] for result in results]
