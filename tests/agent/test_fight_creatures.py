"""Creatures as books list them, a line each or in groups, and fights that name two and say nothing else."""

from __future__ import annotations

import pytest

from tests.kit import book, duel, fight, parse_duel

BOOK = book("""# Reach of the Ninth Sun

To strike, roll a d20 and add your attack bonus. The blow lands when the total is equal to or above the Armor Class.

| Armor | Armor Class |
|---|---|
| Leather | 12 |
| Plate | 17 |

### Reaver

Roll a d10 for each level to find a reaver's hit points.

| Level | Attack Bonus |
|---|---|
| 1 | +1 |
| 2 | +2 |

## Spells

### Ember Dart

Range: 60'
Duration: instant
Level: 1

## Creatures

| Creature | AC | HD | Attack Bonus | Attacks | Damage |
|---|---|---|---|---|---|
| Dragon, red | | | | | |
| young | 16 | 6 | +6 | 3 | 1d4/1d4/2d6 |
| - old | 18 | 9 | +9 | 3 | 1d6/1d6/3d6 |
| Ghast | 14 | 4 | +4 | 3 | 1d4/1d4/1d6 |

## Lesser Creatures

**Gloom Bat.** AC 14, HD 1-1 (3 hp), Atk 1 bite (1d3), Attack Bonus +0, MV 90'. They put out lamps.

**Bone Walker.** AC 12, HD 1 (5 hp), Atk 2 claws (1d6), Attack Bonus +1, MV 20'. What is left of a man.

### Moor Hound

Armor Class 13
Hit Dice 2
Attack Bonus +2
Attacks 1
Damage 1d6
""")


@pytest.mark.parametrize(
    ("question", "classes", "rolls"),
    [
        ("young red dragon vs ghast", [16, 14], [8, 12]),
        ("Who wins: an old red dragon or a ghast?", [18, 14], [5, 14]),
        ("moor hound v ghast", [13, 14], [12, 9]),
        ("Gloom bat versus bone walker?", [14, 12], [12, 13]),
    ],
)
def test_creatures_of_a_group_and_of_one_line_fight(question: str, classes: list[int], rolls: list[int]) -> None:
    sides = fight(question, BOOK).finding.values["combatants"]
    assert classes == [side["armor_class"] for side in sides]
    assert rolls == [side["to_hit"] for side in sides]
    assert all(side["win_probability"] is not None for side in sides)


def test_two_claws_are_two_attacks_and_stated_hit_points_are_those_of_the_book() -> None:
    bat, walker = fight("gloom bat vs bone walker", BOOK).finding.values["combatants"]
    assert (3.0, 1.0) == (bat["average_hit_points"], bat["attacks_per_round"])
    assert (5.0, 2.0) == (walker["average_hit_points"], walker["attacks_per_round"])


def test_which_of_a_group_is_meant_is_not_guessed() -> None:
    result = fight("Who wins: a red dragon or a ghast?", BOOK)
    assert None is result.finding.verdict
    assert None is result.finding.values["combatants"][0]["to_hit"]


@pytest.mark.parametrize("question", ["ghast vs ember dart", "ghast vs plate", "ghast vs bone walker AC"])
def test_a_bare_pair_that_cannot_fight_as_it_is_or_asks_for_more_is_no_fight(question: str) -> None:
    assert None is parse_duel(question, BOOK.lexicon)


def test_a_level_at_the_end_is_of_those_who_have_levels() -> None:
    beaten = duel("Can a reaver beat a ghast at first level?", BOOK)
    assert [("1st level reaver", 1), ("ghast", None)] == [(who.name, who.level) for who in beaten.combatants]


AGES = book("""# Wyrms of the Reach

To strike, roll a d20 and add your attack bonus. The blow lands when the total is equal to or above the Armor Class.

| Creature | AC | HD | Attack Bonus | Attacks | Damage |
|---|---|---|---|---|---|
| Mist Wyrm | 16 | 9 to 11 | +6 | 1 | 2d6 |
| Deep Wyrm | 16 | 3 to 12 | +6 | 1 | 2d6 |
| Ghast | 14 | 4 | +4 | 1 | 1d6 |
""")


def test_of_a_narrow_range_of_hit_dice_the_middle_is_assumed_and_told() -> None:
    result = fight("Who wins, a mist wyrm or a ghast?", AGES)
    assert 45.0 == result.finding.values["combatants"][0]["average_hit_points"]
    assert "assumed: mist wyrm has 10 hit dice, the middle of 9 to 11" in [step.text for step in result.finding.steps]


def test_in_a_wide_range_of_hit_dice_none_is_assumed() -> None:
    result = fight("Who wins, a deep wyrm or a ghast?", AGES)
    assert (None, None) == (result.finding.verdict, result.finding.values["combatants"][0]["average_hit_points"])


SPELLS = book("""# Reach of the Marsh

To strike, roll a d20 and add your attack bonus. The blow lands when the total is equal to or above the Armor Class.

## Glare

1d6 creatures in the light may be blinded, and the spell affects 1 hit die of creatures for each level. A creature whose
hit dice exceed the caster's by 2 is blinded for 1d4 rounds. Creatures of 1d4 hit dice flee.

## Creatures

| Creature | AC | HD | Attack Bonus | Attacks | Damage |
|---|---|---|---|---|---|
| Bog Hag | 16 | 4 | +6 | 1 | 2d6 |
| Ghast | 14 | 2 | +4 | 1 | 1d6 |
""")


def test_dice_that_count_creatures_or_rounds_are_no_hit_die() -> None:
    sides = fight("Who wins, a bog hag or a ghast?", SPELLS).finding.values["combatants"]
    assert [18.0, 9.0] == [side["average_hit_points"] for side in sides]
