"""The name of a model ends in a number: *Rook 30* is a thing, *Level 30* a place on an axis."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

ENGINES = book(
    "# Engines\n\n| Engine | Weight | Range |\n|---|---|---|\n"
    "| Rook 20 | 48 t | 900 km |\n| Rook 30 | 71 t | 700 km |\n| Wren 2 | 12 t | 300 km |\n"
)
LEVELS = book("# Smith\n\n| Level | Blows | Skill |\n|---|---|---|\n| Level 2 | 3 | 14 |\n| Level 3 | 4 | 17 |\n")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How heavy is the Rook 30?", "71 t"),
        ("How much does the Wren 2 weigh?", "12 t"),
        ("Which weighs more, the Rook 20 or the Rook 30?", "Rook 30"),
        ("How far does the Rook 20 go?", "900 km"),
        ("Rook 30 vs Wren 2: which has the longer range?", "Rook 30"),
        ("Which engine is the lightest?", "Wren 2"),
    ],
)
def test_a_model_is_called_by_its_word_and_number(question: str, verdict: str | None) -> None:
    told = answer(question, ENGINES)
    assert verdict == told.finding.verdict


def test_a_model_that_is_not_there_is_none_of_the_others() -> None:
    assert answer("How heavy is the Rook 40?", ENGINES).finding.verdict is None


def test_a_level_is_a_place_on_an_axis() -> None:
    assert "17" == answer("What is the skill of a smith of level 3?", LEVELS).finding.verdict
