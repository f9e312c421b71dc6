"""What is asked of a whole kind, of several things at once, and in words that the book does not have."""

from __future__ import annotations

import pytest

from agent.ask import Agent
from tests.agent.at_hand import answered_at_hand
from tests.agent.shelf import reading
from tests.agent.test_structure import verdict
from tests.kit import book

YARD = """# Cranes

## Tall cranes

| Crane | Lift (t) | Reach (m) | Fuel | Lead time |
|---|---|---|---|---|
| HX20-A | 12 | 40 | diesel | 3 days |
| HX20-B | 12 | 55 | electric | 36 hours |
| Old Mabel | 30 | 25 | diesel | 2 weeks |
| HX40-A | 44 | 60 | electric | 1 week 2 days |

## Floating cranes

| Crane | Lift (t) | Reach (m) | Fuel | Lead time |
|---|---|---|---|---|
| Cormorant | 90 | 35 | diesel | 5 days |
| Shag | 60 | 30 | electric | 4 days |

# Sheds

## North Shed

- ⚓ Berths: 4
- Height: 12 m

A shed of brick.

## South Shed

- ⚓ Berths: 7
- Height: 9 m

A shed of timber.

# Harbour pilots

| Pilot | Fee (kr) | Night fee (kr) |
|---|---|---|
| Ada Holm | 400 | 700 |
| Per Voss | 350 | 800 |
"""


@pytest.fixture(scope="module")
async def agent(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    return await reading(YARD, tmp_path_factory.mktemp("yard"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which cranes lift more than 40 t?", {"HX40-A", "Cormorant", "Shag"}),
        ("Which electric cranes lift at least 44 t?", {"HX40-A", "Shag"}),
        ("Which floating cranes run on diesel?", {"Cormorant"}),
        ("Which cranes have a reach between 35 and 55 m?", {"HX20-A", "HX20-B", "Cormorant"}),
        ("Which cranes have a lead time of less than 4 days?", {"HX20-A", "HX20-B"}),
    ],
)
async def test_those_of_a_kind_that_meet_a_condition_are_listed(agent: Agent, question: str, names: set[str]) -> None:
    answer = await agent.ask(question)
    assert "complete" == answer.stop_reason
    assert names == {each["name"] for each in answer.findings[0].values["values"]}


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many electric cranes are there?", "3"),
        ("How many cranes lift over 40 t?", "3"),
        ("How many floating cranes are listed?", "2"),
    ],
)
async def test_those_of_a_kind_are_counted(agent: Agent, question: str, count: str) -> None:
    assert ("complete", count) == verdict(await agent.ask(question))


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which crane has the longest reach?", "HX40-A"),
        ("Which diesel crane has the shortest reach?", "Old Mabel"),
        ("Which crane has the shortest lead time?", "HX20-B"),
        ("Which of the floating cranes lifts the most?", "Cormorant"),
        ("Which shed has the most berths?", "South Shed"),
    ],
)
async def test_the_best_of_a_kind_may_be_under_a_condition(agent: Agent, question: str, winner: str) -> None:
    assert ("complete", winner) == verdict(await agent.ask(question))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much longer is the reach of the Cormorant than that of the Shag?", "5"),
        ("What do the Cormorant and the Shag lift together?", "150"),
        ("How many times as much as the HX20-A does the Shag lift?", "5"),
    ],
)
async def test_values_are_added_subtracted_and_divided(agent: Agent, question: str, told: str) -> None:
    assert ("complete", told) == verdict(await agent.ask(question))


async def test_several_are_ranked(agent: Agent) -> None:
    answer = await agent.ask("Rank the Shag, Old Mabel and the Cormorant by lift")
    assert ("complete", "Cormorant") == verdict(answer)
    assert "Cormorant 90, Shag 60, Old Mabel 30" in answer.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the lift of Mabel?", "30"),
        ("I wonder how far the reach of the shag goes these days", "30"),
        ("How many berths are there in the South Shed?", "7"),
        ("What does Ada Holm charge at night?", "700"),
    ],
)
async def test_a_new_wording_needs_no_new_word(agent: Agent, question: str, value: str) -> None:
    answer = await agent.ask(question)
    assert "wrong" not in answer.text
    assert answer.stop_reason != "complete" or value == answer.verdict


async def test_what_may_mean_several_is_told_of_each_by_name(agent: Agent) -> None:
    answer = await agent.ask("What is the lift of an HX20?")
    assert {"HX20-A", "HX20-B"} <= {name for name in ("HX20-A", "HX20-B") if name in answer.text}


@pytest.mark.parametrize(
    "question",
    [
        "Which green cranes lift more than 40 t?",
        "How many berths has the Shag?",
        "How much does the Shag weigh?",
        "What is the crane reach of Gustav?",
        "Which takes longer to arrive, the Shag or the Heron?",
        "How many sheds have no berths?",
    ],
)
async def test_what_the_book_does_not_tell_is_not_answered(agent: Agent, question: str) -> None:
    assert "complete" != (await agent.ask(question)).stop_reason


def test_the_pieces_of_a_long_table_are_counted_together() -> None:
    names = [f"{first}{last}" for first in ("Bar", "Cor", "Del", "Fen", "Gul") for last in ("ane", "eel", "int", "oak")]
    rows = "\n".join(f"| {name} | Carries sand and gravel down to the lower sea | Coastal |" for name in names)
    long = book(f"# Barges\n\n| Barge | Purpose | Waters |\n|---|---|---|\n{rows}\n| Zul | Carries sand | Coastal |\n")

    found = answered_at_hand("How many barges have coastal waters?", long.chunks)

    assert len({table.rows for chunk in long.chunks for table in chunk.tables}) > 1
    assert found is not None
    assert "21" == found.finding.verdict
