"""Fights in books that say in sentences, or in words of their own, what others have in tables."""

from __future__ import annotations

import pytest

from agent.understanding.words.lexicon import Lexicon
from tests.kit import book, combatants, parse_duel, rolls_points_damage

PROSE = book("""# Mud and Rushes

### Reeve

A reeve rolls d10 for hit points at each level, and gains 3 more at each level beyond ninth. The aim of a reeve is 20,
minus one for each level. Reeves add 1 to the damage of every blow. Reeves add 4 to the damage of a blow from behind.
From the seventh level on, a reeve strikes twice each round.

### Friar

A friar rolls d6 for hit points at each level. The aim of a friar is 20, minus one for every two levels. Friars strike
once each round.

### Beggar

A beggar rolls d4 for hit points at each level. The aim of a beggar is 20 at every level. Beggars strike once a round.

## Strength

A strength of 16 or more adds 1 to the roll to hit and 2 to the damage.

## Blows

The aim is the roll that strikes armor class 0. Subtract the armor class of the foe from it.

| Armor class | Worn |
|---|---|
| 9 | nothing |
| 5 | scales |

With a shield the armor class is 1 lower.

A knife does 1d4 points of damage, an axe 1d8 and a great axe 1d12.
""")

TURNED = book("""# Lamp and Rope

### Halberdier

| Level | Hit Dice | Attacks |
|---|---|---|
| 5 | 5d10 | 1 |
| 7 | 7d10 | 3/2 |

## Blows

**HALBERDIER: ROLL NEEDED TO HIT, BY LEVEL**

| Armour | 1-3 | 4-6 | 7-9 |
|---|---|---|---|
| 5 | 15 | 12 | 9 |
| 4 | 16 | 13 | 10 |

**MONSTERS: ROLL NEEDED TO HIT, BY HIT DICE**

| Armour | Less than 1 | 1-4 | 5-8 |
|---|---|---|---|
| 5 | 15 | 14 | 10 |
| 4 | 16 | 15 | 11 |

| Weapon | Damage vs small | Damage vs large |
|---|---|---|
| Halberd | 1d10 | 2d6 |

### Mire Ghoul

Attacks: 3 (claw/claw/bite)
Damage: 1d4/1d4/2d6
Hit Dice: 5+2
Hits to Kill: 25
Armour: 4
Size: small
""")


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        (
            "Who wins: a 4th level reeve with AC 5 and an axe or a 6th level friar with AC 6 and a knife?",
            [(10, 22, 5.5), (12, 21, 2.5)],
        ),
        (
            "Who wins: an 11th level reeve with AC 3 and a great axe or a 2nd level beggar with AC 9 and a knife?",
            [(0, 55.5, 7.5), (17, 5, 2.5)],
        ),
        (
            "Who wins: a 3rd level friar in scales with shield and axe or a 3rd level beggar in scales with a knife?",
            [(14, 10.5, 4.5), (16, 7.5, 2.5)],
        ),
    ],
)
def test_what_a_class_does_is_read_from_sentences(question: str, sides: list[tuple[float, float, float]]) -> None:
    assert sides == rolls_points_damage(question, PROSE)


@pytest.mark.parametrize(("level", "attacks"), [(6, 1.0), (7, 2.0)])
def test_ordinals_in_words_bound_the_attacks(level: int, attacks: float) -> None:
    question = f"Who wins: a level {level} reeve with AC 5 and an axe or a 1st level friar with AC 5 and a knife?"
    assert attacks == combatants(question, PROSE)[0]["attacks_per_round"]


@pytest.mark.parametrize(("strength", "chance", "damage"), [(12, 0.35, 2.5), (17, 0.4, 4.5)])
def test_an_ability_counts_from_the_bound_that_a_sentence_sets(strength: int, chance: float, damage: float) -> None:
    question = (
        f"Who wins: a 2nd level friar with strength {strength}, AC 5, and a knife or a 1st level reeve with AC 5?"
    )
    friar = combatants(question, PROSE)[0]
    assert (chance, damage) == (friar["hit_probability"], friar["average_damage"])


def test_a_weapon_said_without_a_word_of_wielding_is_found_in_the_book() -> None:
    question = "Who wins: a 2nd level friar, AC 5 knife or a 1st level reeve with AC 5 and an axe?"
    assert 2.5 == combatants(question, PROSE)[0]["average_damage"]


def test_armor_is_an_axis_of_a_matrix_and_hits_to_kill_are_hit_points() -> None:
    question = "Who wins: a 5th level halberdier with armour class 4 and a halberd or a mire ghoul?"
    assert [(13, 27.5, 5.5), (11, 25, 4)] == rolls_points_damage(question, TURNED)


LEXICON = Lexicon(
    names={"reeve": "Reeve", "friar": "Friar", "fen stag": "Fen Stag"},
    things={"knife": "Knife", "staff": "Staff"},
    described=frozenset({"fen stag"}),
)


def test_the_last_word_of_a_name_comes_back_to_it() -> None:
    duel = parse_duel("If a 4th level reeve with AC 5 fights a fen stag and the stag is asleep, who wins?", LEXICON)
    assert duel is not None
    assert [("reeve", ()), ("fen stag", ("asleep",))] == [(who.subject, who.left_out) for who in duel.combatants]


def test_both_are_not_all_three() -> None:
    question = "4th level reeve and 4th level friar, both AC 5, against a fen stag"
    duel = parse_duel(question, LEXICON)
    assert duel is not None
    assert [5, 5, None] == [who.armor_class for who in duel.combatants]


@pytest.mark.parametrize(
    ("question", "weapon", "bonus"),
    [
        ("Can a 2nd level friar with staff + 7 hit points, AC 9, beat a fen stag?", "staff", 0),
        ("Can a 2nd level friar, AC 9 great axe +1, beat a fen stag?", "great axe", 1),
        ("Can a 2nd level friar with a ring of shielding +1, AC 9, take a fen stag?", None, 0),
    ],
)
def test_a_plus_belongs_to_a_weapon_and_to_no_measure(question: str, weapon: str | None, bonus: int) -> None:
    duel = parse_duel(question, LEXICON)
    assert duel is not None
    assert (weapon, bonus) == (duel.combatants[0].weapon, duel.combatants[0].weapon_bonus)
