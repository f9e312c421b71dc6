"""Rules beside the tables that decide a fight: levels behind the last row, magic armor, the unskilled, bands across."""

from __future__ import annotations

from agent.understanding.words.lexicon import Lexicon
from tests.kit import book, combatants, fight, parse_duel

BOOK = book("""# Classes

## Knight

**Knight Level Advancement**

| Level | Hit Dice (d10) |
| --- | --- |
| 1 | 1 |
| 8 | 8 |
| 9 | 9 |
| 10 | 9+3* |
| 11 | 9+6* |

\\* Constitution counts no more. Each level gained thereafter requires 250,000 experience points and gains 3hp.

**Knight to hit Table**

| Level | Roll to hit AC 9 | Roll to hit AC 7 | Roll to hit AC 5 |
| --- | --- | --- | --- |
| 1-6 | 11 | 13 | 15 |
| 7-14 | 6 | 8 | 10 |

### Knight Abilities

**Bonus Attacks:** Knights attack once per round at 1st to 6th level and twice per round at 7th or higher levels.

**The Unskilled:** Against creatures of less than a full hit die a knight has one attack for each of their levels.

## Arms

| Armour Type | Armour Class |
| --- | --- |
| Leather | 8 |
| Plate | 3 |
| Shield | -1 |

A shield improves the armour class by 1.

| Weapon | Damage |
| --- | --- |
| Long sword | 1d8 |
| Spear | 1d6 |

## Beasts

| Monster HD | Roll to hit AC 9 | Roll to hit AC 7 | Roll to hit AC 5 |
| --- | --- | --- | --- |
| up to 1-1 | 12 | 14 | 16 |
| 1 to 4 | 10 | 12 | 14 |

### Moss Hag

| Moss Hag | |
| --- | --- |
| Armour Class: | 7 |
| Hit Dice: | 3 |
| Attacks: | 2 claws |
| Damage: | 1d4 |

### Soot Imp

| Soot Imp | |
| --- | --- |
| Armour Class: | 9 |
| Hit Dice: | 1-1 |
| Attacks: | 1 |
| Damage: | 1d4 (dagger) |
""")
ACROSS = book("""# Callings

To hit, roll a d20, add the attack bonus, and reach the armour class. A higher armour class is better.

| Calling | Hit die | Attack bonus 1-3 | Attack bonus 4-6 |
| --- | --- | --- | --- |
| Harpooner | d10 | +2 | +5 |
| Leech | d6 | +1 | +3 |

Every calling rolls one hit die per level.

| Arms | Damage |
| --- | --- |
| Harpoon | 2d6 |
| Knife | 1d4 |
""")


def test_each_level_behind_the_last_row_adds_what_its_footnote_says() -> None:
    knight, _ = combatants("Can a 13th level knight with AC 5 and a spear beat a moss hag?", BOOK)
    assert 9 * 5.5 + 6 + 2 * 3 == knight["average_hit_points"]


def test_magic_armor_betters_the_armor_class_by_its_bonus() -> None:
    result = fight("Can a 5th level knight in leather armour +2 and a shield with a spear +1 beat a moss hag?", BOOK)
    assert 5 == result.finding.values["combatants"][0]["armor_class"]
    assert any("2 better for its magic: 5" in step.text for step in result.finding.steps)


def test_two_claws_are_two_attacks_and_a_dagger_in_a_bracket_is_the_weapon_of_one() -> None:
    hag, imp = combatants("Moss hag versus soot imp: who wins?", BOOK)
    assert (2, 1) == (hag["attacks_per_round"], imp["attacks_per_round"])
    assert (2.5, 2.5) == (hag["average_damage"], imp["average_damage"])


def test_one_attack_for_each_level_counts_only_against_less_than_a_hit_die() -> None:
    against_an_imp, _ = combatants("Can a 4th level knight with AC 5 and a spear beat a soot imp?", BOOK)
    against_a_hag, _ = combatants("Can a 4th level knight with AC 5 and a spear beat a moss hag?", BOOK)
    assert (4, 1) == (against_an_imp["attacks_per_round"], against_a_hag["attacks_per_round"])


def test_an_attack_bonus_stands_in_the_column_whose_head_has_the_level() -> None:
    question = "A 5th level harpooner with a harpoon and a 2nd level leech fight, AC 12 each, knives both. Who wins?"
    harpooner, leech = combatants(question, ACROSS)
    assert (12 - 5, 12 - 1) == (harpooner["to_hit"], leech["to_hit"])
    assert (7.0, 2.5) == (harpooner["average_damage"], leech["average_damage"])


def test_ones_own_weapon_goes_before_what_is_said_of_others() -> None:
    question = "Two 3rd level knights, each AC 7 with a spear, fight a 5th level knight, AC 5, long sword. Who wins?"
    duel = parse_duel(question, Lexicon({"knight": "Knight"}, {"long sword": "Long sword", "spear": "Spear"}))
    assert duel is not None
    assert ["spear", "long sword"] == [who.weapon for who in duel.combatants][-2:]


def test_one_who_strikes_more_often_at_some_is_counted_with_the_fewest_attacks() -> None:
    question = "Can a 4th level knight with AC 5 and a spear beat a soot imp and a moss hag?"
    result = fight(question, BOOK)
    assert 1 == result.finding.values["combatants"][0]["attacks_per_round"]
    assert any("fewest attacks" in step.text for step in result.finding.steps)


def test_all_that_is_null_of_a_creature_without_a_stat_block_is_named_as_missing() -> None:
    result = fight("Who wins a fight: a moss hag or a marsh drake?", BOOK)
    drake = result.finding.values["combatants"][1]
    assert [None] * 4 == [
        drake[name] for name in ("average_hit_points", "armor_class", "attacks_per_round", "average_damage")
    ]
    missing = " / ".join(need.need for need in result.needs)
    assert "the hit dice of the marsh drake, its attacks and its damage" in missing
    assert "armor class of marsh drake" in missing
