"""Dice as exact distributions: *1d8*, *2d4+1*, and the ranges of older books, *2-12* for two six-sided dice.

A distribution has a place for every total, so totals have a bound, which is looked at before anything is built.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Distribution = npt.NDArray[np.float64]
"""Probabilities of the totals 0, 1, 2, … as a one-dimensional array that sums to 1."""

MOST = 10_000
"""The largest total that a distribution is made for."""
MOST_ROLLS = 100
"""Rolls that are made at once."""
_LONGEST = 9
"""Digits of a number that is read."""

_DICE = re.compile(r"(?P<count>\d*)d(?P<sides>\d+)(?P<plus>\s*[+-]\s*\d+)?", re.IGNORECASE)
_RANGE = re.compile(r"(?<![\d+])(?P<low>\d+)\s*[-–]\s*(?P<high>\d+)(?P<plus>\s*\+\s*\d+)?")
_COUNTED = re.compile(r"\s*(?P<times>\d+)(?!d\d)\s*(?:[x×]\s*)?(?:[^\W\d_][\w'-]*\s+)+\((?P<each>[^()]*)\)")
"""*2 claws (1d6)*, *1 x bite (2d4 + poison)*."""
_SIDES = frozenset({2, 3, 4, 6, 8, 10, 12, 20, 100})
_ONE_DIE = re.compile(r"\b1?d\s*(\d+)\b|\b(\d+|four|six|eight|ten|twelve)[- ]sided\b", re.IGNORECASE)
_NAMED = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}


class NotComputed(ValueError):
    """Numbers that no distribution is made of; the message tells which, and the bound."""


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice of `sides` sides, plus a fixed number.

    >>> Dice(2, 6, 1).average, str(Dice(1, 8))
    (8.0, '1d8')
    """

    count: int
    sides: int
    plus: int = 0

    @property
    def average(self) -> float:
        """The mean total."""
        return self.count * (self.sides + 1) / 2 + self.plus

    def __str__(self) -> str:
        base = f"{self.count}d{self.sides}" if self.count else ""
        return f"{base}{self.plus:+d}" if base and self.plus else base or str(self.plus)


def parse_dice(text: str) -> Dice | None:
    """Read the first dice expression or damage range of `text`, or a plain number; None when there is none.

    >>> str(parse_dice("2-12")), str(parse_dice("2-5")), str(parse_dice("1d8 or by weapon"))
    ('2d6', '1d4+1', '1d8')
    """
    if match := _DICE.search(text):
        return Dice(whole(match["count"] or "1"), whole(match["sides"]), _plus(match["plus"]))
    if match := _RANGE.search(text):
        return _from_range(whole(match["low"]), whole(match["high"]), _plus(match["plus"]))
    if match := re.match(r"\s*(\d+)\b", text):
        return Dice(0, 0, whole(match[1]))
    return None


def parse_rolls(text: str) -> tuple[Dice, ...]:
    """Each roll of several: *1d6/1d6/2d8* has three, *1-4 (×2)/1-8* and *2 claws (1d4), 1d8* too."""
    rolls: list[Dice] = []
    for part in re.split(r"\s*[/;]\s*|\s+and\s+|,\s*", text):
        if counted := _COUNTED.match(part):
            each = parse_dice(counted["each"])
            rolls += [each] * times(counted["times"]) if each else []
            continue
        dice = parse_dice(re.sub(r"[(]?[x×]\s*\d+[)]?", "", part))
        often = re.match(r"\s*(\d+)\s*[x×](?=\s*[^\W\d])", part) or re.search(r"[x×]\s*(\d+)", part)
        if dice is not None:
            rolls += [dice] * (times(often[1]) if often else 1)
    return tuple(rolls)


def sides_of(text: str) -> list[int]:
    """The sides of each single die of a text: *a d8*, *ten-sided*."""
    return [int(_NAMED.get(size, size)) for one in _ONE_DIE.findall(text.lower()) if (size := one[0] or one[1])]


def _plus(text: str | None) -> int:
    return whole(re.sub(r"\s", "", text)) if text else 0


def whole(text: str) -> int:
    """The whole number of some digits; `NotComputed` when there are too many of them."""
    if len(text) > _LONGEST:
        raise NotComputed(f"a number of {len(text)} digits is not read; {_LONGEST} are the most")
    return int(text)


def times(text: str) -> int:
    """How often something is rolled at once; `NotComputed` when that is more than `MOST_ROLLS`."""
    count = whole(text)
    require_rolls(count)
    return count


def require_rolls(count: float) -> None:
    """Raise `NotComputed` for more rolls at once than are computed."""
    if count > MOST_ROLLS:
        raise NotComputed(f"{count:,} rolls in a round are more than the {MOST_ROLLS} that are computed")


def _from_range(low: int, high: int, plus: int) -> Dice | None:
    if high <= low:
        return None
    if low and high % low == 0 and high // low in _SIDES:
        return Dice(low, high // low, plus)
    return Dice(1, high - low + 1, low - 1 + plus)


def total(dice: Dice, at_least: int = 0) -> Distribution:
    """The exact distribution of a roll, each total raised to `at_least` where it falls below; or `NotComputed`."""
    _require_bounded(dice.count, dice.sides, dice.count * dice.sides + abs(dice.plus))
    totals = np.ones(1)
    for _ in range(dice.count):
        totals = np.convolve(totals, np.full(dice.sides, 1 / dice.sides))
    return _shift(totals, dice.count + dice.plus, at_least)


def rolled_points(count: int, sides: int, bonus: int, extra: int = 0) -> Distribution:
    """Rolled points: `count` dice, each with `bonus` and worth at least 1, and `extra` on top; at least 1.

    `NotComputed` when that may be more than `MOST`.
    """
    _require_bounded(count, sides, count * (sides + abs(bonus)) + abs(extra))
    die = _shift(np.full(sides, 1 / sides), 1 + bonus, 1)
    totals = np.ones(1)
    for _ in range(count):
        totals = np.convolve(totals, die)
    return _shift(totals, extra, 1)


def exactly(points: int) -> Distribution:
    """A total that is certain, from 0 to `MOST`; else `NotComputed`."""
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
    """Move index i to value i + by, gathering everything below `at_least` there."""
    size = max(len(probabilities) + by, at_least + 1, 1)
    out = np.zeros(size)
    for i, p in enumerate(probabilities):
        out[max(i + by, at_least, 0)] += p
    return out


def mean(distribution: Distribution) -> float:
    """The expected value."""
    return float(np.arange(len(distribution)) @ distribution)
