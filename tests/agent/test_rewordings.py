"""One fact, asked in many ways: what is said around a question and how it is put change nothing about the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading

BOATS = """# Boats

| Boat | Weight | Top speed | Crew places |
|---|---|---|---|
| Heron | 900 kg | 14 knots | 4 |
| Plover | 400 kg | 11 knots | 2 |
| Gannet | 2,100 kg | 19 knots | 8 |

# Harbors

| Harbor | Depth | Berths |
|---|---|---|
| Oldhaven | 4 m | 30 |
| Skerry | 9 m | 12 |
"""


CLUBS = """# Swamp man

- **Speed** 9 knots
- **Club** 2d8 damage, reach 2 m

# Eel

- **Speed** 4 knots
- **Bite** 1d4 damage

# Weapons

| Weapon | Damage |
|---|---|
| Club | 1d8 |
| Knife | 1d4 |
"""

FISH = """# Pike

- **Challenge** 2
- **Speed** 9 knots

# Bream

- **Challenge** 1
- **Speed** 4 knots

# Prizes

**Prizes by Challenge Rating**

| Number | Prize |
|---|---|
| 1 | 10 gp |
| 2 | 30 gp |
"""


@pytest.fixture(scope="module")
async def agent(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    return await reading(BOATS, tmp_path_factory.mktemp("boats"))


@pytest.mark.parametrize(
    "question",
    [
        "I'd like to know how heavy a Heron is.",
        "Any idea how heavy the Heron is?",
        "We bought a Heron last autumn. What is its weight?",
        "My uncle wants to know what the weight of one Heron is.",
        "What is the Heron's weight?",
        "Could somebody find out how much weight a Heron can have?",
        "What I need to know for the crane is the weight of the Heron.",
        "We're painting her tonight and I can't find it in my papers: what is the weight of the Heron?",
        "Our neighbour, who has one (lucky man!), keeps a Heron in Oldhaven. What is the weight of a Heron?",
        "Which weight, if one may ask, has the Heron? Thanks!",
        "If we met at 2 am, what weight would the Heron have?",
    ],
)
async def test_a_value_is_read_whatever_leads_up_to_it(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)

    assert ("complete", "900 kg") == (answer.stop_reason, answer.verdict)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Is the Heron's weight higher than the Plover's?", "Heron"),
        ("Of these three, which has the most crew places: Heron, Plover, Gannet?", "Gannet"),
        ("Most crew places out of these three?\n• Heron\n• Plover\n• Gannet", "Gannet"),
        ("Which boat has more crew places than any other?", "Gannet"),
        ("Name the boat that has more crew places than any other.", "Gannet"),
        ("Heron or Plover, which has the lower top sped?", "Plover"),
        ("I'd like to know whether the Heron or the Plover is the heavier one.", "Heron"),
        ("Our Heron and our Plover lie side by side. Which of the two has the higher top speed?", "Heron"),
        ("Is the Heron heavier than the Plover, and how big is the lead?", "500 kg"),
        ("Is the Gannet faster than a Heron, judging by top speed?", "Gannet"),
        ("Crew places, Heron / Gannet: more?", "Gannet"),
        ("By weight, heaviest first: Heron, Plover, Gannet?", "Gannet"),
    ],
)
async def test_a_comparison_is_one_however_it_is_put(agent: Agent, question: str, verdict: str) -> None:
    answer = await agent.ask(question)

    assert ("complete", verdict) == (answer.stop_reason, answer.verdict)


@pytest.mark.parametrize(
    "question",
    [
        "I only care about the depth of the keel. What is the Heron's weight?",
        "The crew places are what matters. How fast is Oldhaven?",
        "Which boat has more berths than the other?",
    ],
)
async def test_a_measure_that_leads_up_to_a_question_is_heeded(agent: Agent, question: str) -> None:
    """What the collection knows as something else is no idle talk, wherever it stands."""
    assert "complete" != (await agent.ask(question)).stop_reason


@pytest.mark.parametrize(
    "question",
    [
        "Since I am new to this, what is the weight of the Heron?",
        "What I would like to learn is the weight of the Heron.",
        "What is the weight (finally!) of the Heron?",
    ],
)
async def test_what_the_asker_says_of_himself_is_no_part_of_the_question(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)

    assert ("complete", False) == (answer.stop_reason, "not heeded" in answer.text)


async def test_initials_are_those_of_the_only_measure_that_has_them(tmp_path: Path) -> None:
    answer = await (await reading(FISH, tmp_path)).ask("Which CR has a pike?")

    assert ("complete", "2") == (answer.stop_reason, answer.verdict)
    assert "assumed: CR means challenge rating" in answer.text


@pytest.mark.parametrize(
    ("question", "damage"),
    [
        ("What is the damage of the club?", "1d8"),
        ("We fight an eel tonight. What is the damage of the club?", "1d8"),
    ],
)
async def test_what_somebody_of_whom_is_told_has_is_not_anybodys(
    question: str, damage: str | None, tmp_path: Path
) -> None:
    answer = await (await reading(CLUBS, tmp_path)).ask(question)

    assert damage == (answer.verdict if answer.stop_reason == "complete" else None)


async def test_who_says_count_wants_to_know_how_many(agent: Agent) -> None:
    answer = await agent.ask("Please count the boats with over 3 crew places.")

    assert ("complete", "2") == (answer.stop_reason, answer.verdict)


async def test_a_slip_in_a_measure_is_no_other_measure(agent: Agent) -> None:
    answer = await agent.ask("What is the wieght of the Gannet?")

    assert ("complete", "2,100 kg") == (answer.stop_reason, answer.verdict)
