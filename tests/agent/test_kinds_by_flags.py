"""Counts and lists by columns of 0 and 1, by values with a number in them, and of tables that are named."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

KITES = book("""# Kite Fair

## Race Kites

The kites of the fair, by who flew them.

| Kite | Field | Maker | Race | Silk | Tail | Races won | Flight (s) |
|---|---|---|---|---|---|---|---|
| Amber | Field 12 | Ida Marsh | Yes | 1 | 0 | 3 | 40 |
| 40 Winks | Field 12 | Jon Pell | No | 1 | 1 | 9 | 55 |
| Cobalt | North 7 | Kit Lowe | Yes | 0 | 1 | 1 | 90 |
| Dusk | Field 12 | Lee Moss | Yes | 0 | 0 | 4 | 35 |
| Ember | North 7 | May Nye | No | 1 | 1 | 2 | 20 |
| Flint | Old Green | Ned Orr | Yes | 0 | 0 | 5 | 60 |

## Columns

| Column | What it says |
|---|---|
| Kite | What the kite is called |
| Field | Where it flew |
| Silk | Does the kite contain silk? |
| Tail | Does the kite have a tail? |
""")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many kites do not contain silk?", "3"),
        ("Which of the kites have a tail?", "40 Winks, Cobalt, Ember"),
        ("Which kites have both silk and a tail?", "40 Winks, Ember"),
    ],
)
def test_a_column_of_nothing_but_0_and_1_says_what_is_so(question: str, names: str) -> None:
    reasoned = answer(question, KITES)

    assert (names, ()) == (reasoned.finding.verdict, reasoned.needs)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which North 7 kites contain silk?", "Ember"),
    ],
)
def test_a_number_in_a_value_that_is_said_whole_limits_nothing(question: str, names: str) -> None:
    reasoned = answer(question, KITES)

    assert (names, ()) == (reasoned.finding.verdict, reasoned.needs)


def test_words_of_the_name_of_a_table_mean_none_of_its_measures() -> None:
    assert answer("Which race kite has the longest flight?", KITES).finding.verdict == "Cobalt"
