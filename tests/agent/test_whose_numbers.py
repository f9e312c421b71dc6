"""Whose number is it: tables that have several classes in their rows, and numbers that belong to no class at all."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, duel

BOOK = book("""# Lanternfall

## Callings

### Warden

Wardens roll a d10 for each level.

**Warden Advancement**

| Level | XP | Hit Dice (d10) | Weapons Drilled |
|---|---|---|---|
| 1 | 0 | 1 | 3 |
| 7 | 70,000 | 7 | 5 |
| 13 | 900,000 | 13 | 7 |

**Warden Saves**

| Level | Poison | Spells of other kinds |
|---|---|---|
| 1-6 | 13 | 16 |
| 7-13 | 11 | 12 |

### Seer

Seers roll a d4 for each level.

**Seer Advancement**

<table><tr><th rowspan="2">Level</th><th rowspan="2">XP</th><th rowspan="2">Hit Dice (d4)</th>\
<th colspan="3">Spells by Level</th></tr><tr><th>1</th><th>2</th><th>3</th></tr>\
<tr><td>7</td><td>60,000</td><td>7</td><td>4</td><td>3</td><td>1</td></tr>\
<tr><td>13</td><td>700,000</td><td>13</td><td>6</td><td>5</td><td>2</td></tr></table>

**Seer Saves**

| Level | Poison | Spells of other kinds |
|---|---|---|
| 1-6 | 14 | 12 |
| 7-13 | 13 | 10 |

## Wardens', Oathmen's and Stalkers' Attacks per Round

| Class | Level | Attacks per Round |
|---|---|---|
| Warden | 1-6 | 1/1 |
| Warden | 7-12 | 3/2 |
| Warden | 13+ | 2/1 |
| Oathman | 1-6 | 1/1 |
| Oathman | 7-12 | 3/2 |
| Oathman | 13+ | 2/1 |
| Stalker | 1-7 | 1/1 |
| Stalker | 8-14 | 3/2 |

## Banishing the Dead

**Banishing the Dead Table**

<table><tr><th rowspan="2">Kind</th><th rowspan="2">Example</th><th colspan="3">Seer Level</th></tr>\
<tr><th>1-3</th><th>4-7</th><th>8+</th></tr>\
<tr><td>First</td><td>Boneman</td><td>10</td><td>7</td><td>4</td></tr>\
<tr><td>Second</td><td>Barrow-king</td><td>19</td><td>15</td><td>11</td></tr></table>

## Weapons

| Weapon | Damage | Encumbrance |
|---|---|---|
| Sword, long | 1d8 | 7 |
| Sword, claymore/bastard | 2d4 | 10 |
| Cudgel | 1d4 | 3 |

## Muscle

**Strength Scores**

| Strength | Bonus to Hit | Bonus to Damage |
|---|---|---|
| 14 | 0 | 0 |
| 16 | 0 | +1 |
| 18 | +1 | +3 |

## Followers

**Charisma Scores**

| Charisma | Most Henchmen |
|---|---|
| 12 | 5 |
| 16 | 8 |

**Loyalty**

| Follower | Modifier |
|---|---|
| Henchmen | +10% |
| Hireling | -10% |

## Creatures

**Barrow-king**

| Armor Class | 3 |
|---|---|
| Hit Dice | 6+3 |
| Move | 90 feet |
| Attacks | 1 |
| Damage | 1d12 |

**Greater Barrow-king**

The touch of this lord drains two years of life.
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many attacks per round does a 13th level oathman make?", "2/1"),
        ("How many attacks per round does a 7th level stalker make?", "1/1"),
        ("How many 2nd level spells does a 13th level seer have per day?", "5"),
        ("How many first-level spells can a seer of 7th level memorise?", "4"),
        ("What does a 5th level seer need to banish a barrow-king?", "15"),
        ("How much damage does a bastard sword deal?", "2d4"),
        ("How much does a cudgel weigh?", "3"),
        ("What is the movement rate of a barrow-king?", "90 feet"),
        ("How many henchmen can a character with charisma 16 have at most?", "8"),
        ("Is strength 16 or strength 18 better for damage?", "strength 18"),
    ],
)
def test_the_number_is_that_of_the_one_who_is_named(question: str, verdict: str) -> None:
    reasoned = answer(question, BOOK)
    assert [] == [need.need for need in reasoned.needs]
    assert verdict == (reasoned.finding.verdict or "")


@pytest.mark.parametrize(
    "question",
    [
        "How many 2nd level spells does a 7th level warden have?",
        "How many third level spells does a seer have?",
        "How many 9th level spells does a 13th level seer have?",
        "What is the charm of a warden with wisdom 12?",
        "What does a barrow-king's touch do?",
    ],
)
def test_a_number_of_something_else_is_no_answer(question: str) -> None:
    reasoned = answer(question, BOOK)
    assert reasoned.needs
    assert reasoned.finding.verdict is None


def test_a_fighter_attacks_as_often_as_its_own_row_says() -> None:
    question = "Who wins, a 13th level warden with AC 4 and a long sword or a 7th level warden with AC 4 and a cudgel?"
    strong, weak = answer(question, BOOK).finding.values["combatants"]
    assert (2.0, 1.5) == (strong["attacks_per_round"], weak["attacks_per_round"])


@pytest.mark.parametrize(
    "question",
    [
        "Who wins, an unarmed 7th level warden with AC 6 or a 7th level seer with AC 5 and a cudgel?",
        "Who wins, a 7th level warden with AC 6 who fights with bare hands or a 7th level seer with AC 5 and a cudgel?",
    ],
)
def test_the_unarmed_wield_no_ordinary_weapon(question: str) -> None:
    fight = duel(question, BOOK)
    assert "cudgel" == fight.combatants[1].weapon
    assert fight.combatants[0].weapon not in (None, "cudgel")
    reasoned = answer(question, BOOK)
    assert reasoned.finding.verdict is None
