"""More than two, and several of a kind against one: exact where it is computed."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.domains.combat.fighting.odds import Fighter, duel_odds, group_odds
from agent.domains.combat.totals import Distribution, exactly, rolled_points, total
from agent.reasoning.values.dice import Dice
from tests.kit import alike, book, fight

BOOK = """# Rules

## Reaver

The hit die of a reaver is a d10. Reavers strike once each round.

**Reaver Advancement**

| Level | Experience Points | Hit Dice |
|---|---|---|
| 1 | 0 | 1 |
| 4 | 8,000 | 4 |

**Reaver Attack Table**

| Level | AC 9 | AC 7 | AC 6 | AC 5 | AC 3 |
|---|---|---|---|---|---|
| 1-3 | 11 | 13 | 14 | 15 | 17 |
| 4-6 | 8 | 10 | 11 | 12 | 14 |

## Weapons

| Weapon | Damage vs S or M | Damage vs L |
|---|---|---|
| Long sword | 1d8 | 1d12 |
| Staff | 1d6 | 1d6 |

## Armor

| Armor | Armor Class | Cost |
|---|---|---|
| Leather | 8 | 5 |
| Plate | 3 | 400 |

A shield improves the armor class of its bearer by 1.

## Dexterity

| Dexterity | AC Adjustment |
|---|---|
| 9-14 | 0 |
| 15 | -1 |

## Attack Matrix for Monsters

| Hit Dice | AC 9 | AC 7 | AC 6 | AC 5 | AC 3 | AC 2 | AC 1 |
|---|---|---|---|---|---|---|---|
| up to 1 | 11 | 13 | 14 | 15 | 17 | 18 | 19 |
| 1+1 to 4 | 9 | 11 | 12 | 13 | 15 | 16 | 17 |
| 4+1 to 9 | 7 | 9 | 10 | 11 | 13 | 14 | 15 |

## Beasts

### Bog Cat

SIZE: Medium
ARMOR CLASS: 6
HIT DICE: 3+1
NO. OF ATTACKS: 2
DAMAGE: 1-4/1-6

### Marsh Giant

SIZE: Large (12-ft)
ARMOR CLASS: 5
HIT DICE: 8+1d2
NO. OF ATTACKS: 1
DAMAGE: 2-16

### Imp

SIZE: Small
ARMOR CLASS: 7
HIT DICE: 1d4 hp
NO. OF ATTACKS: 1
DAMAGE: 1-3
"""

BEASTS = book(BOOK)


@settings(max_examples=8)
@given(st.integers(2, 20), st.integers(1, 3), st.integers(1, 8))
def test_a_duel_is_what_is_counted_blow_by_blow(needs: int, dice: int, sides: int) -> None:
    one = Fighter(rolled_points(3, 6, 0), 0.45, (total(Dice(1, 6), 1), total(Dice(1, 4), 1)))
    each = Fighter(rolled_points(dice, sides, 0), (21 - needs) / 20, (total(Dice(1, 8), 1),))
    assert plain_duel(one, each) == pytest.approx(duel_odds(one, each).first, abs=1e-9)


def plain_duel(one: Fighter, each: Fighter) -> float:
    """How often the first wins, state by state of both sides' hit points, blow by blow."""
    state = {(a, b): p * q for a, p in enumerate(one.hit_points) for b, q in enumerate(each.hit_points)}
    won = 0.0
    while sum(state.values()) > 1e-11:
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (a, b), p in state.items():
            for b_left, q in struck(one, b).items():
                for a_left, r in struck(each, a).items():
                    after[a_left if b_left else a, b_left] += p * q * r * 15 / 36  # the first strikes first
                    after[a_left, b_left if a_left else b] += p * q * r * 15 / 36
                    after[a_left, b_left] += p * q * r * 6 / 36
        won += sum(p for (a, b), p in after.items() if a and not b)
        state = {(a, b): p for (a, b), p in after.items() if a and b}
    return won


def struck(side: Fighter, points: int) -> dict[int, float]:
    left = {points: 1.0}
    for damage in side.damage:
        after: dict[int, float] = defaultdict(float)
        for before, p in left.items():
            after[before] += p * (1 - side.hit_probability)
            for dealt, q in enumerate(damage):
                after[max(before - dealt, 0)] += p * side.hit_probability * q
        left = after
    return left


def test_two_of_one_hit_point_are_counted_by_hand() -> None:
    """The one always hits and kills, and dies of any hit; each of the two hits half of the time.

    The one outlives a round that it begins with 15/36 * 1/2 (one answers), one that they begin with 15/36 * 1/4, and a
    tie with 6/36 * 1/4. Of the last one it then wins with 15/36 + 15/36 * 1/2 + 6/36 * 1/2, and falls with it with
    6/36 * 1/2 more.
    """
    one = Fighter(exactly(1), 1.0, (exactly(1),))
    each = Fighter(exactly(1), 0.5, (exactly(1),))
    lives = 15 / 36 / 2 + 15 / 36 / 4 + 6 / 36 / 4
    odds = group_odds(*alike(one, 1, each, 2))
    assert lives * (15 / 36 + 15 / 36 / 2 + 6 / 36 / 2) == pytest.approx(odds.first)
    assert lives * 6 / 36 / 2 == pytest.approx(odds.both)
    assert 1.0 == pytest.approx(odds.first + odds.second + odds.both)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_odds_of_a_crowd_agree_with_a_simulation(count: int) -> None:
    random, wins, rounds = np.random.default_rng(7), 0, 4000
    for _ in range(rounds):
        points, crowd = int(random.integers(4, 12)), list(random.integers(1, 7, count))
        while points > 0 and crowd:
            mine, theirs = random.integers(1, 7, 2)
            alive, before = len(crowd), points
            if theirs >= mine:
                points -= sum(int(random.integers(1, 4)) for _ in range(alive) if random.random() < 0.4)
            if mine > theirs or mine == theirs or points > 0:
                fights = before > 0 if mine >= theirs else points > 0
                if fights and random.random() < 0.6:
                    crowd[0] -= random.integers(1, 9)
                    crowd = crowd[1:] if crowd[0] <= 0 else crowd
            if mine > theirs:
                points -= sum(int(random.integers(1, 4)) for _ in range(len(crowd)) if random.random() < 0.4)
        wins += points > 0
    one = Fighter(_between(4, 11), 0.6, (total(Dice(1, 8)),))
    each = Fighter(_between(1, 6), 0.4, (total(Dice(1, 3)),))
    assert wins / rounds == pytest.approx(group_odds(*alike(one, 1, each, count)).first, abs=0.03)


def _between(low: int, high: int) -> Distribution:
    points: Distribution = np.zeros(high + 1)
    points[low:] = 1 / (high - low + 1)
    return points


def test_several_of_a_kind_fight_one_at_once() -> None:
    alone = fight("Who wins: an imp or a 4th level reaver with AC 3?", BEASTS).finding.values["combatants"]
    several = fight("Who wins: 3 imps or a 4th level reaver with AC 3?", BEASTS).finding.values["combatants"]
    assert 0 < alone[0]["win_probability"] < several[0]["win_probability"]
    assert "imps" in several[0]["name"]


def test_of_more_than_two_every_pair_is_fought() -> None:
    result = fight("Who wins: a 4th level reaver with AC 3, a bog cat or a marsh giant?", BEASTS)
    pairs = result.finding.values["pairs"]
    names = ["4th level reaver", "bog cat", "marsh giant"]
    assert [(names[0], names[1]), (names[0], names[2]), (names[1], names[2])] == [
        (pair["first"], pair["second"]) for pair in pairs
    ]
    assert all(1.0 == pytest.approx(p["win_first"] + p["win_second"] + p["draw"], abs=1e-5) for p in pairs)
    assert "marsh giant" == result.finding.verdict
    assert result.finding.claim == "Pair by pair, the marsh giant wins most: 2 of 2."


def test_a_pair_of_three_has_the_odds_of_its_duel() -> None:
    three = fight("Who wins: a 4th level reaver with AC 3, a bog cat or a marsh giant?", BEASTS)
    two = fight("Who wins: a 4th level reaver with AC 3 or a bog cat?", BEASTS)
    a, b = two.finding.values["combatants"]
    pair = three.finding.values["pairs"][0]
    assert (a["win_probability"], b["win_probability"]) == (pair["win_first"], pair["win_second"])


def test_a_weapon_does_what_it_does_to_that_size() -> None:
    giant = fight("Who wins: a 4th level reaver with AC 3 and a long sword or a marsh giant?", BEASTS)
    cat = fight("Who wins: a 4th level reaver with AC 3 and a long sword or a bog cat?", BEASTS)
    assert [6.5, 4.5] == [r.finding.values["combatants"][0]["average_damage"] for r in (giant, cat)]


def test_hit_dice_with_dice_behind_the_plus_and_hit_points_of_their_own() -> None:
    giant, imp = fight("Who wins, a marsh giant or an imp?", BEASTS).finding.values["combatants"]
    assert (37.5, 2.5) == (giant["average_hit_points"], imp["average_hit_points"])
    assert (9, 15) == (giant["to_hit"], imp["to_hit"])


@pytest.mark.parametrize(
    ("worn", "armor_class"),
    [
        ("in plate", 3),
        ("in plate mail and shield", 2),
        ("wearing leather armor with dexterity 15", 7),
        ("in leather and a shield with dexterity 15", 6),
    ],
)
def test_worn_armor_a_shield_and_dexterity_make_the_armor_class(worn: str, armor_class: int) -> None:
    reaver, _ = fight(f"Who wins: a 4th level reaver {worn} or a bog cat?", BEASTS).finding.values["combatants"]
    assert armor_class == reaver["armor_class"]


def test_armor_that_no_table_has_is_a_need() -> None:
    result = fight("Who wins: a 4th level reaver in splint mail or a bog cat?", BEASTS)
    assert result.finding.verdict is None
    assert ["the armor class of splint mail"] == [need.need for need in result.needs]
