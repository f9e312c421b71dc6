"""Fights on small books of other games: a bonus or a THAC0 in place of a matrix, and what is never made up.

Every number that is expected was worked out by hand from the book above it.
"""

from __future__ import annotations

from tests.kit import book, combatants, fight

KEEP = """# Cinder Keep

## Knight

From the 7th level knights make 3 attacks every 2 rounds.

**Knight Advancement**

| Level | XP | Hit Dice |
|---|---|---|
| 1 | 0 | 1d10 |
| 4 | 8,000 | 4d10 |
| 7 | 64,000 | 7d10 |

## Flamen

**Flamen Advancement**

| Level | XP | Hit Dice |
|---|---|---|
| 1 | 0 | 1d8 |
| 4 | 6,000 | 4d8 |
| 7 | 55,000 | 7d8+2 |

## To-Hit Matrices

### To-Hit Matrix: Knights

| Target AC | 1–3 | 4–6 | 7-9 |
|---|---|---|---|
| 7 | 13 | 11 | 8 |
| 5 | 15 | 13 | 10 |
| 3 | 17 | 15 | 12 |

### To-Hit Matrix: Flamens

| Target AC | 1–3 | 4–6 | 7-9 |
|---|---|---|---|
| 7 | 14 | 13 | 11 |
| 5 | 16 | 15 | 13 |
| 3 | 18 | 17 | 15 |

### To-Hit Matrix: Monsters

| Target AC | HD up to 1 | HD 1+1 to 3 | HD 3+1 to 6 |
|---|---|---|---|
| 10 | 10 | 8 | 6 |
| 7 | 13 | 11 | 9 |
| 5 | 15 | 13 | 11 |
| 3 | 17 | 15 | 13 |
| 2 | 18 | 16 | 14 |

## Weapons

| Weapon | Damage |
|---|---|
| Knife | 1d4 |
| Long sword | 1d8 |
| Two-handed sword | 1d10 |

## Armour

| Armour | Armour Class |
|---|---|
| None | 10 |
| Chain mail | 5 |
| Plate mail | 3 |

A shield lowers the armour class of the bearer by one point.

## Monsters

A monster's hit dice are six-sided.

### Soot Goblin

Armour Class: 7
Hit Dice: 1-1
Attacks: 1
Damage: by weapon

### Kiln Ogre

Armour Class: 5
Hit Dice: 4+1
Attacks: 1
Damage: 1-10
"""

ROAD = """# Blades of the Salt Road

Roll a d20, add your attack bonus, and hit when you reach the Armor Class of the target.

| Class | Hit Die | Attacks per Round |
|---|---|---|
| Sellsword | d10 | 1 |
| Warlock | d4 | 1 |

Characters have one hit die per level.

### Attack Bonus by Level

| Level | Sellsword | Warlock |
|---|---|---|
| 1 | +1 | +0 |
| 4 | +4 | +1 |
| 5 | +5 | +2 |

## Weapons

| Weapon | Damage | Price |
|---|---|---|
| Long sword | 1d8 | 15 |
| Great axe | 1d12 | 25 |

## Armor

| Armor | Armor Class | Price |
|---|---|---|
| Leather | 12 | 10 |
| Plate | 16 | 300 |

A shield adds +1 to Armor Class.

## Monsters

Monsters roll d8 for each hit die.

| Monster | Armor Class | Hit Dice | Attack Bonus | Attacks | Damage |
|---|---|---|---|---|---|
| Dune Raider | 13 | 1 | +1 | 1 | 1d6 |
| Brine Ghoul | 14 | 2 | +2 | 3 | 1d3/1d3/1d6 |
"""

LANTERNS = """# Lanterns of the Deep

Roll a d20; you hit when the roll is at least your THAC0 minus the armour class of your target.

| Profession | Hit Dice per Level | Weapons |
|---|---|---|
| Guard | d8 | any |
| Alchemist | d4 | dagger |

Every character rolls one hit die per level.

## THAC0 by Profession and Level

| Profession | 1-3 | 4-6 |
|---|---|---|
| Guard | 19 | 17 |
| Alchemist | 19 | 18 |

## Arms

| Weapon | Damage |
|---|---|
| Long sword | 1d8 |
| Cosh | 1d4 |

## Vermin

### Sewer Ghoul

AC 6 [13], HD 2 (9hp), Att 2 × claw (1d3), 1 × bite (1d6), THAC0 18 [+1], MV 90' (30')

### Drain Serpent

AC 5 [14], HD 3* (13hp), Att 1 × bite (1d6 + poison), THAC0 17 [+2], MV 90' (30')
"""

LANES = """# Void Lanes

To attack, roll 2d8, add the gunnery of the attacker, and beat the defence of the target.

| Ship | Defence | Hull | Shields | Gunnery |
|---|---|---|---|---|
| Lancer | 9 | 12 | 4 | 3 |
| Barge | 6 | 30 | 10 | 1 |
"""

BOOKS = {"keep": book(KEEP), "road": book(ROAD), "lanterns": book(LANTERNS), "lanes": book(LANES)}


def test_three_attacks_every_2_rounds_are_one_and_a_half() -> None:
    knight, _ = combatants("Who wins: a 7th level knight with AC 3 or a kiln ogre?", BOOKS["keep"])
    assert 1.5 == knight["attacks_per_round"]


def test_the_bonus_of_a_weapon_counts_to_hit_and_for_damage() -> None:
    plain, _ = combatants("Who wins: a 4th level knight with AC 3 and a knife or a kiln ogre?", BOOKS["keep"])
    magic, _ = combatants("Who wins: a 4th level knight with AC 3 and a +2 knife or a kiln ogre?", BOOKS["keep"])
    behind, _ = combatants("Who wins: a 4th level knight with a knife +2 and AC 3 or a kiln ogre?", BOOKS["keep"])
    assert magic == behind
    assert (0.4, 2.5) == (plain["hit_probability"], plain["average_damage"])
    assert (0.5, 4.5) == (magic["hit_probability"], magic["average_damage"])


def test_a_shield_that_is_not_there_does_not_count() -> None:
    knight, _ = combatants("Can a 4th level knight in plate mail but no shield beat a kiln ogre?", BOOKS["keep"])
    assert 3 == knight["armor_class"]


def test_a_second_weapon_is_said_not_to_count() -> None:
    result = fight("Can a 4th level knight with AC 3 dual wielding knives beat a kiln ogre?", BOOKS["keep"])
    assert "the odds leave out: dual (of 4th level knight)" in [step.text for step in result.finding.steps]


def test_who_fights_by_a_weapon_that_nobody_names_gets_no_damage() -> None:
    result = fight("Who wins: a soot goblin or a 1st level knight with AC 5?", BOOKS["keep"])
    goblin, _ = result.finding.values["combatants"]
    assert (15, None) == (goblin["to_hit"], goblin["average_damage"])
    assert ["the damage of the soot goblin (it goes by its weapon, and the question names none)"] == [
        need.need for need in result.needs
    ]


def test_attacks_that_do_more_than_damage_are_said_to_be_left_out() -> None:
    result = fight("Who wins: a drain serpent or a sewer ghoul?", BOOKS["lanterns"])
    assert any("not counted for drain serpent" in step.text for step in result.finding.steps)


def test_the_number_of_attacks_in_a_row_of_monsters_is_no_roll_and_no_level() -> None:
    """The row has hit dice, an armor class and a number of attacks; a creature of its hit dice does not hit on that."""
    result = fight("Who wins: a brine ghoul or a dune raider?", BOOKS["road"])
    assert [11, 13] == [side["to_hit"] for side in result.finding.values["combatants"]]
    assert not any("as a fighter" in step.text for step in result.finding.steps)


def test_a_bonus_is_not_rolled_where_nothing_says_which_way_armor_classes_go() -> None:
    silent = BOOKS["road"].only(lambda chunk: "Plate" not in chunk.text and "Roll a d20" not in chunk.text)
    result = fight("Who wins: a brine ghoul or a dune raider?", BOOKS["road"], silent)
    assert [None, None] == [side["to_hit"] for side in result.finding.values["combatants"]]
    assert result.finding.verdict is None


def test_a_game_with_rules_of_its_own_is_told_and_not_computed() -> None:
    result = fight("Who wins: a lancer or a barge?", BOOKS["lanes"])
    assert result.finding.verdict is None
    assert {None} == {side["win_probability"] for side in result.finding.values["combatants"]}
    assert "the book says of lancer: Defence: 9; Hull: 12; Shields: 4; Gunnery: 3" in [
        step.text for step in result.finding.steps
    ]


KINDS = book("""# Beasts

**Bog Ogre**

| | **Common** | **Elder** |
|---|---|---|
| Armor Class: | 5 | 4 |
| Hit Dice: | 4+1 | 6 |
| Attacks: | 1 | 1 |
| Damage: | 1-10 | 2-12 |

**Sprite**

| | **Air** | **Fire** |
|---|---|---|
| Armor Class: | 2 | 4 |
| Hit Dice: | 8 | 12 |
| Attacks: | 1 | 1 |
| Damage: | 2-16 | 3-24 |
""")


def test_of_several_kinds_the_ordinary_one_is_meant_or_the_one_that_is_named() -> None:
    ogre, elder = combatants("Who wins a fight: a bog ogre or an elder bog ogre?", KINDS)
    assert (5, 19.0) == (ogre["armor_class"], ogre["average_hit_points"])
    assert (4, 27.0) == (elder["armor_class"], elder["average_hit_points"])


def test_of_several_kinds_without_an_ordinary_one_none_is_taken() -> None:
    result = fight("Who wins a fight: a bog ogre or a sprite?", KINDS)
    assert result.finding.values["combatants"][1]["average_hit_points"] is None
    assert "which sprite is meant (Sprite, Air, Sprite, Fire)" in [need.need for need in result.needs]
