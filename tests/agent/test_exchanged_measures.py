"""A word of the question exchanged for another one of its kind: what was told as certain before is told in doubt."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

MILL = book("""# Mill at Orrey

## Rents

| Stall | Base rent | Max load | Fee /h | 12 V current |
|---|---|---|---|---|
| Wren | 40 kr | 300 kg | 5 kr | 80 mA |
| Finch | 55 kr | 250 kg | 4 kr | 60 mA |
| Rook | 30 kr | 400 kg | 7 kr | 90 mA |

## Millers

| Miller | Old | Wage | Task | Update rate |
|---|---|---|---|---|
| Ida | 60 | 12 kr | Grinding | 3 a day |
| Oda | 66 | 14 kr | Sieving | 2 a day |

| Skill | Bonus |
|---|---|
| 1 (Capable) | 3 |
| 2 (Masterly) | 5 |

| Chest | Weight | Lid |
|---|---|---|
| Oak box | 9 kg | flat |
| Ash box | 7 kg | round |
| Ash tray | 2 kg | none |

## Cart hire

A cable is laid along the wall.
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the base rent of the Wren?", "40 kr"),
        ("What is the 12 V current of the Rook?", "90 mA"),
        ("What is the max load of the Finch?", "250 kg"),
        ("What is the fee per hour of the Finch?", "4 kr"),
        ("What is the update rate of Ida?", "3 a day"),
        ("Which stall has the highest base rent?", "Finch"),
        ("Who has the higher wage, Ida or Oda?", "Oda"),
        ("How much does an oak box weigh?", "9 kg"),
    ],
)
def test_what_is_told_word_by_word_is_whole(question: str, told: str) -> None:
    reasoned = answer(question, MILL)

    assert (told, ()) == (reasoned.finding.verdict, reasoned.needs)


@pytest.mark.parametrize(
    "question",
    [
        "What is the base height of the Wren?",
        "What is the 12 V noise of the Rook?",
        "What is the max speed of the Finch?",
        "Ida failure rate?",
        "Which works more, Ida or Oda?",
        "How much does an oak plate weigh?",
        "Which stall has the highest base noise?",
    ],
)
def test_what_another_word_asks_for_is_not_whole(question: str) -> None:
    assert answer(question, MILL).needs


def test_a_small_word_of_the_collection_is_no_head_that_a_label_lacks() -> None:
    guards = book("""# Guards

## Ida

| Level | Kind of Guard Cold Winds |
|---|---|
| 1-4 | 15 |
| 5-8 | 13 |

## Coats

| Coat | Bonus against rain |
|---|---|
| Wax | 3 |
| Wool | 1 |
""")

    reasoned = answer("What is Ida's guard against cold winds at 6th level?", guards)

    assert ("13", ()) == (reasoned.finding.verdict, reasoned.needs)
