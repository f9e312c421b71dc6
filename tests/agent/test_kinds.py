"""Questions that name a kind, and not one of it: all of the kind are told, and none of another."""

from __future__ import annotations

import pytest

from agent.reasoning.notebook import Notebook
from agent.reasoning.side_by_side import side_by_side
from tests.kit import answer, book

BLADES = "\n".join(f"| Blade, sort {letter} | 1d{die} | {die} gp |" for die, letter in enumerate("bcdefghijklmn", 4))
BOOK = book("""# The Armory of Vell

## Goods

**Shields and Hoods**

| Item | Weight | Cost |
|---|---|---|
| Shield, small | 5 lbs | 10 gp |
| Shield, large | 10 lbs | 15 gp |
| Hood, iron | 4 lbs | 10 gp |

**Powers of the Mind**

| Power | Cost in Points |
|---|---|
| Thought shield | 2 |
| Mind spear | 5 |

**Arms**

| Weapon | Damage vs. Small | Damage vs. Large | Cost |
|---|---|---|---|
| Mace, long | 1d6 | 1d8 | 8 gp |
| Mace, short | 1d4 | 1d6 | 4 gp |
| Whip | 1d2 | 1d2 | 3 gp |

# Drovers

Drovers walk the marsh roads with their herds. They sleep in the saddle.

| Class | Prime Score | Herd |
|---|---|---|
| Drover | Wits | Oxen |
| Reeve | Brawn | None |

# Notes

A week of lessons costs 1,500 gp. Half of the riders carry bows.
""")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what does a shield cost", ["10 gp", "15 gp"]),
        ("what does a mace cost", ["8 gp", "4 gp"]),
        ("what does a thought shield cost", ["2"]),
        ("what does a short mace cost", ["4 gp"]),
        ("what does a hood weigh", ["4 lbs"]),
    ],
)
def test_all_of_a_kind_are_told(question: str, expected: list[str]) -> None:
    result = answer(question, BOOK)
    assert [] == [need.need for need in result.needs]
    assert expected == [value["value"] for value in result.finding.values["values"]]


@pytest.mark.parametrize(
    ("question", "better"),
    [("which shield is the most expensive", "Shield, large"), ("what is the cheapest mace", "Mace, short")],
)
def test_the_best_of_a_kind_is_sought_among_all_of_it(question: str, better: str) -> None:
    assert better == answer(question, BOOK).finding.values["better"]


def test_words_that_only_stand_in_sentences_apart_are_no_answer() -> None:
    assert answer("what does a bow cost?", BOOK).needs


def test_who_is_asked_about_alone_is_told_by_its_section_too() -> None:
    first, *rest = [step.text for step in side_by_side(("drover",), Notebook(BOOK.chunks, "q")).finding.steps]
    assert "Drovers walk the marsh roads with their herds. They sleep in the saddle." == first
    assert ["Prime Score: drover Wits", "Herd: drover Oxen"] == rest
