"""The key of a value, the sum of values, and what a cell found twice does not say."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BOOK = book("""# The Throwers of Reed Lane, and Their Wardens

## Grades

| Grade | Pots Required | Discount | Shelf space (bays) |
|---|---|---|---|
| 1 | 0 | 0% | 1 |
| 2 | 12 | 5% | 1 |
| 3 | 30 | 5% | 2 |
| 4 | 60 | 10% | 2 |
| 5 | 110 | 15% | 3 |

## Studio Hire

| People | Hourly rate |
|---|---|
| 1-3 | £12 |
| 4-8 | £22 |

## Wardens

**Warden Skills**

| Level | Sing Low | Open Gates |
|---|---|---|
| 1 | 10% | — |
| 2 | 25% | — |
| 3 | 40% | 5% |
| 4 | 60% | 20% |

**Calming Table**

| Beast | Warden Level 1 | Warden Level 2 | Warden Level 3 |
|---|---|---|---|
| Heron | 12 | 9 | 5 |
| Pike | — | — | 17 |

## Tools

| Tool | Price | Weight (lbs) |
|---|---|---|
| Knife, fettling | £6 | 1 |
| Wheel | £420 | 90 |
| Rib, steel | £4 | 2 |
""")


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("at what grade do you get a 15% discount", ["5"]),
        ("which grade gets a 5% discount", ["2", "3"]),
        ("how many people can hire the studio for £22 an hour", ["4-8"]),
    ],
)
def test_a_key_is_told_by_its_value(question: str, keys: list[str]) -> None:
    found = answer(question, BOOK)
    values = found.finding.values["values"]
    assert isinstance(values, list)
    assert keys == [value["name"] for value in values]
    assert not found.needs
    assert found.citations


@pytest.mark.parametrize(
    "question",
    [
        "at what grade do you get a 50% discount",
        "which grade is a thrower with 75 mugs",
        "at what level does a warden get 30% in sing low",
        "how many people can hire the studio for £90 an hour",
    ],
)
def test_no_key_is_told_for_a_value_that_no_cell_has(question: str) -> None:
    assert answer(question, BOOK).needs


def test_the_sum_of_what_two_things_cost_is_told_with_its_unit() -> None:
    found = answer("how much for a fettling knife and a steel rib together", BOOK)
    assert "Together: £10." in found.finding.claim
    assert not found.needs


def test_a_name_of_two_words_is_known_as_one() -> None:
    found = answer("what does a steelrib weigh", BOOK)
    assert "2" == found.finding.verdict
    assert not found.needs
