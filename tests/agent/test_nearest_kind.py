"""The best of a kind that is asked for in other words than its own: by the kind and the measure that are nearest."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading

PARK = """# The park

## Trees

| Tree | Growth time (years) | Trunk width (cm) | Leaf |
|-|-|-|-|
| Hornbeam | 45 | 60 | toothed |
| Yew | 160 | 210 | needle |
| Larch | 70 | 90 | needle |

## Lamps

| Lamp | Price | Weight |
|-|-|-|
| Spirit lamp | 90 sp | 2 lb |
| Moon lamp | 5 gp | 3 lb |

## Visitor counts by season

| Season | Guests counted | Benches repaired | Gate |
|-|-|-|-|
| W1 | 1,840 | 12 | North Gate |
| S2 | 9,310 | 4 | Mill Gate |
| A3 | 5,070 | 31 | East Gate |

## Fountains of the old town

| Fountain | Water loss | Built |
|-|-|-|
| Heron | 12% | 1881 |
| Kite | 31% | 1902 |

## Fountains of the new town

| Fountain | Water loss | Built |
|-|-|-|
| Plover | 8% | 1971 |
| Teal | 44% | 1988 |
"""


@pytest.fixture
async def agent(tmp_path: Path) -> Agent:
    return await reading(PARK, tmp_path)


@pytest.mark.parametrize(
    ("question", "best", "value"),
    [
        ("Which of the trees in these notes needs the longest to become full-grown?", "Yew", "160"),
        ("During which season were the most guests recorded at the park?", "S2", "9,310"),
        ("Which fountain of the new town loses the largest share of its water?", "Teal", "44%"),
    ],
)
async def test_the_best_is_told_by_the_measure_that_is_asked_in_other_words(
    agent: Agent, question: str, best: str, value: str
) -> None:
    told = await agent.ask(question)

    assert "complete" == told.stop_reason
    assert best == told.verdict
    assert value in told.text
    assert "- assumed: " in told.text


@pytest.mark.parametrize(
    "question",
    [
        "Which season brought in the most money for the park?",  # nothing is told of it
        "Which of the trees in these notes is the heaviest when felled?",  # no measure of weight
        "Which of the trees in these notes is the longest to be insured?",  # what qualifies the measure is not told
        "Which of the trees has the longest name?",
        "Which of the lamps in these notes sold for the highest price?",  # 90 sp or 5 gp, nobody can tell
        "During which season did Ada Holt record the most guests?",  # nobody of that name
    ],
)
async def test_what_no_measure_tells_is_not_told_by_the_nearest(agent: Agent, question: str) -> None:
    told = await agent.ask(question)

    assert "complete" != told.stop_reason
