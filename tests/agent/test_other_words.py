"""Sentences that answer in other words than the question's: told with what is assumed, or first among what is near."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.types import Answer
from tests.agent.shelf import reading

STUDIO = """
# Members' Guide of the Clay Studio

The studio is open to members all year round.

## Kilns

The small kiln is fired every second Tuesday. Pieces must dry for nine days before they go into a kiln.
Unglazed pieces are stacked on top of each other, glazed ones never touch.

## Shelves

Each member has one shelf. Work that is left on the drying rack for longer than six weeks is thrown away by the warden.

## Fees

Membership costs $48 a month. Guests whom a member brings along pay $12 for an afternoon.
Clay is sold by the bag; a bag holds 10 kg.

## History

The studio was set up by Ilse Brandt in a former dairy. The wheel production was discontinued in 2014.

## Glazes

Glazes are mixed by the warden and may not be taken home, since they hold barium.
To brush the wheels clean, use the red cloth. Because the warden needs them, the sponges are kept in the office.

## Steps to Fire the Kiln

- Dry the pieces.
- Stack them by hand.
- Close the lid.
- Turn the left dial to low.
- Wait for an hour.
- Turn the right dial to high.
- Note the time in the book.

## Courses

### Plan

A course has eight evenings of throwing and two of glazing.

### Teachers

Teachers of a course bring their own tools. Members may look on.
"""


async def asked(question: str, folder: Path) -> Answer:
    agent = await reading(STUDIO, folder)
    return await agent.ask(question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How much does it cost to become a member, per month?", "$48"),
        ("How often is the small kiln fired?", "every second Tuesday"),
        ("How much do guests pay that a member takes along for an afternoon?", "$12"),
    ],
)
async def test_the_nearest_sentence_answers(question: str, said: str, tmp_path: Path) -> None:
    answer = await asked(question, tmp_path)
    assert "complete" == answer.stop_reason
    assert said in answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What happens with pots that nobody picks up from the rack?", "thrown away by the warden"),
        ("How many days do pieces dry until they may be put into a kiln?", "nine days"),
        ("When did they stop making wheels?", "discontinued in 2014"),
        ("Why must I leave the glazes in the studio?", "since they hold barium"),
    ],
)
async def test_the_best_passage_is_told_first(question: str, said: str, tmp_path: Path) -> None:
    answer = await asked(question, tmp_path)
    quotes = [step.text for finding in answer.findings for step in finding.steps]
    assert said in quotes[0]


@pytest.mark.parametrize(
    "question",
    [
        "How often is the large kiln fired?",
        "How much does a guest of the Harbour Studio pay?",
        "How hot does the kiln get?",
        "How many members does the studio have?",
        "Who repairs the kilns?",
        "When was the warden born?",
        "How much does membership cost in 2015?",
        "Can guests of a member take an afternoon off?",  # yes or no is not told by a sentence of the same words
        "Why do members not use the office?",
        "Why are the sponges never kept in the office?",  # they are, for a reason
        "What is the difference between a course and a kiln?",
    ],
)
async def test_what_the_book_does_not_say_is_not_answered(question: str, tmp_path: Path) -> None:
    answer = await asked(question, tmp_path)
    assert "complete" != answer.stop_reason


async def test_a_thing_as_a_whole_is_told_by_how_its_section_begins(tmp_path: Path) -> None:
    answer = await asked("Tell me about the courses.", tmp_path)
    assert answer.text.startswith("A course has eight evenings")


async def test_a_list_is_told_to_its_end(tmp_path: Path) -> None:
    answer = await asked("What are the steps to fire the kiln?", tmp_path)
    assert "complete" == answer.stop_reason
    assert "Dry the pieces" in answer.text and "Note the time in the book" in answer.text
