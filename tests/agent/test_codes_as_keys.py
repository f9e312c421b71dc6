"""Rows with a code or a number as key are called by the name beside it."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

SHELF = book("""# Books

| Id | Title | Author | Pages | Shelf |
|-|-|-|-|-|
| B001 | The Salt Mill | Ines Calder | 312 | F-12 |
| B002 | Lamps of Oru | Teo Vash | 448 | F-40 |
| B003 | Weirs and Locks | Hal Thorn | 264 | T-21 |
| B004 | The Clock Debt | Teo Vash | 516 | F-40 |
""")
BYLAW = book("""# Bylaw

| Section | Offence | Fine | Points | Court appearance |
|-|-|-|-|-|
| 12.1 | Speeding, 1-10 km/h over | $60 | 0 | no |
| 12.4 | Speeding, more than 40 km/h over | $900 | 6 | yes |
| 13.1 | Running a red light | $325 | 3 | no |
| 13.2 | Failing to stop for a school bus | $490 | 6 | yes |
| 14.1 | Using a handheld phone | $280 | 3 | no |
""")
SCORERS = book("""# Final table

| # | Club | Won | Lost |
|-|-|-|-|
| 1 | Holm United | 13 | 2 |
| 2 | Saltings | 9 | 6 |
| 3 | Penmoor | 4 | 9 |

# Scorers

| Rank | Player | Club | Goals |
|-|-|-|-|
| 1 | Jory Pask | Saltings | 17 |
| 2 | Lee Amado | Holm United | 14 |
| 3 | Dan Thole | Penmoor | 12 |
| 4 | Kit Varco | Mill End | 10 |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which book is on shelf T-21?", "Weirs and Locks (B003)"),
        ("Which books are by Teo Vash?", "Lamps of Oru (B002), The Clock Debt (B004)"),
        ("How many pages does Lamps of Oru have?", "448"),
        ("What is the shelf of B001?", "F-12"),
    ],
)
def test_a_code_is_told_with_its_name(question: str, verdict: str) -> None:
    assert verdict == answer(question, SHELF).finding.verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many offences carry 3 points?", "2"),
        ("How many offences have a fine of more than $300?", "3"),
        (
            "Which offences require a court appearance?",
            "Speeding, more than 40 km/h over, Failing to stop for a school bus",
        ),
        (
            "Which has the higher fine, using a handheld phone or running a red light?",
            "running a red light",
        ),
    ],
)
def test_a_number_has_its_name_in_many_words(question: str, verdict: str) -> None:
    assert verdict == answer(question, BYLAW).finding.verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which clubs won more than 8 matches?", "Holm United, Saltings"),
        ("How many clubs lost more than 5 matches?", "2"),
        ("Which player scored 14 goals?", "Lee Amado"),
    ],
)
def test_a_verb_names_what_a_number_counts(question: str, verdict: str) -> None:
    assert verdict == answer(question, SCORERS).finding.verdict


def test_the_goals_of_a_player_are_not_those_of_the_club() -> None:
    assert answer("Which club scored more goals, Holm United or Saltings?", SCORERS).needs
