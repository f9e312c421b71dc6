"""Fights on a book that has its classes, groups and abilities side by side, and whose tables say by their title what
they hold. Every number that is expected was worked out by hand from the book.
"""

from __future__ import annotations

import pytest

from agent.domains.combat.types import Combatant
from tests.kit import book, combatants, duel, parse_duel

BOOK = book("""# Fog

Reavers and wardens are the fighting folk; sooths and criers are the lamplit folk.

## Hit Dice by Level

| Level | Reaver | Warden | Sooth |
|---|---|---|---|
| 3 | 3d10 | 3d8 | 3d4 |
| 6 | 6d10 | 6d8 | 6d4 |

## Attacks in a Round

| Calling | Level 1–5 | Level 6–10 |
|---|---|---|
| Reaver | 1 | 3/2 |
| Warden | 1 | 1 |
| Sooth | 1 | 1 |

## Experience

| Level | Reaver | Warden | Sooth |
|---|---|---|---|
| 3 | 4,300 | 3,900 | 5,300 |
| 6 | 35,000 | 31,000 | 43,000 |

## Riders

| Vocation | Hit Die | Dice Stop at Level | Points per Level Thereafter |
|---|---|---|---|
| Lancer | d10 | 9 | 3 |
| Crier | d6 | 10 | 1 |

A rider rolls one hit die per level up to the level at which the dice stop, and adds points for each level thereafter.

## Body and Mind

| Score | Strength: To Hit | Strength: Damage | Constitution: Hit Points per Die | Dexterity: Armour Class |
|---|---|---|---|---|
| 9–12 | 0 | 0 | 0 | 0 |
| 16–17 | +1 | +2 | +1 | -1 |

## Weapons

| Weapon | Damage | Price |
|---|---|---|
| Falchion | 1–8 | 12 |
| Stiletto | 1–4 | 1 |

## Armour

| Worn | Armour Class | With Shield |
|---|---|---|
| Oilskin | 7 | 6 |
| Ring shirt | 5 | 4 |

## To Hit, Characters

<table>
<tr><th rowspan="2">Armour Class</th><th colspan="2">Fighting Folk</th><th colspan="2">Lamplit Folk</th></tr>
<tr><th>1–5</th><th>6–12</th><th>1–5</th><th>6–12</th></tr>
<tr><td>7</td><td>11</td><td>8</td><td>14</td><td>11</td></tr>
<tr><td>5</td><td>13</td><td>10</td><td>16</td><td>13</td></tr>
<tr><td>4</td><td>14</td><td>11</td><td>17</td><td>14</td></tr>
</table>

## To Hit, Monsters

| Hit Dice | 7 | 6 | 5 | 4 |
|---|---|---|---|---|
| Under 1 | 14 | 15 | 16 | 17 |
| 1–4 | 12 | 13 | 14 | 15 |
| 5 or more | 9 | 10 | 11 | 12 |

## Creatures

### Slag Brute

- **Armour Class:** 5
- **Hit Dice:** 6
- **Attacks:** 1
- **Damage:** 2–12
- **Lair:** 25%

### Mud Sprite

- **Armour Class:** 7
- **Hit Dice:** ½
- **Attacks:** 1
- **Damage:** 1–3
- **Lair:** 50%
""")


def sides(question: str) -> tuple[Combatant, ...]:
    return duel(question, BOOK).combatants


def test_columns_of_groups_and_of_classes_are_read_by_the_title_of_their_table() -> None:
    reaver, sooth = combatants(
        "Who wins: a 6th level reaver with AC 7 and a falchion or a 3rd level sooth with AC 5?", BOOK
    )
    assert (10, 33.0, 1.5) == (reaver["to_hit"], reaver["average_hit_points"], reaver["attacks_per_round"])
    assert (14, 7.5, 1.0) == (sooth["to_hit"], sooth["average_hit_points"], sooth["attacks_per_round"])


def test_abilities_side_by_side_are_told_apart() -> None:
    question = "Can a 3rd level warden with AC 5, strength 17, constitution 16 and a falchion beat a slag brute?"
    warden, _ = combatants(question, BOOK)
    assert (0.45, 6.5) == (warden["hit_probability"], warden["average_damage"])
    assert 16.5 == warden["average_hit_points"]


def test_a_column_beside_the_armor_class_has_the_shield() -> None:
    question = "Can a 3rd level warden in a ring shirt, with a shield and a falchion, beat a slag brute?"
    warden, brute = combatants(question, BOOK)
    assert (4, 12) == (warden["armor_class"], brute["to_hit"])


@pytest.mark.parametrize(("level", "points"), [(6, 33.0), (12, 58.5)])
def test_dice_stop_where_the_column_says_that_the_sentence_names(level: int, points: float) -> None:
    lancer, _ = combatants(f"Who wins: a level {level} lancer with AC 5 and a falchion or a slag brute?", BOOK)
    assert points == lancer["average_hit_points"]


def test_half_a_die_has_half_its_sides() -> None:
    sprite, brute = combatants("Who wins: a mud sprite or a slag brute?", BOOK)
    assert (2.5, 16) == (sprite["average_hit_points"], sprite["to_hit"])
    assert 9 == brute["to_hit"]


def test_armor_that_only_the_book_knows_needs_no_word_of_wearing() -> None:
    reaver, _ = sides("3rd level reaver w/ oilskin and stiletto vs slag brute")
    assert ("oilskin", "stiletto", ()) == (reaver.armor, reaver.weapon, reaver.left_out)


@pytest.mark.parametrize(
    "question",
    [
        "a lancer and a crier, each of 3rd level with AC 7 and a falchion, fight a slag brute. Do they win?",
        "two 3rd level reavers, each with AC 7 and a falchion, against a slag brute",
    ],
)
def test_what_each_has_is_not_of_the_foe_who_is_named_after_it(question: str) -> None:
    *ours, brute = sides(question)
    assert {(7, "falchion")} == {(who.armor_class, who.weapon) for who in ours}
    assert (None, None) == (brute.armor_class, brute.weapon)


def test_hit_points_of_each_are_of_both_or_of_the_group_they_follow() -> None:
    alike = duel(
        "A level 3 lancer with AC 5 and a slag brute, each with 20 hit points, fight to the death.", BOOK
    ).combatants
    assert [20, 20] == [who.hit_points for who in alike]
    for told in ("two slag brutes, each with 8 hit points", "two slag brutes with 8 hit points each"):
        apart = sides(f"A level 3 lancer with AC 5 and a falchion against {told}")
        assert [None, 8] == [who.hit_points for who in apart]


def test_a_verb_between_a_name_and_against_is_no_part_of_the_name() -> None:
    subjects = [who.subject for who in sides("A 3rd level sooth and a 3rd level reaver stand against a slag brute")]
    assert ["sooth", "reaver", "slag brute"] == subjects


@pytest.mark.parametrize("chance", ["chance", "probability", "odds"])
def test_the_chance_of_something_else_is_no_fight(chance: str) -> None:
    assert parse_duel(f"mud sprite vs slag brute lair {chance}", BOOK.lexicon) is None
    assert parse_duel(f"mud sprite vs slag brute {chance}", BOOK.lexicon) is not None
    assert parse_duel(f"mud sprite vs slag brute survival {chance}", BOOK.lexicon) is not None
