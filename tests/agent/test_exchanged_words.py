"""A question that differs from a sentence in one word asks for something else, and no embedding model can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading
from tests.kit import answer, book

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

FERRY = book(
    """
# Ferry handbook

## Crossing

The ferry from Lund takes 40 minutes. The ramp is let down at 6 am. The lamp is off at noon. Crews check in at 5 am.
The engine is turned off after 3 minutes. Cooks work out in the cold for 20 minutes.
"""
)


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


@pytest.mark.parametrize(
    "question",
    [
        "How long does the ferry to Lund take?",
        "When is the ramp let up?",
        "When is the lamp on?",
        "When do crews check out?",
        "After how many minutes is the engine turned on?",
    ],
)
def test_a_sentence_with_the_contrary_of_a_particle_is_only_near(question: str) -> None:
    assert answer(question, FERRY).needs


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How long does the ferry from Lund take?", "40 minutes"),
        ("When is the ramp let down?", "6 am"),
        ("After how many minutes is the engine turned off?", "3 minutes"),
        ("For how many minutes do cooks work in the cold?", "20 minutes"),  # both stand in the sentence
    ],
)
def test_a_sentence_with_the_particle_of_the_question_is_the_answer(question: str, said: str) -> None:
    found = answer(question, FERRY)
    assert () == found.needs
    assert said in found.finding.claim
