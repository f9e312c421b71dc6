"""Parse dice: *1d8*, *2d4+1*, and the ranges of older books, *2-12* for two six-sided dice."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_ROLLS = 100
"""The most rolls at once."""
_LONGEST = 9
"""The most digits of a number that is read."""

_DICE = re.compile(r"(?P<count>\d*)d(?P<sides>\d+)(?P<plus>\s*[+-]\s*\d+)?", re.IGNORECASE)
_RANGE = re.compile(r"(?<![\d+])(?P<low>\d+)\s*[-–]\s*(?P<high>\d+)(?P<plus>\s*\+\s*\d+)?")
_COUNTED = re.compile(r"\s*(?P<times>\d+)(?!d\d)\s*(?:[x×]\s*)?(?:[^\W\d_][\w'-]*\s+)+\((?P<each>[^()]*)\)")
"""*2 claws (1d6)*, *1 x bite (2d4 + poison)*."""
_SIDES = frozenset({2, 3, 4, 6, 8, 10, 12, 20, 100})
_ONE_DIE = re.compile(r"\b1?d\s*(\d+)\b|\b(\d+|four|six|eight|ten|twelve)[- ]sided\b", re.IGNORECASE)
_NAMED = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}


class NotComputed(ValueError):
    """Raised for numbers beyond the limits of computation; the message names the number and the limit."""


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
    """Read the first dice expression or damage range of `text`, or a plain number; None if there is none.

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
    """Return each roll of several: *1d6/1d6/2d8* has three, *1-4 (×2)/1-8* and *2 claws (1d4), 1d8* too."""
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
    """Return the sides of each single die in a text: *a d8*, *ten-sided*."""
    return [int(_NAMED.get(size, size)) for one in _ONE_DIE.findall(text.lower()) if (size := one[0] or one[1])]


def _plus(text: str | None) -> int:
    return whole(re.sub(r"\s", "", text)) if text else 0


def whole(text: str) -> int:
    """Return the whole number of some digits; raise `NotComputed` if there are too many of them."""
    if len(text) > _LONGEST:
        raise NotComputed(f"a number of {len(text)} digits is not read; {_LONGEST} are the most")
    return int(text)


def times(text: str) -> int:
    """Return how often something is rolled at once; raise `NotComputed` for more than `MOST_ROLLS`."""
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
