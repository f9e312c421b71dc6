"""Totals of dice as exact distributions.

A distribution has a place for every total, so totals are bounded; the bound is checked before anything is built.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agent.reasoning.values.dice import Dice, NotComputed

Distribution = npt.NDArray[np.float64]
"""Probabilities of the totals 0, 1, 2, … as a one-dimensional array that sums to 1."""

MOST = 10_000
"""The largest total of a distribution."""


def total(dice: Dice, at_least: int = 0) -> Distribution:
    """Return the exact distribution of a roll, each total at least `at_least`; `NotComputed` if it is too large."""
    _require_bounded(dice.count, dice.sides, dice.count * dice.sides + abs(dice.plus))
    totals = np.ones(1)
    for _ in range(dice.count):
        totals = np.convolve(totals, np.full(dice.sides, 1 / dice.sides))
    return _shift(totals, dice.count + dice.plus, at_least)


def rolled_points(count: int, sides: int, bonus: int, extra: int = 0) -> Distribution:
    """Return the distribution of `count` dice, each with `bonus` and worth at least 1, and `extra` on top; at least 1.

    `NotComputed` if the total may exceed `MOST`.
    """
    _require_bounded(count, sides, count * (sides + abs(bonus)) + abs(extra))
    die = _shift(np.full(sides, 1 / sides), 1 + bonus, 1)
    totals = np.ones(1)
    for _ in range(count):
        totals = np.convolve(totals, die)
    return _shift(totals, extra, 1)


def exactly(points: int) -> Distribution:
    """Return the distribution of a certain total from 0 to `MOST`; `NotComputed` for any other."""
    if points < 0:
        raise NotComputed(f"{points} points are none; a total is 0 or more")
    _require_bounded(0, 0, points)
    certain = np.zeros(points + 1)
    certain[points] = 1.0
    return certain


def _require_bounded(count: int, sides: int, most: int) -> None:
    told = f"{count}d{sides}" if count else str(most)
    if count and sides < 1:
        raise NotComputed(f"{told} has dice of no sides")
    if most > MOST:
        raise NotComputed(f"{told} is more than can be computed: a total may be {MOST:,} at most")


def _shift(probabilities: Distribution, by: int, at_least: int) -> Distribution:
    """Move index i to value i + by, and add everything below `at_least` to that place."""
    size = max(len(probabilities) + by, at_least + 1, 1)
    out = np.zeros(size)
    for i, p in enumerate(probabilities):
        out[max(i + by, at_least, 0)] += p
    return out


def mean(distribution: Distribution) -> float:
    """Return the expected value."""
    return float(np.arange(len(distribution)) @ distribution)
