"""Dice as exact distributions: *1d8*, *2d4+1*, and the ranges of older books, *2-12* for two six-sided dice."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Distribution = npt.NDArray[np.float64]
"""Probabilities of the totals 0, 1, 2, … as a one-dimensional array that sums to 1."""

_DICE = re.compile(r"(?P<count>\d*)d(?P<sides>\d+)(?P<plus>\s*[+-]\s*\d+)?", re.IGNORECASE)
_RANGE = re.compile(r"(?<![\d+])(?P<low>\d+)\s*[-–]\s*(?P<high>\d+)(?P<plus>\s*\+\s*\d+)?")
_COUNTED = re.compile(r"\s*(?P<times>\d+)(?!d\d)\s*(?:[x×]\s*)?(?:[^\W\d_][\w'-]*\s+)+\((?P<each>[^()]*)\)")
"""*2 claws (1d6)*, *1 x bite (2d4 + poison)*."""
_SIDES = frozenset({2, 3, 4, 6, 8, 10, 12, 20, 100})
_ONE_DIE = re.compile(r"\b1?d\s*(\d+)\b|\b(\d+|four|six|eight|ten|twelve)[- ]sided\b", re.IGNORECASE)
_NAMED = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}


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
        return Dice(int(match["count"] or 1), int(match["sides"]), _plus(match["plus"]))
    if match := _RANGE.search(text):
        return _from_range(int(match["low"]), int(match["high"]), _plus(match["plus"]))
    if match := re.match(r"\s*(\d+)\b", text):
        return Dice(0, 0, int(match[1]))
    return None


def parse_attacks(text: str) -> tuple[Dice, ...]:
    """The damage of each attack of a routine: *1d6/1d6/2d8* has three, *1-4 (×2)/1-8* and *2 claws (1d4), 1d8* too."""
    attacks: list[Dice] = []
    for part in re.split(r"\s*[/;]\s*|\s+and\s+|,\s*", text):
        if counted := _COUNTED.match(part):
            each = parse_dice(counted["each"])
            attacks += [each] * int(counted["times"]) if each else []
            continue
        dice = parse_dice(re.sub(r"[(]?[x×]\s*\d+[)]?", "", part))
        times = re.match(r"\s*(\d+)\s*[x×](?=\s*[^\W\d])", part) or re.search(r"[x×]\s*(\d+)", part)
        if dice is not None:
            attacks += [dice] * (int(times[1]) if times else 1)
    return tuple(attacks)


def sides_of(text: str) -> list[int]:
    """The sides of each single die of a text: *a d8*, *ten-sided*."""
    return [int(_NAMED.get(size, size)) for one in _ONE_DIE.findall(text.lower()) if (size := one[0] or one[1])]


def _plus(text: str | None) -> int:
    return int(re.sub(r"\s", "", text)) if text else 0


def _from_range(low: int, high: int, plus: int) -> Dice | None:
    if high <= low:
        return None
    if low and high % low == 0 and high // low in _SIDES:
        return Dice(low, high // low, plus)
    return Dice(1, high - low + 1, low - 1 + plus)


def total(dice: Dice, at_least: int = 0) -> Distribution:
    """The exact distribution of a roll, each total raised to `at_least` where it falls below."""
    totals = np.ones(1)
    for _ in range(dice.count):
        totals = np.convolve(totals, np.full(dice.sides, 1 / dice.sides))
    return _shift(totals, dice.count + dice.plus, at_least)


def hit_points(count: int, sides: int, bonus: int, extra: int = 0) -> Distribution:
    """Rolled hit points: `count` dice, each with `bonus` and worth at least 1, and `extra` on top; at least 1."""
    die = _shift(np.full(sides, 1 / sides), 1 + bonus, 1)
    totals = np.ones(1)
    for _ in range(count):
        totals = np.convolve(totals, die)
    return _shift(totals, extra, 1)


def exactly(points: int) -> Distribution:
    """A total that is certain."""
    certain = np.zeros(points + 1)
    certain[points] = 1.0
    return certain


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
