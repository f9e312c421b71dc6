"""Numbers that can't be read as they stand, or that no odds count: told first, and no verdict rests on half of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.types import Answer
from agent.understanding.words.unread import unparsed_numbers
from tests.agent.shelf import agent_on
from tests.agent.test_crowds import BOOK

FIGHT = "Who wins, a 4th level reaver with armor class 3 {} or a marsh giant {}?"


async def asked(question: str, folder: Path) -> Answer:
    return await (await agent_on(folder, book=BOOK)).ask(question)


async def test_the_fight_of_these_tests_has_a_verdict(tmp_path: Path) -> None:
    answer = await asked(FIGHT.format("", "with 30 hit points"), tmp_path)
    assert ("complete", "marsh giant") == (answer.stop_reason, answer.verdict)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("", "with 10^3 hit points", "10^3"),
        ("", "with 10³ hit points", "10³"),
        ("", "with 1e3 hit points", "1e3"),
        ("", "with 1_000 hit points", "1_000"),
        ("and a strength of 18/-1", "", "18/-1"),
        ("", "with 12.5 hit points", "12.5"),
        ("", "with -5 hit points", "-5"),
        ("", "with 0 hit points", "0"),
        ("", "with 10d10 hit points", "10d10"),
        ("", f"and {'9' * 5000} hit points", f"{'9' * 30}…"),
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
        FIGHT.format("", "with 12 hit points"),
        FIGHT.format("and a strength of 18/51", ""),
        FIGHT.format("and a +2 long sword", ""),
        "Two fighters. The first is a 4th level reaver with AC 3, the second a 5th level reaver with AC -1. Who wins?",
        "Who wins, 3 imps or a 4th level reaver with AC 3?",
        "Who would win one on one: a level 4 reaver, AC 3, or a level 5 reaver, AC 5?",
    ],
)
async def test_numbers_that_are_counted_are_not_told(question: str, tmp_path: Path) -> None:
    answer = await asked(question, tmp_path)
    assert "which no odds count" not in answer.text
    assert "Not read" not in answer.text


def test_what_is_written_as_books_write_numbers_is_read() -> None:
    read = "1st-3rd level, 18/51, 4+1, 5'6\", 1,500 gp, 3/2 attacks, 2-12, 10-40%, AC -3, 1d8+1, 12.5 feet"
    assert () == unparsed_numbers(f"{read}, m5.xlarge, x_1_2")


@pytest.mark.parametrize("said", ["who does 3 damage with each hit", "who is 4 steps behind"])
async def test_a_number_that_nobody_counts_is_told_where_another_is_equal(said: str, tmp_path: Path) -> None:
    answer = await asked(FIGHT.format(said, ""), tmp_path)
    assert answer.verdict is None
