"""Fights over books of other systems: own names for everything, bonuses within the attacks, hit points as they are.

Every number that is expected was worked out by hand from the book above it.
"""

from __future__ import annotations

import pytest

from agent.domains.combat.types import Duel
from tests.kit import book, fight, rolls_points_damage, understand

TIDEFALL = book("""# Tidefall: a game of salt and steel

## How fights go

When you attack, roll a d20 and add your Strike. The attack hits if the total equals or beats the Guard of the target.
Roll the Harm of the weapon and subtract it from the Grit of the target. A combatant whose Grit drops to 0 is out.

## Knight

| Level | Grit | Strike |
|---|---|---|
| 1 | 1d10 | +1 |
| 5 | 5d10 | +5 |

## Weapons

| Weapon | Harm | Price |
|---|---|---|
| Long sword | 1d8 | 15 |
| Gaff | 1d6 | 4 |

## Armor

| Armor | Guard |
|---|---|
| Leather | 12 |
| Plate | 17 |

## Denizens

| Denizen | Guard | Grit | Strike | Harm |
|---|---|---|---|---|
| Ogre | 12 | 4d8 | +4 | 2d6 |
| Brine Hag | 14 | 6d8 | +5 | 1d8+2 |
""")
GLOAM = book("""# Creatures of the Gloam

Your attack hits when d20 plus its bonus is at least the AC of the target. Higher AC is better.

## Mudbear

AC 13, HP 30, ATK 2 claw +6 (1d8), MV near, S +4, LV 7

## Ash Ghoul

AC 11, HP 11, ATK 1 claw +3 (1d6) or 1 bone spear +2 (1d8), MV near, LV 2

## Gloam Knight

AC 17, HP 30, ATK 2 blade +5 (1d10) and 1 kick +3 (1d4), MV near, LV 6
""")
BESTIARY = book("""# Bestiary

## Ogre

- **AC** 11
- **HP** 68 (8d10 + 24)

### Actions

***Greatclub.*** *Melee Attack Roll:* +6, reach 5 ft. *Hit:* 13 (2d8 + 4) Bludgeoning damage.

## Grick

- **AC** 14
- **HP** 54 (12d8)

### Actions

***Multiattack.*** The grick makes one Beak attack and one Tentacles attack.

***Beak.*** *Melee Attack Roll:* +4, reach 5 ft. *Hit:* 9 (2d6 + 2) Piercing damage.

***Tentacles.*** *Melee Attack Roll:* +4, reach 5 ft. *Hit:* 7 (1d10 + 2) Slashing damage.
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # An ogre has 4d8 and needs 14 less 4; a hag has 6d8, needs 12 less 5, and does 1d8+2.
        ("Ogre vs brine hag in a fight", [(10, 18, 7), (7, 27, 6.5)]),
        # A knight of level 5 has 5d10 and needs 12 less 5; an ogre needs the 17 of plate less 4.
        ("Who would win, a level 5 knight in plate or an ogre?", [(7, 27.5, 4.5), (13, 18, 7)]),
        ("Who beats whom, a 5th level knight in leather with a gaff or an ogre?",
         [(7, 27.5, 3.5), (8, 18, 7)]),
    ],
)  # fmt: skip
def test_a_book_that_names_its_rules_is_read_by_its_own_names(
    question: str, told: list[tuple[float, float, float]]
) -> None:
    assert told == rolls_points_damage(question, TIDEFALL)


def test_a_choice_of_weapons_is_no_opponent() -> None:
    asked = "Who would win, a 5th level knight in plate with a long sword or a gaff?"
    assert not isinstance(understand(asked, TIDEFALL), Duel)


def test_a_bonus_within_an_attack_is_added_to_the_roll() -> None:
    """A mudbear needs 11 less 6 and has two claws; of two ways to attack a ghoul has the one that does more."""
    assert [(5, 30, 4.5), (11, 11, 4.5)] == rolls_points_damage("Mudbear against an ash ghoul: who wins?", GLOAM)


def test_attacks_with_unlike_bonuses_are_refused() -> None:
    result = fight("Who would beat whom, an ash ghoul or a gloam knight?", GLOAM)
    assert None is result.finding.verdict
    assert "the odds of attacks with unlike bonuses (blade and kick)" in [need.need for need in result.needs]


def test_attack_rolls_that_are_told_before_their_bonus_are_read() -> None:
    """An ogre needs 14 less 6; a grick needs 11 less 4, and bites and grasps in one round: 9 and 7.5 on average."""
    assert [(8, 68, 13), (7, 54, 8.25)] == rolls_points_damage("Who would win, an ogre or a grick?", BESTIARY)


BEASTS = book("""# Beasts

The attack roll is 1d20 + attack bonus. A result equal to or greater than the target's AC hits.

## Ogre

**AC** 17, touch 8, flat-footed 17 (+4 armor, -1 Dex, +5 natural, -1 size)
**hp** 30 (4d8+12)
**Melee** greatclub +7 (2d8+7)
**Ranged** javelin +1 (1d8+5)

## Owlbear

AC 15; hp 47 (5d10+20); Melee 2 claws +8 (1d6+4 plus grab), bite +8 (2d6+4)
""")


def test_all_attacks_of_a_line_count_and_those_at_a_distance_do_not() -> None:
    """An owlbear needs 17 less 8 and does 7.5, 7.5 and 11; an ogre needs 15 less 7."""
    told = rolls_points_damage("Owlbear against ogre in a fight", BEASTS)
    assert [(9, 47.5, 8.6667), (8, 30, 16)] == told


FERRIES = book(
    "# Ferries\n\n| Ferry | Length | Speed |\n|---|---|---|\n| Reed | 20 m | 12 kn |\n| Heron | 35 m | 14 kn |\n"
)


@pytest.mark.parametrize("question", ["Does the Reed beat the Heron on speed?", "Which wins, the Reed or the Heron?"])
def test_where_nobody_fights_a_contest_is_a_look_up(question: str) -> None:
    assert not isinstance(understand(question, FERRIES), Duel)


USUAL = book("""# The Reach

When you attack, roll a d20 and add your attack bonus. The attack hits if the total equals or beats the Armor Class of
the target. Sleep takes whoever does not beat the level of the caster.

## Fen Ogre

- **Armor Class:** 14
- **Hit Dice:** 4
- **Attack Bonus:** +4
- **Attacks:** 1
- **Damage:** 2d6
- **Level:** 9

## Pale Wisp

- **Hit Dice:** 2
- **Attack Bonus:** +2
- **Attacks:** 1
- **Damage:** 1d6
- **Level:** 7
""")


def test_a_book_that_calls_its_things_as_most_do_has_no_other_names_for_them() -> None:
    """The level that a caster's sleep has to beat is nobody's armor class."""
    result = fight("Fen ogre vs a pale wisp: who wins?", USUAL)
    assert [14, None] == [side["armor_class"] for side in result.finding.values["combatants"]]
