"""What a sentence describes and the question asks for in other words, with the real embedding model."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading

HARBOUR = """# Harbour of Torsvik

## Mooring controller

| Parameter | Meaning | Default |
|---|---|---|
| slack_limit | How far a rope may give way before the winch pulls it in | 40 cm |
| storm_mode | Doubles all ropes when the wind is strong | off |
| retry_count | The number of attempts to reach the tide station before an alarm is raised | 6 |
| horn | Sounds a tone when a ship leaves its berth | on |
| log_path | The file in which each movement of a winch is written down | /var/mooring |

## Visitors' shop

| Article | Description | Price |
|---|---|---|
| Fulmar | A coat that keeps out the rain | 90 kr |
| Puffin | A lamp worn on the head for work at night | 35 kr |
| Gannet | A net on a pole with which fish are lifted out of the water | 28 kr |

# Sheds

## Alder Shed

Carpenters repair the hulls of wooden boats here.

## Birch Shed

A place where sails are sewn and mended.

## Larch Shed

Crews sleep here while they wait for better weather.
"""


@pytest.fixture
async def agent(tmp_path: Path) -> Agent:
    return await reading(HARBOUR, tmp_path)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which article do I need for working in the dark?", "Puffin"),
        ("Which parameter makes a sound as soon as a boat departs?", "horn"),
        ("Which shed is for a torn sail?", "Birch Shed"),
        ("What does the thing for catching fish cost?", "28 kr"),
        ("How many times is the tide station tried before the alarm?", "6"),
    ],
)
async def test_what_is_described_in_other_words_is_assumed_and_not_told_as_whole(
    agent: Agent, question: str, told: str
) -> None:
    answer = await agent.ask(question)

    assert ("partial", None) == (answer.stop_reason, answer.verdict)
    assert told in answer.text.splitlines()[0]
    assert "is meant, which is described so" in answer.text


async def test_the_value_beside_a_description_is_cited_by_its_cell(agent: Agent) -> None:
    answer = await agent.ask("What does the thing for catching fish cost?")

    assert "Gannet / Price = 28 kr" == answer.citations[0].quote
    assert answer.citations[0].cell is not None


@pytest.mark.parametrize(
    "question",
    [
        "Which article is good for mowing the lawn?",
        "Which shed sells ice cream?",
        "Which parameter sets the colour of the lights?",
        "What is the default of rope_width?",
        "Which parameter does not sound a tone when a ship leaves?",
        "Which articles are worn in bad weather?",
        "How many winches let a rope give way before it is pulled in?",
    ],
)
async def test_what_nothing_describes_is_not_told_as_whole(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)

    assert ("partial", None) == (answer.stop_reason, answer.verdict)
