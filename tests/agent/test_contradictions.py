"""What the table around a cell says against its being the answer, and when the lower of two is the better."""

from __future__ import annotations

import pytest

from tests.agent.at_hand import answered_at_hand
from tests.kit import Book, answer, book, values_of

BOOK = book("""# Hollow

## Chanter

### Chanter Wards

| Level | Fire | Chants |
|---|---|---|
| 1-2 | 14 | 15 |
| 3-4 | 12 | 13 |

### Chanter Attacks

| Level | AC 9 | AC 5 |
|---|---|---|
| 1-2 | 12 | 16 |
| 3-4 | 11 | 14 |

## Digger

### Digger Wards

| Level | Fire | Chants |
|---|---|---|
| 1-2 | 13 | 16 |
| 3-4 | 11 | 12 |

### Digger Attacks

| Level | AC 9 | AC 5 |
|---|---|---|
| 1-2 | 11 | 15 |
| 3-4 | 9 | 13 |

## Tools

| Tool | Cost | Reach |
|---|---|---|
| Gaff | 3 | 2 |
| Spear | 5 | 3 |

## Plans

| Plan | Monthly Fee | Minutes |
|---|---|---|
| Pebble | 4.99 | 200 |
| Brook | 12.49 | 900 |

## Duties

| Weight | Rate | Base amount |
|---|---|---|
| up to 10 | 12% | 1 |
| over 10 | 24% | 3 |

## School Fees

| Income | Under 4 years | 4 to 7 years |
|---|---|---|
| up to 9,000 | 20 | 30 |
| over 9,000 | 40 | 50 |

## Tugs

| Tug | Armor (mm) |
|---|---|
| Reed | 40 |
| Tarn | 55 |
""")


def told(question: str, of: Book = BOOK) -> object:
    """What the cells say, or None where they do not answer the question."""
    found = answered_at_hand(question, of.chunks)
    return None if found is None else found.finding.verdict


@pytest.mark.parametrize(
    "question",
    [
        "How many chants does a 3rd level chanter know?",  # the numbers are wards against them
        "How many chants does a chanter of level 3 have?",
        "gaff plus spear cost",  # two rows are named
        "What do the minutes of Pebble cost?",  # the table has a fee, and it is another column
        "What is the chance that a 3rd level digger hits AC 5?",  # nothing calls the numbers a chance
        "Who hits AC 5 less often, a 3rd level digger or a 3rd level chanter?",  # nor says what less of them means
    ],
)
def test_what_the_table_contradicts_is_not_told(question: str) -> None:
    assert None is told(question)


def test_of_numbers_alone_the_cell_where_they_cross_is_told() -> None:
    assert "13" == told("What does a 3rd level digger need against AC 5?")


def test_the_head_of_a_column_and_a_number_find_their_cell() -> None:
    assert "24%" == told("Which duty rate applies to a weight of 75?")
    assert None is told("Which duty rate applies to a length of 75?")


def test_a_number_at_the_edge_of_a_band_is_in_one_band() -> None:
    assert "50" == told("What is the school fee for a child of 4 years at an income of 9,001?")


@pytest.mark.parametrize(("word", "name"), [("better", "digger"), ("worse", "chanter")])
def test_what_falls_with_the_level_is_better_the_lower_it_is(word: str, name: str) -> None:
    assert name == told(f"Who has the {word} ward against fire at level 3, a chanter or a digger?")


@pytest.mark.parametrize(
    "question", ["Reed vs Tarn - which is better armoured?", "Is the Reed or the Tarn better armored?"]
)
def test_which_end_is_better_is_known_by_the_label_and_not_by_the_words_that_ask_for_it(question: str) -> None:
    assert "Tarn" == told(question)


def test_a_word_before_a_number_says_what_the_number_is_and_asks_for_no_order() -> None:
    ranks = book(
        "# Hollow\n\n## Diver\n\n### Diver Wards\n\n| Rank | Venom |\n|---|---|\n| 1-2 | 14 |\n| 3+ | 11 |\n\n"
        "## Netter\n\n### Netter Wards\n\n| Rank | Venom |\n|---|---|\n| 1-2 | 12 |\n| 3+ | 10 |\n"
    )

    assert "netter" == told("Who has the better ward against venom at rank 3, a diver or a netter?", ranks)


def test_labels_that_tell_as_much_of_what_is_asked_are_all_told() -> None:
    cranes = book(
        "# Cranes\n\n| Crane | Load in still air | Load in a strong wind | Reach |\n|---|---|---|---|\n"
        "| Heron | 12 t | 5 t | 30 m |\n| Stork | 20 t | 9 t | 40 m |\n"
    )

    assert {"12 t", "5 t"} == {*values_of(answer("What is the load of the Heron?", cranes))}
    assert "5 t" == told("What is the load of the Heron in a strong wind?", cranes)
    assert "30 m" == told("What is the reach of the Heron?", cranes)
