"""Numbers that can't be read as they stand, or that no odds count: told first, and no verdict rests on half of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.planner.unread import unread_numbers
from agent.types import Answer
from tests.agent.shelf import agent_on

FIGHT = "Who wins, a 4th level reaver with armor class 3 {} or a 5th level hexer with armor class 5 {}?"


async def asked(question: str, folder: Path) -> Answer:
    return await (await agent_on(folder)).ask(question)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("", "and 10^3 hit points", "10^3"),
        ("", "and 10³ hit points", "10³"),
        ("", "and 1e3 hit points", "1e3"),
        ("", "and 1_000 hit points", "1_000"),
        ("and a strength of 18/-1", "", "18/-1"),
        ("", "and 12.5 hit points", "12.5"),
        ("", "and -5 hit points", "-5"),
        ("", "and 0 hit points", "0"),
        ("", "and 10d10 hit points", "10d10"),
        ("and a +7 sword", "", "+7"),
        ("who does 100 damage with each hit", "", "100"),
    ],
)
async def test_a_fight_with_a_number_that_nobody_counts_says_so_first_and_has_no_verdict(
    first: str, second: str, told: str, tmp_path: Path
) -> None:
    answer = await asked(FIGHT.format(first, second), tmp_path)
    assert ("partial", None) == (answer.stop_reason, answer.verdict)
    assert told in answer.text.split("\n")[0]
    assert "likely to win" not in answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What does a -4th level reaver need to hit AC 5?", "-4th"),
        ("What does a 4.5th level reaver need to hit AC 5?", "4.5th"),
        ("What does a level 4^2 reaver need to hit AC 5?", "4^2"),
    ],
)
async def test_a_value_is_not_looked_up_by_half_a_number(question: str, told: str, tmp_path: Path) -> None:
    answer = await asked(question, tmp_path)
    assert ("partial", None) == (answer.stop_reason, answer.verdict)
    assert answer.text.startswith("Not read: ")
    assert told in answer.text.split("\n")[0]


@pytest.mark.parametrize(
    "question",
    [
        FIGHT.format("", "and 12 hit points"),
        FIGHT.format("and a strength of 18/51", ""),
        "Two fighters. The first is a 4th level reaver with AC 3, the second a 5th level hexer with AC -1. Who wins?",
        "Who wins, 3 bog ogres or a 4th level reaver with AC 3?",
        "Who would win one on one: a level 4 reaver, AC 3, or a level 5 hexer, AC 5?",
    ],
)
async def test_numbers_that_are_counted_are_not_told(question: str, tmp_path: Path) -> None:
    answer = await asked(question, tmp_path)
    assert "which no odds count" not in answer.text
    assert "Not read" not in answer.text


def test_what_is_written_as_books_write_numbers_is_read() -> None:
    read = "1st-3rd level, 18/51, 4+1, 5'6\", 1,500 gp, 3/2 attacks, 2-12, 10-40%, AC -3, 1d8+1, 12.5 feet, m5.xlarge, x_1_2"
    assert () == unread_numbers(read)
