"""Several tables with the same heads and rows: each tells something else of the same things, which its name says."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BOOK = book("""# Survey

**Table 1: Average haze in metres, over all visits.**

| Bay name | n | s | w | Total |
|---|---|---|---|---|
| Reed Bay | 14 | -- | 11 | 12 |
| Elk Bay | 9 | 8 | 7 | 8 |
| Tern Sound | 3 | 5 | -- | 4 |

**Table 2: Number of visits per side of each bay.**

| Bay name | n | s | w | Total |
|---|---|---|---|---|
| Reed Bay | 20 | 0 | 31 | 51 |
| Elk Bay | 60 | 41 | 15 | 116 |
| Tern Sound | 70 | 2 | 0 | 72 |

**Table 3: Nights and mean visits.**

| Bay name | Stays (nights) | Visits/night | Lat, Long |
|---|---|---|---|
| Reed Bay | 3 | 17.0 | 12.5, -3.1 |
| Elk Bay | 8 | 14.5 | 13.9, -2.0 |
| Tern Sound | 9 | 8.0 | 11.7, -4.4 |
""")


def test_what_several_tables_tell_of_is_counted_once() -> None:
    assert "3" == answer("How many bays are there?", BOOK).finding.verdict


@pytest.mark.parametrize(
    ("question", "best", "value"),
    [
        ("Which bay has the most n visits?", "Tern Sound", "70"),
        ("Which bay has the highest n haze?", "Reed Bay", "14"),
        ("Which bay has the most visits?", "Elk Bay", "116"),  # their total, and not those of a night
        ("Which bay has the fewest visits?", "Reed Bay", "51"),
    ],
)
def test_the_table_is_meant_that_is_called_so(question: str, best: str, value: str) -> None:
    found = answer(question, BOOK).finding

    assert (best, [value]) == (found.verdict, [each["value"] for each in found.values["values"]])


@pytest.mark.parametrize(
    ("question", "bays"),
    [
        ("Which bays have more than 70 visits?", "Elk Bay, Tern Sound"),
        ("Which bays have more than 60 n visits?", "Tern Sound"),
        ("Which bays have at most eight nights?", "Reed Bay, Elk Bay"),
    ],
)
def test_a_limit_is_one_of_what_is_said_behind_it(question: str, bays: str) -> None:
    assert bays == answer(question, BOOK).finding.verdict


@pytest.mark.parametrize("question", ["Which bay has the highest n?", "Which bay has the lowest s?"])
def test_the_best_of_none_of_them_is_told_where_none_is_said(question: str) -> None:
    assert answer(question, BOOK).needs


@pytest.mark.parametrize("question", ["Which bay has the highest lat?", "Which bay has the lowest long?"])
def test_two_values_in_one_cell_rank_nothing(question: str) -> None:
    assert answer(question, BOOK).needs


def test_a_word_for_what_all_rows_are_chooses_none_of_them() -> None:
    """*Reed Bay* and *Elk Bay* have the word in their names, and *Tern Sound* is a bay as well."""
    assert "Tern Sound" == answer("Which bay has the most nights?", BOOK).finding.verdict


def test_a_stroke_in_a_bracket_tells_of_no_rate() -> None:
    quays = book(
        "# Quays\n\n| Quay | Height (main/other) |\n|---|---|\n| Reed | 3 m |\n| Elk | 5 m |\n| Tern | 4 m |\n"
    )

    assert "Elk" == answer("Which quay has the greatest height?", quays).finding.verdict


@pytest.mark.parametrize(("limit", "names"), [("above 110 N", "Elk"), ("above 170 N", "")])
def test_a_wave_stands_between_the_ends_of_a_range(limit: str, names: str) -> None:
    jaws = book("# Jaws\n\n| Jaw | Force |\n|---|---|\n| Reed | 35~105 N |\n| Elk | 120~160 N |\n| Tern | 10 N |\n")
    told = answer(f"Which jaws have a force {limit}?", jaws)

    assert names == (told.finding.verdict or "") and not told.needs
