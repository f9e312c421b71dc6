"""What people type into a search box about the bundled book, and what they ask that no book can answer."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from agent.ask import Agent
from agent.settings.settings import Settings


@pytest.fixture(scope="module")
async def agent(sample_chroma: str) -> AsyncIterator[Agent]:
    async with Agent.open(Settings(collection="rules", chroma=sample_chroma, planner="rules")) as agent:
        yield agent


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many HP does an owlbear have?", "24.5"),
        ("ac of an owlbear", "5"),
        ("highest armor class of any monster", "Zombie"),
        ("Which has more hit points, an ogre or an owlbear?", "owlbear"),
        ("How many experience points does a fighter need to become 9th level?", "250,001"),
    ],
)
async def test_a_hasty_question_has_its_value(agent: Agent, question: str, verdict: str) -> None:
    answer = await agent.ask(question)

    assert ("complete", verdict) == (answer.stop_reason, answer.verdict)


@pytest.mark.parametrize("question", ["owlbear stats", "stats of an owlbear", "tell me about owlbears", "owlbear"])
async def test_the_stats_of_one_are_all_that_the_book_says(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)

    assert "complete" == answer.stop_reason
    assert {"5+2", "12"} <= {token.strip('";,.') for token in answer.text.split()}


@pytest.mark.parametrize("question", ["dragon stats", "dragons", "tell me about dragons"])
async def test_of_a_kind_the_book_tells_what_its_section_says(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)

    assert "complete" == answer.stop_reason
    assert "Dragons are the oldest and proudest of monsters." in answer.text


@pytest.mark.parametrize(
    "question",
    ["beholder", "Describe a beholder and its abilities", "How many HP does a beholder have?", "beholder stats"],
)
async def test_one_that_no_book_has_is_said_to_be_missing(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)

    assert "partial" == answer.stop_reason
    assert "nothing there has the word 'beholder'" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many hit points does a fighter have?",
        "How many daggers does a cleric carry?",
        "What creatures have the highest effective armor class?",
    ],
)
async def test_what_is_no_member_is_not_counted_and_not_the_best(agent: Agent, question: str) -> None:
    """A row that has a number for a name is nobody, and an amount of somebody is no number of things."""
    assert "complete" != (await agent.ask(question)).stop_reason
