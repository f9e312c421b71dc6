"""Lists of models with codes for values, some of them with rows that nobody has filled in: pumps no code knows."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

PUMP_TABLE = """# Pumps

## Known pumps

| Pump name       | Motor | Seal    | Outlet | Notes |
|-----------------|-------|---------|--------|-------|
| Hallmark Deep B1 | AX3  | NBR70   | 12 mm | Sold |
| Hallmark Deep B2 |      |         |        |  |
| Hallmark Deep B3 | AX4  | FKM80   | 15 mm | Sold |
| Hallmark Deep D230 | AX7 | FKM80  | 21 mm |  |
| Hallmark Tide B4 | AX4  | FKM80   | 18 mm |  |
| Hallmark Tide B5 | AX9  | NBR70   | 11 mm | Has a sealed motor |

## Valves

| Valve     | Width | Turns |
|-----------|-------|-------|
| Ball valves | | |
| Kite      | 12    | 3     |
| Swan      | 14    | 5     |
| Gate valves | | |
| Heron     | 9     | 2     |
| Rail      | 22    | 7     |
"""
PUMPS = book(PUMP_TABLE)


def test_a_row_without_values_names_no_group() -> None:
    deep = answer("Which Deep pumps have the seal FKM80?", PUMPS).finding.verdict
    assert "Hallmark Deep B3, Hallmark Deep D230" == deep
    assert "AX4" == answer("What motor has the Hallmark Deep B3?", PUMPS).finding.verdict


def test_what_a_row_lacks_is_not_told() -> None:
    assert answer("What motor has the Hallmark Deep B2?", PUMPS).finding.verdict is None


def test_a_model_whose_number_no_die_has_is_a_name() -> None:
    assert "Hallmark Deep D230" in (answer("Which pumps have the seal FKM80?", PUMPS).finding.verdict or "")
    assert "21 mm" == answer("What is the outlet of the Hallmark Deep D230?", PUMPS).finding.verdict


def test_a_name_above_rows_still_names_them() -> None:
    assert "Swan" == answer("Which of the ball valves has the most turns?", PUMPS).finding.verdict


def test_the_name_of_a_column_is_no_word_of_other_values() -> None:
    told = answer("Which pumps have the motor AX4?", PUMPS).finding
    assert "Hallmark Deep B3, Hallmark Tide B4" == told.verdict
    assert "Hallmark Tide B5" == answer("Which pumps have a sealed motor?", PUMPS).finding.verdict


WORKS = book(
    PUMP_TABLE
    + """
## Kite workshop pump

| Part  | Maker     | Note       |
|-------|-----------|------------|
| Motor | Lund      | from 2020  |
| Hood  | Ember & Co |           |

| Tool   | Use     |
|--------|---------|
| Wrench | Turning |
| Rasp   | Filing  |
"""
)


def test_a_column_that_is_a_thing_elsewhere_is_asked_for_by_its_name() -> None:
    assert "AX4" == answer("What motor does the Hallmark Deep B3 have?", WORKS).finding.verdict
    assert "AX9" == answer("Which motor does the Tide B5 use?", WORKS).finding.verdict
    assert "Lund" == answer("Who is the maker of the motor?", WORKS).finding.verdict


def test_a_verb_behind_the_subject_asks_for_no_column_of_its_name() -> None:
    assert "AX9" == answer("What motor does the Hallmark Tide B5 use?", WORKS).finding.verdict
    assert "Filing" == answer("What is the use of the Rasp?", WORKS).finding.verdict
    assert answer("What is the use of the Hallmark Tide B5?", WORKS).finding.verdict is None
    assert answer("What use does the Hallmark Tide B5 have?", WORKS).finding.verdict is None


MOTORS = """# Motors

| Motor | Boats |
|---|---|
| V8 | Rook 3, Rook 4 |
| V9 | Rook 5, Crow 2, Daw |
| V7 | Crow 7, Crow 9 |
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which motor does the Rook 4 have?", ["V8"]),
        ("Which motor is in the Crow 2 and the Rook 5?", ["V9", "V9"]),
        ("Which motor do the Crow 7 and the Rook 3 have?", ["V7", "V8"]),
    ],
)
def test_who_is_listed_in_a_cell_has_the_key_of_its_row(question: str, values: list[str]) -> None:
    told = answer(question, book(MOTORS))
    assert told.finding is not None
    assert (values, ()) == ([step.value for step in told.finding.steps if step.cites], tuple(told.needs))
