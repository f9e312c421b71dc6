"""The exact odds against plain enumeration, and their symmetries."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.domains.combat.fighting.odds import Fighter, attacks_in_round, duel_odds, hit_probability
from agent.domains.combat.totals import Distribution, mean, rolled_points, total
from agent.reasoning.values.dice import Dice, parse_dice, parse_rolls

ONE = Fraction(1)


def certain(points: int) -> Distribution:
    certain_total: Distribution = np.eye(points + 1)[points]
    return certain_total


def enumerated(a: tuple[int, float, int], b: tuple[int, float, int], rounds: int = 400) -> tuple[float, float, float]:
    """The odds of fixed hit points, fixed damage and one attack a round, by recursion over the rules as written."""

    @cache
    def play(points_a: int, points_b: int, left: int) -> tuple[float, float, float]:
        if points_a <= 0 or points_b <= 0:
            return (float(points_b <= 0 < points_a), float(points_a <= 0 < points_b), float(points_a <= 0 >= points_b))
        if not left:
            return (0.0, 0.0, 0.0)
        result = [0.0, 0.0, 0.0]
        for order, chance in (("a", 15 / 36), ("b", 15 / 36), ("tie", 6 / 36)):
            for hit_a in (True, False):
                for hit_b in (True, False):
                    p = chance * (a[1] if hit_a else 1 - a[1]) * (b[1] if hit_b else 1 - b[1])
                    new_b = points_b - a[2] * hit_a
                    new_a = points_a - b[2] * hit_b
                    if order == "a" and new_b <= 0:
                        new_a = points_a
                    if order == "b" and new_a <= 0:
                        new_b = points_b
                    for i, q in enumerate(play(new_a, new_b, left - 1)):
                        result[i] += p * q
        return result[0], result[1], result[2]

    return play(a[0], b[0], rounds)


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.integers(1, 8), st.sampled_from([0.25, 0.5, 0.95, 1.0]), st.integers(1, 4)),
    st.tuples(st.integers(1, 8), st.sampled_from([0.25, 0.5, 0.95, 1.0]), st.integers(1, 4)),
)
def test_odds_equal_plain_enumeration(a: tuple[int, float, int], b: tuple[int, float, int]) -> None:
    odds = duel_odds(*(Fighter(certain(hp), p, (certain(damage),)) for hp, p, damage in (a, b)))
    assert enumerated(a, b) == pytest.approx((odds.first, odds.second, odds.both), abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.integers(-2, 4), st.sampled_from([ONE, Fraction(3, 2), Fraction(2)]))
def test_swapping_the_sides_swaps_the_odds(needs: int, bonus: int, rate: Fraction) -> None:
    a = Fighter(rolled_points(3, 8, 1), hit_probability(needs, bonus), (total(Dice(1, 8), 1),), rate)
    b = Fighter(rolled_points(2, 10, 0), 0.5, (total(Dice(2, 4), 1),))
    one, other = duel_odds(a, b), duel_odds(b, a)
    assert (other.second, other.first, other.both) == pytest.approx((one.first, one.second, one.both), abs=1e-9)
    assert 1.0 == pytest.approx(one.first + one.second + one.both + one.unresolved, abs=1e-9)


def test_a_slow_fight_is_followed_to_its_end() -> None:
    weak = Fighter(rolled_points(12, 8, 0), 0.05, (total(Dice(1, 4), 1),))
    huge = Fighter(certain(1000), 0.05, (certain(1),))
    for odds in (duel_odds(weak, weak), duel_odds(huge, huge)):
        assert 0.0 == pytest.approx(odds.unresolved, abs=1e-9)
        assert odds.first == pytest.approx(odds.second)


def test_who_can_not_hit_never_wins_and_two_of_them_never_end() -> None:
    harmless = Fighter(certain(4), 0.0, (certain(3),))
    armed = Fighter(certain(4), 0.5, (certain(3),))
    assert 1.0 == duel_odds(harmless, harmless).unresolved
    assert 1.0 == pytest.approx(duel_odds(armed, harmless).first)


@pytest.mark.parametrize(
    ("needs", "bonus", "chance"),
    [(11, 0, 0.5), (11, 1, 0.55), (20, 0, 0.05), (26, 0, 0.0), (-3, 0, 1.0), (21, 1, 0.05)],
)
def test_a_hit_needs_the_roll_and_nothing_is_automatic(needs: int, bonus: int, chance: float) -> None:
    assert chance == pytest.approx(hit_probability(needs, bonus))


@pytest.mark.parametrize(
    ("rate", "rounds"),
    [(ONE, [1, 1, 1, 1]), (Fraction(3, 2), [2, 1, 2, 1]), (Fraction(2), [2, 2, 2, 2]), (Fraction(5, 2), [3, 2, 3, 2]),
     (Fraction(1, 2), [1, 0, 1, 0])],
)  # fmt: skip
def test_partial_attacks_fall_in_odd_rounds(rate: Fraction, rounds: list[int]) -> None:
    assert rounds == [attacks_in_round(rate, n) for n in (1, 2, 3, 4)]


@settings(max_examples=80)
@given(st.integers(1, 6), st.integers(2, 12), st.integers(-6, 6))
def test_a_roll_has_its_textbook_mean(count: int, sides: int, plus: int) -> None:
    rolls = total(Dice(count, sides, max(plus, 0)))
    assert 1.0 == pytest.approx(rolls.sum())
    assert Dice(count, sides, max(plus, 0)).average == pytest.approx(mean(rolls))


def test_each_hit_die_is_worth_at_least_one() -> None:
    assert (1 + 1 + 1 + 2) / 4 * 3 == pytest.approx(mean(rolled_points(3, 4, -2)))


def test_a_poor_roll_still_does_one_point() -> None:
    assert math.isclose((1 + 1 + 1 + 2) / 4, mean(total(Dice(1, 4, -2), at_least=1)))


@pytest.mark.parametrize(
    ("text", "dice"),
    [("1d8", "1d8"), ("2d4+1", "2d4+1"), ("1-8", "1d8"), ("2-12", "2d6"), ("3-12", "3d4"), ("2-5", "1d4+1"),
     ("2-8", "2d4"),
     ("1d8 or by weapon", "1d8"), ("5", "5"), ("d6", "1d6"), ("4-24", "4d6"), ("1d4-1", "1d4-1")],
)  # fmt: skip
def test_dice_are_read_in_all_their_forms(text: str, dice: str) -> None:
    assert dice == str(parse_dice(text))


def test_what_is_no_dice_is_none() -> None:
    assert parse_dice("by weapon") is None
    assert () == parse_rolls("see below")


@pytest.mark.parametrize(
    ("text", "attacks"),
    [("1d6/1d6/2d8", ["1d6", "1d6", "2d8"]), ("1-6/1-6/2-12", ["1d6", "1d6", "2d6"]),
     ("1-4 (x2)/1-8", ["1d4", "1d4", "1d8"]),
     ("1d3 and 1d6", ["1d3", "1d6"])],
)  # fmt: skip
def test_a_routine_is_its_attacks(text: str, attacks: list[str]) -> None:
    assert attacks == [str(attack) for attack in parse_rolls(text)]
