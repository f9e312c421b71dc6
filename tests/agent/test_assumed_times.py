"""What the model is near to is not assumed for times and counts: days when it is closed, letters, numbers of days."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading

TOWN = """# Skerrow

## Saltmarsh Books

Hours: Wed to Sat 10:30 am to 6 pm, Sun noon to 4 pm
Closed: Monday and Tuesday

## Sailings

| Sailing | Days | Dunmorrow | Orsa |
|-|-|-|-|
| O1 | D | 06:45 | 10:30 |
| O2 | MWF | 12:10 | 16:05 |
| O3 | D | 17:20 | 21:00 |

## Seeds

| Vegetable | Days to germinate | Sowing |
|-|-|-|
| Carrot | 14–21 | March to June |
| Lettuce | 6–10 | April to August |
| Leek | 12–18 | February to April |

## Cakes

| Cake | Weight (g) | Keeps |
|-|-|-|
| Plum Lattice | 140 | 3 days |
| Butter Spiral | 90 | 2 days |
"""


@pytest.fixture
async def agent(tmp_path: Path) -> Agent:
    return await reading(TOWN, tmp_path)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("When is Saltmarsh Books open on Sunday?", "Monday and Tuesday"),
        ("How long does sailing O1 take from Dunmorrow to Orsa?", "D"),
        ("Which vegetable can be sown latest in the year?", "Carrot"),
    ],
)
async def test_nothing_of_another_kind_is_told_as_complete(agent: Agent, question: str, wrong: str) -> None:
    told = await agent.ask(question)

    assert wrong != told.verdict


async def test_a_count_is_no_amount_in_another_unit(agent: Agent) -> None:
    told = await agent.ask("How many kilocalories are in a Plum Lattice?")

    assert "complete" != told.stop_reason
