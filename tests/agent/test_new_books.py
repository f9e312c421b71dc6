"""Books of other words and layouts: ranks, kinds of one measure, dice tables, units in the caption, lists of limits."""

from __future__ import annotations

import pytest

from agent.reasoning import reason
from agent.types import Reasoned
from tests.kit import answer, book, understand, values_of

BOOK = book("""# Saltmark

## Diver

| | |
|---|---|
| Die | d8 |
| Armor Permitted | Cork only |

### Diver Advancement

| Rank | Deeds | Circle 1 | Circle 2 |
|---|---|---|---|
| 1 | 0 | 1 | - |
| 2 | 1,500 | 2 | - |
| 3 | 4,000 | 2 | 1 |

### Diver Resistances

| Rank | Venom | Chill |
|---|---|---|
| 1-2 | 14 | 15 |
| 3+ | 11 | 13 |

## Netter

### Netter Advancement

| Rank | Deeds | Circle 1 | Circle 2 |
|---|---|---|---|
| 1 | 0 | - | - |
| 2 | 1,100 | 1 | - |
| 3 | 2,900 | 1 | - |

### Netter Resistances

| Rank | Venom | Chill |
|---|---|---|
| 1-2 | 12 | 16 |
| 3+ | 10 | 14 |

## Mudfolk

| | |
|---|---|
| Number Appearing | 9 |
| Armor Class | 7 |
| Hit Dice | 1 |
| Move | 9 |

**Rank Limits**

- Diver 2
- Netter unlimited

## Reefmen

| | |
|---|---|
| Number Appearing | 12 |
| Armor Class | 7 |
| Hit Dice | 1 |
| Move | 12 |

**Rank Limits**

- Diver N/A
- Netter 3

## Arms

| Arm | Cost | Harm: Small | Harm: Huge | Reach |
|---|---|---|---|---|
| Gaff | 3 | 1d6 | 1d10 | 2 |
| Spear | 5 | 1d8 | 1d8 | 3 |

## Sea Madness

| d% | Madness |
|---|---|
| 01-40 | Thirst |
| 41-75 | Singing |
| 76-00 | Sleep |

## Boat hire

**Boat hire (€)**

| Boat | Skipper up to 18 | Skipper over 18 | Deposit (€) |
|---|---|---|---|
| Punt | 12 | 15 | 30 |
| Skiff | 20 | 26 | 45 |

## Nerve

| Score | Keep Calm (%) |
|---|---|
| 3-8 | 40 |
| 9-14 | 65 |
""")


def told(result: Reasoned) -> list[object]:
    assert [] == [need.need for need in result.needs]
    return values_of(result)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("circle 2 of a rank 3 diver", ["1"]),
        ("harm of a gaff", ["1d6", "1d10"]),
        ("harm of a gaff against huge foes", ["1d10"]),
        ("what happens on a sea madness roll of 50", ["Singing"]),
        ("what madness is it on a 76", ["Sleep"]),
        ("chance to keep calm at nerve 9", ["65"]),
        ("cost of a punt for a skipper over 18", ["15"]),
        ("cost of a punt for a skipper of 16", ["12"]),
        ("can a diver wear plate", ["Cork only"]),
        ("how high a rank can the mudfolk reach as a diver", ["2"]),
        ("can a reefmen be a diver", ["N/A"]),
    ],
)
def test_a_question_finds_its_cell_whatever_the_book_calls_it(question: str, values: list[str]) -> None:
    assert values == told(answer(question, BOOK))


@pytest.mark.parametrize(
    ("question", "better"),
    [
        ("who has the better resistance against venom at rank 3, a diver or a netter", "netter"),
        ("who has the worse resistance against chill at rank 1, a diver or a netter", "netter"),
    ],
)
def test_what_falls_from_rank_to_rank_is_better_the_lower_it_is(question: str, better: str) -> None:
    assert better == answer(question, BOOK).finding.values["better"]


def test_other_ranks_are_asked_for_where_the_end_that_is_better_is_not_known() -> None:
    question = "who has the better resistance against venom at rank 3, a diver or a netter"
    third = BOOK.only(lambda c: c.title.endswith("Rank 3+"))

    result = reason(understand(question, BOOK), third)

    assert ["diver resistance venom rank 1 rank 4 rank 8"] == [need.sub_query.text for need in result.needs]


def test_names_with_a_plus_between_them_are_added_up() -> None:
    assert answer("gaff plus spear cost", BOOK).finding.claim.endswith("Together: 8.")


def test_two_properties_of_one_thing_are_not_subtracted() -> None:
    result = answer("cost and reach of a spear", BOOK)

    assert ["5", "3"] == told(result)
    assert result.finding.values["difference"] is None


def test_the_best_is_sought_where_the_kind_has_no_such_column() -> None:
    assert "Skiff" == answer("which boat has the highest deposit", BOOK).finding.values["better"]
