"""A cell that says what is asked in other words than its label: taken where it is near, and the only one that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from agent.reasoning.subjects.nearest_cell import by_nearest_cell
from agent.understanding.linking.nearness import AnswerCandidates
from agent.understanding.question.tagged import tagged
from tests.agent.shelf import reading
from tests.kit import book

TOWNS = """# Towns of the valley

## Police

| Town | police_force_size | share_living_in_town | founded |
|-|-|-|-|
| Reedham | 120 | 0.41 | 1871 |
| Lund | 85 | 0.73 | 1902 |
| Marl 5 | 64 | 0.35 | 1910 |

## Newspapers

| Paper | Circulation | Owner |
|-|-|-|
| Lund Post | 653,868 | Ann Reed |
| Reedham Echo | 120,020 | Olaf Tern |

## Museums

| Museum | Number of visitors | Number of paintings | Opened |
|-|-|-|-|
| Mill House | 13,700 | 45 | 1950-02-19 |
| Old Harbour | 4,120 | 18 | 1982-04-01 |

## Plans

| Plan | Max data size | Monthly bandwidth | Price |
|-|-|-|-|
| Fixed 5GB | 5 GB | 500 GB | 100 coins |
| Fixed 50GB | 50 GB | 5 TB | 400 coins |
| Fixed 1GB | 1 GB | 100 GB | 20 coins |
"""


@pytest.fixture
async def agent(tmp_path: Path) -> Agent:
    return await reading(TOWNS, tmp_path)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many cops does Reedham have?", "120"),
        ("How many people came to Mill House in total?", "13,700"),
        ("We are on the Fixed 5GB plan. How much traffic does it include each month?", "500 GB"),
    ],
)
async def test_a_cell_is_told_that_says_what_is_asked_in_other_words(agent: Agent, question: str, value: str) -> None:
    told = await agent.ask(question)
    assert told.stop_reason == "complete" and told.verdict == value
    assert "assumed:" in told.text


@pytest.mark.parametrize(
    "question",
    [
        "How many schools does Reedham have?",
        "How tall is the mayor of Reedham?",
        "Who edits the Lund Post?",
        "How much traffic does the Fixed 100GB plan include each month?",
        "How many cops does Ostby have?",
        "When was the Lund Post sold to Ida Brandt?",
        "How much LTE traffic does the Fixed 5GB plan include each month?",
    ],
)
async def test_no_cell_is_taken_for_what_the_book_does_not_tell(agent: Agent, question: str) -> None:
    told = await agent.ask(question)
    assert told.stop_reason != "complete"


async def test_the_number_of_a_name_is_no_other_number_of_its_row(agent: Agent) -> None:
    """*Fixed 100GB* is not the *Fixed 1GB* that has 100 GB of something."""
    assert (await agent.ask("What is the price of the Fixed 100GB plan?")).stop_reason != "complete"
    assert (await agent.ask("What is the price of the Fixed 1GB plan?")).verdict == "20 coins"


VOICES = """# Voices

| Voice | Accuracy | Sort |
|-|-|-|
| voice2note-reed | 3.39% | plain |
| voice2note-sedge | 4.2% | plain |

# voice2note-reed

It was trained on 960 evenings of song at Hull.
"""


async def test_a_share_is_not_how_much_there_is_of_something_else(tmp_path: Path) -> None:
    told = await (await reading(VOICES, tmp_path)).ask("how much song was voice2note-reed trained on")
    assert "3.39%" != told.verdict


MAKER = """# Sandpiper

The whistle is heard from far away, and it is for skippers who are alone.

| Property | |
|-|-|
| Weight | 50 grams |
| Size | 40 mm |

###

The bell is a quiet one, for professional harbour masters.

| Property | |
|-|-|
| Weight | 8 grams |
| Size | 12 mm |
"""


@pytest.mark.parametrize(
    ("text", "question", "is_bound"),
    [
        (MAKER, "How many grams does Sandpiper's loud whistle for skippers weigh?", False),
        (MAKER.partition("###")[0], "How many grams does Sandpiper's loud whistle for skippers weigh?", True),
    ],
)
def test_of_several_cells_with_one_name_and_label_none_is_taken(text: str, question: str, is_bound: bool) -> None:
    maker = book(text)
    asking = by_nearest_cell(tagged(question), maker.binder.index)
    telling = next(asking)
    assert isinstance(telling, AnswerCandidates)
    near = next(wording for wording in telling.texts if "50 grams" in wording)
    with pytest.raises(StopIteration) as bound:
        asking.send((near,))
    assert (bound.value.value is not None) == is_bound


async def test_a_code_in_capitals_has_to_match_exactly(tmp_path: Path) -> None:
    rows = (
        "| Temperature | BME280, BME680, SHT31 |\n| Humidity | BME280, BME680, SHT31 |\n| Pressure | BME280, BMP280 |\n"
    )
    agent = await reading(f"# Metrics\n\n| Metric | Sensor Examples |\n|-|-|\n{rows}| Gas | BME680 |\n", tmp_path)

    answer = await agent.ask("What is the metric with Sensor Examples BME280, BMP280?")

    assert answer.stop_reason != "complete" or "Pressure" == answer.verdict
