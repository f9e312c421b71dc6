"""A question can be cancelled wherever it waits, and nothing is left behind: no task, no lock, no half-told stream."""

from __future__ import annotations

import asyncio
import json
import types
from collections.abc import Awaitable, Generator
from pathlib import Path
from typing import Any

import pytest

from agent.ask import Agent
from agent.errors import AgentError
from agent.llm.protocol import LLMRequest
from agent.llm.scripted import ScriptedLLM
from agent.settings.settings import Settings
from tests.agent.shelf import agent_on

QUESTION = "What does a 5th level reaver need to hit armor class 3, and how long must a hexer rest before casting?"
READS = {"subject": "bog ogre", "attribute": "armor class", "type": "integer"}
PLAN = json.dumps(
    {
        "kind": "compare",
        "entities": ["reaver"],
        "attribute": "roll to hit",
        "keys": [{"name": "level", "value": "5"}, {"name": "armor class", "value": "3"}],
        "sub_queries": [
            {"id": "a", "text": "bog ogre armor class", "reads": READS},
            {"id": "b", "text": "reaver attack table armor class {a}", "depends_on": ["a"]},
        ],
    }
)
ENOUGH = 2000
"""More than any question has places to wait at."""


def reply(request: LLMRequest) -> str:
    return {"plan": PLAN, "gaps": '{"missing": [{"need": "fears", "query": "what a bog ogre fears"}]}'}.get(
        request.purpose, "A hexer must rest for 9 hours [1]."
    )


async def agent(tmp_path: Path) -> Agent:
    settings = Settings(collection="small", planner="llm", effort="medium")
    return await agent_on(tmp_path, ScriptedLLM(reply), settings)


@types.coroutine
def cancelled_at(work: Awaitable[Any], place: int) -> Generator[Any, Any, Any]:
    """The work, whose task is cancelled when it waits for the `place`th time."""
    steps, met = work.__await__(), 0
    sent: Any = None
    while True:
        try:
            waits_for = steps.send(sent)
        except StopIteration as finished:
            return finished.value
        met += 1
        if met == place:
            task = asyncio.current_task()
            assert task is not None
            asyncio.get_running_loop().call_soon(task.cancel)
        try:
            sent = yield waits_for
        except BaseException as error:  # noqa: BLE001 - handed on to the work
            try:
                waits_for = steps.throw(error)
            except StopIteration as finished:
                return finished.value
            sent = yield waits_for


async def cancelled(work: Awaitable[Any], place: int) -> bool:
    """Run the work in a task that is cancelled at a place; say whether there was such a place."""
    task: asyncio.Task[Any] = asyncio.ensure_future(_as_coroutine(work, place))
    try:
        await task
    except asyncio.CancelledError:
        return True
    return False


async def _as_coroutine(work: Awaitable[Any], place: int) -> Any:
    return await cancelled_at(work, place)


async def test_a_question_can_be_cancelled_wherever_it_waits(tmp_path: Path) -> None:
    asked = await agent(tmp_path)
    before, places = asyncio.all_tasks(), 0
    for place in range(1, ENOUGH):
        if not await cancelled(asked.ask(QUESTION), place):
            break
        places = place
        assert before == asyncio.all_tasks()
    assert 10 < places < ENOUGH - 1
    assert "bog ogre armor class" == (await asked.ask(QUESTION)).evidence.retrieved[0].sub_query.text


async def test_a_question_can_be_cancelled_after_any_turn_of_the_event_loop(tmp_path: Path) -> None:
    asked = await agent(tmp_path)
    before, done = asyncio.all_tasks(), False
    turns = 0
    while not done:
        task = asyncio.create_task(asked.ask(QUESTION))
        for _ in range(turns):
            await asyncio.sleep(0)
        done = task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert before == asyncio.all_tasks()
        turns += 1 + turns // 8
    assert turns > 10
    assert (await asked.ask(QUESTION)).text


@pytest.mark.parametrize("seen", range(6))
async def test_a_stream_that_is_left_early_ends_its_work(seen: int, tmp_path: Path) -> None:
    asked = await agent(tmp_path)
    before = asyncio.all_tasks()
    stream = asked.stream(QUESTION)
    for _ in range(seen):
        await anext(stream)
    await stream.aclose()
    assert before == asyncio.all_tasks()


def test_one_agent_under_a_second_event_loop_refuses_clearly(tmp_path: Path) -> None:
    made: list[Agent] = []

    async def first() -> None:
        made.append(await agent(tmp_path))
        await made[0].ask(QUESTION)

    asyncio.run(first())
    with pytest.raises(AgentError, match="another event loop; open one in each"):
        asyncio.run(made[0].ask(QUESTION))


async def test_two_agents_in_one_loop_do_not_meet(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = await agent(tmp_path / "a"), await agent(tmp_path / "b")
    first, second = await asyncio.gather(one.ask(QUESTION), other.ask(QUESTION))
    assert first.run_id != second.run_id
    assert first.text == second.text
    assert first.usage == second.usage
