"""Fights on books that have one matrix or column for a group of classes, and on questions that say it otherwise.

Every number that is expected was worked out by hand from the book above it.
"""

from __future__ import annotations

import pytest

from tests.kit import book, combatants, fight, parse_duel

HOLLOW = """# The Hollow Crown

| Group | Callings |
|---|---|
| Warriors | Swordsman, Huntsman |
| Scholars | Hexer, Seer |

A character rolls one hit die for each level up to the name level of the calling. After name level no more dice are
rolled; the fixed number in the last column is added for each further level.

| Calling | Hit Die | Name Level | After Name Level |
|---|---|---|---|
| Swordsman | d10 | 9 | +3/level |
| Huntsman | d8 | 10 | +2/level |
| Hexer | d4 | 11 | +1/level |

Warriors of the 7th level and above make 2 attacks each round. All other characters make one attack each round.

**ATTACK MATRIX: WARRIORS**

| AC of Foe | Level 1-6 | Level 7-12 |
|---|---|---|
| 6 | 12 | 6 |
| 5 | 13 | 7 |
| 4 | 14 | 8 |

**ATTACK MATRIX: SCHOLARS**

| AC of Foe | Level 1-6 | Level 7-12 |
|---|---|---|
| 6 | 15 | 12 |
| 5 | 16 | 13 |
| 4 | 17 | 14 |

| Armour | AC |
|---|---|
| Leather | 7 |
| Chain | 5 |

| Weapon | Damage |
|---|---|
| Sword, long | 1d8 |
| Stiletto | 1d4 |

## Foes

### Barrow Hag

AC 6, HD 4+1 (24 hp), Atk 2 claws (1d6), 1 bite (1d8), THAC0 15, MV 40'.

### Fen Troll

AC 4, HD 6+3 (35 hp), Atk 2 talons (1d4+1), 1 bite (2d6), THAC0 13, MV 40'.
"""

SALT = """# Saltmere

### Thegn

Thegns roll 1d10 for hit points at every level. They strike three times in two rounds from the 6th level.

### Skald

A skald rolls 1d6 for hit points at every level.

## Striking a Blow

Subtract the armor class of the target from the THAC0 below and roll that number or more on a d20.

**THAC0**

| Level | Warrior | Rogue |
|---|---|---|
| 4 | 17 | 19 |
| 5 | 16 | 18 |
| 6 | 15 | 18 |

Thegns and bowmen fight as warriors. Spies and skalds use the rogue column.

| Weapon | Damage |
|---|---|
| Axe | 1d8 |
| Dirk | 1d4 |
| Long sword | 1d8 |

| Armor | AC |
|---|---|
| Hide | 7 |
| Mail | 4 |

| Peril | AC | Hit Dice | THAC0 | Attacks | Damage |
|---|---|---|---|---|---|
| Draugr | 4 | 5+1 | 15 | 2 | 1d6+2 |
| Kelpie | 5 | 4 | 17 | 1 | 2d6 |
"""

FELLS = """# The Fells

Wardens and outriders are fighting vocations. Poachers are sly vocations.

| Vocation | Hit points |
|---|---|
| Warden | 1d8+1 per level |
| Outrider | 1d8 per level |
| Poacher | 1d6 per level |

## To Hit

Add the attack bonus to a d20. Reach the AC of the target and you hit.

**ATTACK BONUS**

| Level | Fighting | Sly |
|---|---|---|
| 3 | +3 | +2 |
| 4 | +4 | +3 |

| Item | AC |
|---|---|
| Leather coat | 12 |
| Full harness | 17 |

A shield gives +2 to AC.

| Arm | Harm |
|---|---|
| Club | 1d4 |
| Long sword | 1d8 |
| Glaive | 1d10 |

### Crag Adder

AC 13, HD 1, attack bonus +1, attacks 1, damage 1d3
"""

PEOPLES = """# Peoples

Class Options: Huntsman, Hexer.

| People | Class Options | Span |
|---|---|---|
| Marshfolk | Seer, Hexer | 60 |
| Hillfolk | Swordsman, Huntsman | 80 |

| People | Bearer |
|---|---|
| Elder | Hexer |
|  | Seer |

### Elder

An elder of the 1st level and above makes 4 attacks each round.

### Rare Gifts

Class abilities of the 1st level and above give 5 attacks each round.

### Hillfolk

Hillfolk of the 3rd level and above make 3 attacks each round.

**ATTACK MATRIX: HILLFOLK**

| AC of Foe | Level 1-6 | Level 7-12 |
|---|---|---|
| 6 | 2 | 2 |
| 5 | 2 | 2 |
| 4 | 2 | 2 |

"""

BOOKS = {
    "hollow": book(HOLLOW),
    "before": book(PEOPLES + HOLLOW),
    "behind": book(HOLLOW + PEOPLES),
    "salt": book(SALT),
    "fells": book(FELLS),
}


def test_a_class_attacks_as_often_as_its_group() -> None:
    huntsman, _ = combatants("Who wins: an 8th level huntsman with AC 5 or a fen troll?", BOOKS["hollow"])
    hexer, _ = combatants("Who wins: an 8th level hexer with AC 5 or a fen troll?", BOOKS["hollow"])
    assert (2.0, 1.0) == (huntsman["attacks_per_round"], hexer["attacks_per_round"])


def test_a_groups_attacks_may_stand_behind_another_sentence() -> None:
    hollow = HOLLOW.replace("\nWarriors of the 7th level", "\nRoll a d20 for each attack. Warriors of the 7th level")
    huntsman, _ = combatants("Who wins: an 8th level huntsman with AC 5 or a fen troll?", book(hollow))
    assert 2.0 == huntsman["attacks_per_round"]


@pytest.mark.parametrize("name", ["before", "behind"])
def test_a_list_that_has_the_class_is_no_group_to_fight_with(name: str) -> None:
    hexer, _ = combatants("Who wins: an 8th level hexer with AC 5 or a fen troll?", BOOKS[name])
    seer, _ = combatants("Who wins: an 8th level seer with AC 5 or a fen troll?", BOOKS[name])
    assert [(14, 1.0)] * 2 == [(side["to_hit"], side["attacks_per_round"]) for side in (hexer, seer)]


def test_two_lists_that_differ_give_no_roll() -> None:
    result = fight("Who wins: an 8th level huntsman with AC 5 or a fen troll?", BOOKS["before"])
    assert (None, None) == (result.finding.values["combatants"][0]["to_hit"], result.finding.verdict)
    assert [
        "how often a level 8 huntsman attacks, which Hillfolk and Warriors differ in",
        "the roll a level 8 huntsman needs to hit armor class 4",
    ] == [need.need for need in result.needs]


def test_the_group_that_a_class_fights_with_is_told_and_cited() -> None:
    result = fight("Who wins: a 5th level skald with AC 7 or a kelpie?", BOOKS["salt"])
    told = next(step for step in result.finding.steps if "rogue" in step.text)
    cited = [citation.quote for citation in result.citations if citation.n in told.cites]
    assert ("5th level skald fights as one of the rogue", ["Spies and skalds use the rogue column."]) == (
        told.text,
        cited,
    )


def test_a_class_of_no_group_gets_no_roll() -> None:
    result = fight("Who wins: a 5th level footpad with AC 5 or a fen troll?", BOOKS["hollow"])
    assert None is result.finding.values["combatants"][0]["to_hit"]
    assert None is result.finding.verdict


def test_dice_beyond_a_last_level_that_the_book_does_not_give_are_not_made_up() -> None:
    silent = BOOKS["hollow"].only(lambda chunk: "Name Level" not in chunk.text)
    huntsman, _ = combatants("Who wins: a 4th level huntsman with AC 5 or a fen troll?", BOOKS["hollow"], silent)
    assert None is huntsman["average_hit_points"]


def test_what_both_wear_is_not_worn_by_a_creature() -> None:
    question = "A 5th level thegn and a 5th level skald, both in mail, fight a kelpie. Who wins?"
    assert [4, 4, 5] == [side["armor_class"] for side in combatants(question, BOOKS["salt"])]


def test_a_mount_and_the_air_are_said_not_to_count() -> None:
    result = fight("Can a 5th level thegn in mail riding a griffon in the air beat a kelpie?", BOOKS["salt"])
    told = [step.text for step in result.finding.steps if "leave out" in step.text]
    assert ["the odds leave out: riding a griffon in the air (of 5th level thegn)"] == told


@pytest.mark.parametrize(
    "question",
    [
        "How many kelpies can a 5th level thegn with AC 4 fight at once?",
        "A kelpie against a draugr: who has the higher armor class?",
        "How much damage does an axe do against a kelpie?",
        "How does mail do against a dirk?",
    ],
)
def test_what_asks_for_something_else_is_no_fight(question: str) -> None:
    assert None is parse_duel(question, BOOKS["salt"].lexicon)
