"""A question that differs from a sentence in one word asks for something else, and no embedding model can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading

POOL = """# Swimming pool rules

## Tickets

An adult ticket costs 6 euros and is valid for two hours. Groups of ten or more must book one week ahead.
Lockers take a coin of one euro.

## Water

The small pool is heated to 31 degrees. The water is changed every four weeks. The diving tower is closed in winter.
Chlorine is measured twice a day by the lifeguard.

## Staff

Lifeguards must renew their certificate every two years. The pool was opened by mayor Ida Brandt in 1962.
Night shifts are paid 20 percent more than day shifts. A lifeguard may work at most nine hours a day.

## Returns

Lost towels are kept for 30 days at the front desk. Reports of accidents go to the district office within 48 hours.
"""


@pytest.fixture
async def agent(tmp_path: Path) -> Agent:
    return await reading(POOL, tmp_path)


@pytest.mark.parametrize(
    "question",
    [
        "How much does a child ticket cost?",
        "How warm is the large pool?",
        "How long are lost phones kept at the front desk?",
        "Who closed the pool in 1962?",
        "How often must swimmers renew their certificate?",
        "How many hours may a cashier work a day?",
        "Within how many hours do reports of theft go to the district office?",
        "How often is salt measured by the lifeguard?",
    ],
)
async def test_a_sentence_with_another_word_in_its_place_is_only_near(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)

    assert "partial" == answer.stop_reason


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How warm is the small pool?", "31 degrees"),
        ("What coin do I need for a locker?", "one euro"),
        ("In which year did mayor Ida Brandt open the pool?", "1962"),
        ("How often do lifeguards have to renew the certificate?", "every two years"),
    ],
)
async def test_a_sentence_that_tells_every_word_is_the_answer(agent: Agent, question: str, said: str) -> None:
    answer = await agent.ask(question)

    assert "complete" == answer.stop_reason
    assert said in answer.text
