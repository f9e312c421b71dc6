"""A question's budget: exact for calls, before the next call for tokens and dollars; one request for a wrong key."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from agent.errors import BudgetExceeded, LLMError, LLMRefused
from agent.llm.client import OpenAILLM
from agent.llm.metered import MeteredLLM
from agent.llm.protocol import LLMRequest, Message, Reply
from agent.llm.scripted import ScriptedLLM
from agent.settings.prices import PRICES, Cost, Price, cost_of, is_local
from agent.types import Usage
from tests.agent.asking import Pauses
from tests.fake_openai import FakeOpenAI
from tests.loopback import Reply as Answer

HELLO = LLMRequest((Message("user", "x" * 40),), "plan")
"""Ten tokens, as estimated."""


def spending(calls: int = 1, prompt: int = 10, completion: int = 5, cost: float = 0.25) -> Reply:
    return Reply("ok", usage=Usage(calls, prompt, completion, cost))


async def test_usage_is_the_sum_of_what_was_spent() -> None:
    llm = MeteredLLM(ScriptedLLM([spending(), spending(0, 0, 0, 0.0), LLMError("down"), spending(1, 20, 1, 0.5)]))
    for _ in range(2):
        await llm.complete(HELLO)
    with pytest.raises(LLMError, match="down"):
        await llm.complete(HELLO)
    await llm.complete(HELLO)

    assert Usage(3, 30, 6, 0.75) == llm.usage


async def test_calls_side_by_side_can_not_pass_the_limit_together() -> None:
    inner = ScriptedLLM(lambda request: "ok")
    llm = MeteredLLM(inner, max_calls=3)
    ended = await asyncio.gather(*(llm.complete(HELLO) for _ in range(10)), return_exceptions=True)

    assert (3, 7) == (len(inner.requests), sum(isinstance(each, BudgetExceeded) for each in ended))
    assert "raise max_llm_calls" in str(ended[-1])


@pytest.mark.parametrize(
    ("max_tokens", "calls"),
    [(9, 0), (10, 0), (11, 1), (25, 1), (26, 2), (30, 2), (40, 2), (41, 3), (None, 5)],
)
async def test_tokens_stop_the_next_call_when_its_prompt_leaves_no_room_for_an_answer(
    max_tokens: int | None, calls: int
) -> None:
    inner = ScriptedLLM([spending()] * 5)
    llm = MeteredLLM(inner, max_tokens=max_tokens)
    assert calls == await possible(llm)
    assert calls == len(inner.requests)


@pytest.mark.parametrize(("max_cost", "calls"), [(0.2, 1), (0.25, 1), (0.5, 2), (0.6, 3), (0.0, 0), (None, 5)])
async def test_dollars_stop_the_next_call_when_they_are_spent(max_cost: float | None, calls: int) -> None:
    assert calls == await possible(MeteredLLM(ScriptedLLM([spending()] * 5), max_cost=max_cost))


async def test_dollars_stop_a_call_whose_prompt_alone_would_pass_them() -> None:
    prices = {"scripted": Price(prompt=100_000.0, completion=0.0)}  # ten tokens cost a dollar
    llm = MeteredLLM(ScriptedLLM([spending(cost=1.0)] * 5), max_cost=2.5, prices=prices)

    assert 2 == await possible(llm)


async def test_prompts_that_are_under_way_count() -> None:
    inner = ScriptedLLM(lambda request: spending())
    llm = MeteredLLM(inner, max_tokens=31)
    await asyncio.gather(*(llm.complete(HELLO) for _ in range(10)), return_exceptions=True)

    assert 3 == len(inner.requests)


@pytest.mark.parametrize(
    ("limit", "rooms"), [({"max_tokens": 45}, [35, 20, 5]), ({"max_cost": 100.0}, [40, 25, 10]), ({}, [50, 50, 50])]
)
async def test_an_answer_may_be_as_long_as_what_is_left(limit: dict[str, Any], rooms: list[int]) -> None:
    inner = ScriptedLLM([spending(cost=30.0)] * 3)
    llm = MeteredLLM(inner, prices={"scripted": Price(2_000_000.0, 2_000_000.0)}, **limit)
    for _ in range(3):
        await llm.complete(replace(HELLO, max_tokens=50))

    assert rooms == [request.max_tokens for request in inner.requests]


PAID_FOR_NOTHING = Answer({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 2000}})


@pytest.mark.parametrize(
    ("limit", "requests", "tokens"), [({"max_tokens": 5000}, 2, 6000), ({"max_cost": 2.5}, 1, 3000), ({}, 5, 15_000)]
)
async def test_what_failed_attempts_cost_counts_and_ends_a_call(
    limit: dict[str, Any], requests: int, tokens: int
) -> None:
    prices = {"small": Price(1000.0, 1000.0)}
    with FakeOpenAI().running() as server:
        server.then(*[PAID_FOR_NOTHING] * 5)
        llm = MeteredLLM(OpenAILLM("small", base_url=server.base_url, prices=prices, sleep=Pauses()), **limit)
        with pytest.raises(BudgetExceeded if limit else LLMError, match="raise max_" if limit else "without choices"):
            await llm.complete(HELLO)
        await llm.close()

    assert requests == len(server.requests)
    usage = llm.usage
    assert (1, tokens) == (usage.llm_calls, usage.prompt_tokens + usage.completion_tokens)
    assert tokens / 1000 == pytest.approx(usage.cost_usd)


async def test_what_failed_attempts_cost_is_in_the_usage_of_the_reply_once() -> None:
    with FakeOpenAI().running() as server:
        server.then(PAID_FOR_NOTHING)
        llm = MeteredLLM(OpenAILLM("small", base_url=server.base_url, sleep=Pauses()), max_tokens=4000)
        reply = await llm.complete(HELLO)
        await llm.close()

    assert Usage(1, 1001, 2003) == reply.usage == llm.usage
    assert [2000, 990] == [request.json()["max_tokens"] for request in server.requests]


async def possible(llm: MeteredLLM) -> int:
    """How many of five calls are made."""
    for done in range(5):
        try:
            await llm.complete(HELLO)
        except BudgetExceeded:
            return done
    return 5


async def test_a_wrong_key_costs_a_question_one_request() -> None:
    with FakeOpenAI().running() as server:
        server.then("401")
        client = OpenAILLM("small", base_url=server.base_url, api_key="sk-1")
        llm = MeteredLLM(client)
        said = []
        for _ in range(3):
            with pytest.raises(LLMRefused, match="does not take the key") as caught:
                await llm.complete(HELLO)
            said.append(str(caught.value))
        await llm.close()

    assert (1, 1, 1) == (len(server.requests), len(set(said)), llm.usage.llm_calls)


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        ("gpt-4o", Cost(12.5, True)),
        ("gpt-4o-2024-11-20", Cost(12.5, True)),
        ("gpt-4o-mini", Cost(0.75, True)),
        ("gpt-4", Cost(90.0, True)),
        ("gpt-4-0613", Cost(90.0, True)),
        ("gpt-4o-2024-05-13", Cost(20.0, True)),
        ("gpt-4.1-latest", Cost(10.0, True)),
        *(
            (other, Cost(0.0, False))
            for other in ("llama3.1:8b", "o1-pro", "o3-pro", "o1-mini", "gpt-5-pro", "gpt-4.5-preview", "gpt-4-32k")
        ),
        ("o1x-my-llama", Cost(0.0, False)),
    ],
)
def test_a_price_is_that_of_the_model_or_of_a_dated_version_of_it(model: str, cost: Cost) -> None:
    assert cost == cost_of(model, 1_000_000, 1_000_000, PRICES)


@pytest.mark.parametrize("host", ["localhost:1234", "127.0.0.1", "[::1]:80", "192.168.1.7", "box.local"])
def test_what_runs_on_the_own_network_costs_nothing(host: str) -> None:
    assert is_local(f"http://{host}/v1")


@pytest.mark.parametrize("host", ["api.openai.com", "8.8.8.8", "localhost.example.com", "[::1"])
def test_what_runs_elsewhere_has_its_price(host: str) -> None:
    assert not is_local(f"https://{host}/v1")
