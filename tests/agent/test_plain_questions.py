"""Questions as people type them in a hurry: ages, notice, what something has none of, a name with a slip in it."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, values_of

BOOK = book("""# The Baths of Orlow, and Other Tables

## Admission

| Visitor | Single visit | Season ticket |
|---|---|---|
| Child (3-11) | €3 | €70 |
| Youth (12-17) | €4 | €92 |
| Senior (65 and over) | €5 | €118 |

## Courses

| Course | Age | Lessons | Fee |
|---|---|---|---|
| Seahorse | 4-6 | 12 | €108 |
| Lanes | 10-17 | 20 | €120 |
| Aqua fitness | 16+ | 15 | €95 |

## Cancelling

| Notice given | Refund |
|---|---|
| 14 days or more | 100% |
| 7-13 days | 70% |
| less than 7 days | nothing |

## Pools

| Pool | Temperature | Length |
|---|---|---|
| Grotto pool | 26 °C | 25 m |
| Plunge pool | 14 °C | 3 m |

## Jam

Sugar is given for each kilogram of fruit.

| Fruit | Sugar (g) | Lemon juice (ml) |
|---|---|---|
| Damson | 850 | - |
| Quince | 750 | 30 |

## Goods

Prices in crowns per ton, by harbor.

| Goods | Vesper | Okoye |
|---|---|---|
| Medicine | 2,400 | 3,100 |
| Timber | 310 | 150 |

## Harbors

| Harbor | Berth fee per day | Pilots |
|---|---|---|
| Drywell | 35 crowns | 2 |
| Scrapheap | 15 crowns | none |

## Prowler

### Prowler Wards

| Level | Fire | Fear | Chants |
|---|---|---|---|
| 1-2 | 14 | 13 | 15 |
| 3-4 | 12 | 12 | 13 |

## Ashpriest

### Ashpriest Wards

| Level | Fire | Fear | Chants |
|---|---|---|---|
| 1-2 | 11 | 9 | 15 |
| 3-4 | 9 | 8 | 14 |

## Chants

| Chant | Circle | Calling | Range |
|---|---|---|---|
| Ember touch | 1 | Ashpriest | 5 ft |
| Leech swarm | 3 | Ashpriest | 90 ft |

## Levels of the Folk

| Folk | Prowler | Ashpriest |
|---|---|---|
| Hillman | 7 | 4 |
| Towner | 9 | 6 |
""")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("season ticket for a 65 year old?", ["€118"]),
        ("which courses can a 16 year old take?", ["10-17", "16+"]),
        ("refund with 14 days notice", ["100%"]),
        ("how long is the plunge pool", ["3 m"]),
        ("how much sugar for a kilo of quinces", ["750"]),
        ("price of medicine in okoye", ["3,100"]),
        ("whats the cheapest berth", ["15 crowns"]),
        ("which harbors have no pilots", ["none"]),
        ("which chants are of the 3rd circle?", ["3"]),
        ("how far does leech swarm reach", ["90 ft"]),
        ("what level can towners reach as prowlers?", ["9"]),
        ("what temp has the grotto pool", ["26 °C"]),
    ],
)
def test_a_cell_is_found_however_hastily_it_is_asked_for(question: str, values: list[str]) -> None:
    result = answer(question, BOOK)
    assert (values, ()) == (values_of(result), result.needs)


@pytest.mark.parametrize(
    "question",
    [
        "how many chants does a 3rd level prowler know",
        "1st circle ashpriest chants",
        "which jams need no pectin",
        "at what level does a prowler know 4 chants or more?",
        "how much sugar for a pound of quinces",
        "whats the cheapest cabin",
        "season ticket for a 40 year old?",
    ],
)
def test_what_is_near_is_not_told_as_the_answer(question: str) -> None:
    assert answer(question, BOOK).needs


def test_a_name_with_a_slip_in_it_is_told_with_what_it_was_taken_for() -> None:
    result = answer("whats the pilots of scrapehap", BOOK)
    assert [] == [need.need for need in result.needs]
    assert "assumed: scrapehap means Scrapheap" == result.finding.steps[0].text


def test_a_word_that_the_book_has_is_no_slip() -> None:
    beasts = book("# Beasts\n\nCastles need much.\n\n| Beast | Cost |\n|---|---|\n| Cattle | 9 |\n| Sheep | 4 |\n")
    question = "what does a castle cost"
    assert answer(question, beasts).needs
