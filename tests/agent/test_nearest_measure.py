"""Comparisons of those who are named in other words than the collection's: by the measure whose question is nearest."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading

BARGES = """# Barges

## Reed

- Age, Actual: 90 years
- Age, Updated: 2002-12-10
- Ropes on board, Actual: ~300
- Ropes on board, Updated: 2002-12-10
- Cargo, Actual: 40 t
- Cargo, Updated: 2002-12-11

## Tern

- Age, Actual: 110 years
- Age, Updated: 2002-12-10
- Ropes on board, Actual: ~500
- Ropes on board, Updated: 2002-12-10
- Cargo, Actual: 25 t
- Cargo, Updated: 2002-12-11

"""


@pytest.fixture
async def agent(tmp_path: Path) -> Agent:
    return await reading(BARGES, tmp_path)


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who of the two is older, the Reed or the Tern?", "Tern"),
        ("Which of the Reed and the Tern contains the most ropes?", "Tern"),
    ],
)
async def test_who_has_more_is_told_by_the_measure_that_is_asked_in_other_words(
    agent: Agent, question: str, who: str
) -> None:
    told = await agent.ask(question)

    assert "complete" == told.stop_reason
    assert who == told.verdict


@pytest.mark.parametrize(
    "question",
    [
        "Which has the prettier figurehead, the Reed or the Tern?",
        "Does the Reed or the Tern burn more diesel?",
        "Older at 9 knots?\n- Reed\n- Tern",
        "Did Ada Holt sail the Reed or the Tern on more voyages?",
    ],
)
async def test_what_no_measure_tells_has_no_verdict(agent: Agent, question: str) -> None:
    told = await agent.ask(question)

    assert "complete" != told.stop_reason
    assert told.verdict is None
