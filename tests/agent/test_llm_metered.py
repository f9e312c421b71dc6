"""A question's budget: exact for calls, before the next call for tokens and dollars; one request for a wrong key."""

from __future__ import annotations

import asyncio

import pytest

from agent.errors import BudgetExceeded, LLMError, LLMRefused
from agent.llm.client import OpenAILLM
from agent.llm.metered import MeteredLLM
from agent.llm.prices import PRICES, Cost, Price, cost_of, is_local
from agent.llm.protocol import LLMRequest, Message, Reply
from agent.llm.scripted import ScriptedLLM
from agent.types import Usage
from tests.fake_openai import FakeOpenAI

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
    [(9, 0), (10, 1), (24, 1), (25, 2), (30, 2), (39, 2), (40, 3), (None, 5)],
)
async def test_tokens_stop_the_next_call_when_they_are_spent_or_its_prompt_would_pass_them(
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
    llm = MeteredLLM(inner, max_tokens=30)
    await asyncio.gather(*(llm.complete(HELLO) for _ in range(10)), return_exceptions=True)

    assert 3 == len(inner.requests)


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
        ("llama3.1:8b", Cost(0.0, False)),
    ],
)
def test_the_longest_beginning_of_a_name_has_the_price(model: str, cost: Cost) -> None:
    assert cost == cost_of(model, 1_000_000, 1_000_000, PRICES)


@pytest.mark.parametrize("host", ["localhost:1234", "127.0.0.1", "[::1]:80", "192.168.1.7", "box.local"])
def test_what_runs_on_the_own_network_costs_nothing(host: str) -> None:
    assert is_local(f"http://{host}/v1")


@pytest.mark.parametrize("host", ["api.openai.com", "8.8.8.8", "localhost.example.com", "[::1"])
def test_what_runs_elsewhere_has_its_price(host: str) -> None:
    assert not is_local(f"https://{host}/v1")
