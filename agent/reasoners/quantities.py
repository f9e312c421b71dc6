"""What the text of a cell is worth where cells are ranked: numbers, dice, coins, sizes, and which end is the better.

Two cells are ranked only where it is certain which is the more: *2 cp* and *15 gp* are, whatever the exchange, but
*90 sp* and *5 gp* are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agent.reasoners import dice as d
from retrieval.spans import read_label
from retrieval.spelling import fold
from retrieval.text import normal, phrase

Range = tuple[float, float]
_COINS: dict[str, Range] = {"cp": (1, 1), "sp": (10, 10), "ep": (50, 100), "gp": (100, 200), "pp": (500, 1000)}
"""Coppers to a coin, from the least to the most that rulebooks give."""
_SIZES = {"tiny": 0, "small": 1, "s": 1, "medium": 2, "man": 2, "m": 2, "large": 3, "l": 3, "huge": 4, "gigantic": 5}
_LOW_IS_BETTER = (
    "saving throw",
    "save",
    "armor class",
    "armored",
    "to hit",
    "roll",
    "thac0",
    "experience points",
    "cost",
    "price",
    "fee",
    "premium",
)
_DICE = re.compile(r"\d*d\d+", re.IGNORECASE)
_NUMBER = re.compile(r"\s*([+-]?[\d,]*\d(?:[+]\d+(?!d)|[-]1(?!\d)|\.\d+)?)(\s*\d+/\d+|/\d+)?\s*\+?\s*([a-z%]*)")
_DIE_OF_LIFE = 4.5


def lower_is_better(attribute: str) -> bool:
    """True for armor class, saving throws, rolls to hit and costs, where the lower number is the better one."""
    words = set(normal(attribute))
    return any(set(phrase(measure)) <= words for measure in _LOW_IS_BETTER)


def number_of(text: str, attribute: str = "") -> float | None:
    """The number of a cell: *8+3* hit dice are 8.03, *250,000* is a quarter million, *2d6* is 7 on average.

    >>> number_of("8+3"), number_of("2d6"), number_of("1d6/1d6/2d8"), number_of("1 1/2"), number_of("by weapon")
    (8.03, 7.0, 16.0, 1.5, None)
    """
    words = set(phrase(attribute))
    folded = fold(re.sub(r"[−–]", "-", text)).replace("½", " 1/2")
    if "size" in words:
        return next((float(_SIZES[word]) for word in phrase(text) if word in _SIZES), None)
    if folded.strip() == "free":
        return 0.0
    if _DICE.match(folded.strip()) or ("damage" in words and re.match(r"\s*\d+-\d+", folded)):
        average = sum(dice.average for dice in d.parse_attacks(re.split(r"\bor\b", folded)[0]))
        return average / _DIE_OF_LIFE if re.search(r"\bhp\b", folded) else average
    match = _NUMBER.match(folded)
    if match is None:
        return None
    span = read_label(match[1]).span
    return None if span is None else _with_fraction(span.minimum, match[1], match[2])


def _with_fraction(whole: float, digits: str, fraction: str | None) -> float | None:
    """*1 1/2* and *1/2*, but no exceptional strength: *18/51* is left as it is read."""
    if not fraction:
        return whole
    if fraction.startswith("/"):
        bottom = int(fraction[1:])
        return float(Fraction(int(digits.replace(",", "")), bottom)) if bottom and len(fraction) == 2 else whole
    top, _, bottom_text = fraction.strip().partition("/")
    return whole + int(top) / int(bottom_text) if int(bottom_text) else whole


def ranges_of(texts: Sequence[str], attribute: str = "") -> list[Range] | None:
    """What each cell is worth at least and at most; None when one of them can't be ranked with the others."""
    numbers = [number_of(text, attribute) for text in texts]
    if any(number is None for number in numbers):
        return None
    units = [_unit(text) for text in texts]
    held = {unit for unit in units if unit}
    if len(held) <= 1:
        return [(n, n) for n in numbers if n is not None]
    if not held <= _COINS.keys():
        return None
    coins = [_COINS.get(unit, (0, 0)) for unit in units]
    if any(not unit and number for unit, number in zip(units, numbers, strict=True)):
        return None
    return [(n * low, n * high) for n, (low, high) in zip(numbers, coins, strict=True) if n is not None]


def _unit(text: str) -> str:
    match = None if _DICE.match(text.strip()) else _NUMBER.match(fold(text))
    return match[3] if match and match[3] not in ("or", "to", "and", "st", "nd", "rd", "th", "plus") else ""


def best_of(ranges: Sequence[Range], low: bool) -> list[int]:
    """The places of the best: several when they are equal, none when it is not certain which is the best.

    >>> best_of([(3, 3), (5, 5), (5, 5)], low=False), best_of([(100, 200), (150, 300)], low=True)
    ([1, 2], [])
    """
    signed = [(-high, -low_) for low_, high in ranges] if low else list(ranges)
    top = max(signed)
    best = [i for i, held in enumerate(signed) if held == top]
    return best if all(held[1] < top[0] or i in best for i, held in enumerate(signed)) else []
