"""Answers to what was asked, and not to something near it: what an answer leaves out of account, it says."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BOOK = book("""# Reaver

Reavers roll a d10 for hit points. Of all callings they alone may brew salt tea and read the ice. These are the arts \
that only reavers have.

**Reaver Attack Table**

| Level | AC 9 | AC 5 | AC 3 |
|---|---|---|---|
| 1-3 | 11 | 15 | 17 |
| 4-6 | 8 | 12 | 14 |

**Reaver Saving Throws**

| Level | Poison | Spell |
|---|---|---|
| 1-3 | 14 | 17 |
| 4-6 | 13 | 15 |

**Reavers Skill Table**

| Level | Climb Walls | Hide |
|---|---|---|
| 1 | 31% | 11% |
| 3 | 38% | 14% |

# Hexer

Hexers roll a d6 for hit points. A hexer never rides. A hexer spends 3 salts on each of the 2 moons.

**Hexer Attack Table**

| Level | AC 9 | AC 5 | AC 3 |
|---|---|---|---|
| 1-3 | 12 | 16 | 18 |
| 4-6 | 11 | 15 | 17 |

# Strength

| Strength | Hit Probability | Bend Bars |
|---|---|---|
| 16 | 0 | 10% |
| 17 | +1 | 13% |

# Weapons

| Weapon | Length (ft) | Hands | Cost |
|---|---|---|---|
| Bill | 8 | Two | 12 gp |
| Knife | 1 | One | 2 gp |
| Awl | 1 | One | 2 gp |
| Lance | 12 | One | 20 gp |

# Weapon Training

| Calling | Weapons at 1st Level |
|---|---|
| Reaver | 4 |
| Hexer | 1 |

# Bog Ogre

|||
|---|---|
| Armor Class | 5 |
| Hit Dice | 4+1 |

# Fen Troll

|||
|---|---|
| Armor Class | 4 |
| Hit Dice | 6+3 |

A fen troll leads a band of 4 orcs, each with 7 hit points.
""")


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("What does a 4th level reaver with a +2 axe need to roll to hit AC 5?", "2, axe"),
        ("What does a 4th level reaver in the dark need to hit AC 5?", "dark"),
        ("What does a blinded 4th level reaver need to hit AC 5?", "blinded"),
        ("What does a 4th level reaver need to hit a prone opponent of AC 5?", "prone"),
        ("With what roll does a 4th level reaver miss AC 5?", "miss"),
        ("What does a 4th level reaver not need to hit AC 5?", "not"),
    ],
)
def test_a_value_is_told_in_part_with_what_was_left_out_of_account(question: str, left_out: str) -> None:
    result = answer(question, BOOK)
    assert "12" == result.finding.verdict
    assert [left_out] == [need.need.rpartition(": ")[2] for need in result.needs]


def test_a_score_that_adds_to_a_roll_is_told_beside_it() -> None:
    result = answer("What does a 4th level reaver with strength 17 need to hit AC 5?", BOOK)
    assert ("12", ()) == (result.finding.verdict, result.needs)
    assert any(step.text.startswith("not counted in: what strength 17 adds") for step in result.finding.steps)


@pytest.mark.parametrize(
    "question",
    [
        "How many spells does a 4th level reaver have?",
        "What is the best weapon?",
        "Which weapon is the second cheapest?",
        "What's the chance of bending pipes with a strength of 17?",
        "What does a rusty bill cost?",
        "Which hexer does not read?",
        "How many hit points does a fen troll have?",
    ],
)
def test_what_is_near_is_no_answer(question: str) -> None:
    assert answer(question, BOOK).needs


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the chance that a 4th level reaver hits AC 5?", "45%"),
        ("Who has the better chance to hit AC 5, a 4th level reaver or a 4th level hexer?", "reaver"),
        ("Who hits more often, a 4th level reaver against AC 9 or a 5th level hexer against AC 3?", "reaver"),
        ("Who hits AC 5 less often, a 4th level reaver or a 4th level hexer?", "hexer"),
        ("Who is more likely to hit AC 5, a 4th level reaver or a 4th level hexer?", "reaver"),
        ("Who is harder to hit, a bog ogre or a fen troll?", "fen troll"),
        ("Who is easier to hit, a bog ogre or a fen troll?", "bog ogre"),
        ("Who has a lower chance to climb walls, a 1st or a 3rd level reaver?", "1st level reaver"),
        ("What is the longest weapon?", "Lance"),
        ("What is the second longest weapon?", "Bill"),
        ("What is the 2nd most expensive weapon?", "Bill"),
        ("Which weapons do not need two hands?", "Knife, Awl, Lance"),
    ],
)
def test_what_is_asked_is_told(question: str, verdict: str) -> None:
    result = answer(question, BOOK)
    assert (True, ()) == ((result.finding.verdict or "").endswith(verdict), result.needs)


def test_hit_dice_with_a_plus_are_compared_and_have_no_difference() -> None:
    values = answer("Does a bog ogre have more hit dice than a fen troll?", BOOK).finding.values
    assert ("fen troll", None) == (values["better"], values["difference"])


def test_a_sentence_that_points_back_is_quoted_with_what_it_points_at() -> None:
    result = answer("What are the arts that only reavers have?", BOOK)
    assert "salt tea" in result.finding.claim


def test_a_chance_of_a_roll_comes_with_its_working() -> None:
    steps = answer("What is the chance that a 4th level reaver hits AC 5?", BOOK).finding.steps
    assert "12 or more on a d20: (21 - 12) / 20 is 45%" in [step.text for step in steps]
