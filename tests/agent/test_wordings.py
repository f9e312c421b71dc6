"""One fact in the words that people use for it, and turns of a conversation that say only what is new."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.types import Answer
from tests.agent.shelf import agent_on
from tests.kit import answer as told
from tests.kit import book, values_of

BOOK = """# Reaver

Reavers roll a d10 for hit points.

**Reavers Skill Table**

| Level | Experience Points | Climb Walls | Hide |
|---|---|---|---|
| 1 | 0 | 31% | 11% |
| 2 | 1,200 | 34% | 12% |
| 3 | 2,700 | 38% | 14% |
| 4 | 6,100 | 41% | 17% |

# Hexer

Hexers roll a d6 for hit points.

**Hexers Skill Table**

| Level | Experience Points | Climb Walls | Hide |
|---|---|---|---|
| 1 | 0 | 21% | 15% |
| 2 | 1,900 | 23% | 18% |
| 3 | 3,800 | 25% | 22% |
| 4 | 7,700 | 27% | 26% |

# Goods

**ARMOR LIST**

| Armor | Armor Class | Bulk | Cost |
|---|---|---|---|
| Hide coat | 8 | Slight | 4 gp |
| Ring shirt | 7 | Fair | 30 gp |
| Bronze plate | 4 | Heavy | 300 gp |
| Iron plate | 3 | Heavy | 420 gp |

# Bog Ogre

|||
|---|---|
| Armor Class | 5 |
| Hit Dice | 4+1 |
| Move | 90 feet |

# Fen Troll

|||
|---|---|
| Armor Class | 4 |
| Hit Dice | 6 |
| Move | 120 feet |
"""


async def asked(folder: Path, *questions: str) -> Answer:
    """The last answer of a conversation."""
    agent = await agent_on(folder, book=BOOK)
    answers: list[Answer] = []
    for question in questions:
        answers.append(await agent.ask(question, after=[answer.turn for answer in answers]))
    return answers[-1]


def values(answer: Answer) -> list[str | None]:
    """What was found, in the order of the answer."""
    return [value["value"] for finding in answer.findings for value in finding.values["values"]]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("I'd like to know how many experience points are needed by a hexer of the 4th level", ["7,700"]),
        ("how many experience points does a reaver need for the 3rd and for the 4th level", ["2,700", "6,100"]),
        ("show climb walls for hexers, levels 1-3", ["21%", "23%", "25%"]),
        ("hide of a reaver from level 2 to level 4", ["12%", "14%", "17%"]),
        ("how many experience points does a reaver need to get from 2nd to 4th level?", ["1,200", "6,100"]),
        ("difference in experience points between a 3rd and a 4th level reaver", ["2,700", "6,100"]),
        ("how many hit dice does a bog ogre have, and what armor class does it have?", ["4+1", "5"]),
        ("how much is a ring shirt?", ["30 gp"]),
        ("what would I have to pay for an iron plate?", ["420 gp"]),
    ],
)  # fmt: skip
async def test_a_fact_is_found_however_it_is_asked_for(tmp_path: Path, question: str, found: list[str]) -> None:
    answer = await asked(tmp_path, question)
    assert (found, "complete") == (values(answer), answer.stop_reason)


@pytest.mark.parametrize(
    "question",
    [
        "Which of the bog ogre and the fen troll does not have more hit dice?",
        "Which armor can't a hexer wear?",
    ],
)
async def test_what_is_asked_with_a_not_is_never_answered_without_it(tmp_path: Path, question: str) -> None:
    answer = await asked(tmp_path, question)
    assert ("partial", None) == (answer.stop_reason, answer.verdict)


def test_a_threshold_that_is_not_exceeded_is_turned_round() -> None:
    found = told("Which armor does not cost more than 30 gp?", book(BOOK))
    assert ["4 gp", "30 gp"] == values_of(found)


@pytest.mark.parametrize(
    ("first", "then", "found"),
    [
        ("What is the armor class of a bog ogre?", ["its hit dice?"], ["4+1"]),
        ("What is the armor class of a bog ogre?", ["how fast is it?", "and a fen troll?"], ["120 feet"]),
        ("How many hit dice have a bog ogre and a fen troll?", ["which of them is faster?"], ["90 feet", "120 feet"]),
        ("What is the hide of a reaver at level 2?", ["levels 3 and 4 too?"], ["14%", "17%"]),
        ("What is the hide of a reaver at level 2?", ["the same for level 4", "and if he were a hexer?"], ["26%"]),
        ("Which has the lower armor class, a bog ogre or a fen troll?", ["why?"], ["5", "4"]),
        ("What is the move of a bog ogre?", ["is it better armored than a fen troll?"], ["5", "4"]),
    ],
)  # fmt: skip
async def test_a_turn_takes_from_the_one_before_what_it_does_not_say(
    tmp_path: Path, first: str, then: list[str], found: list[str]
) -> None:
    assert found == values(await asked(tmp_path, first, *then))


@pytest.mark.parametrize(
    "question",
    [
        "If a hero dies, what happens?",
        "When a hero dies can it be raised?",
        "How long does it take to learn a spell?",
        "Can magic items lose their power?",
    ],
)
async def test_a_pronoun_of_the_questions_own_is_not_taken_for_the_one_before(tmp_path: Path, question: str) -> None:
    answer = await asked(tmp_path, "What is the armor class of a bog ogre?", question)
    assert "" == answer.plan.understood
