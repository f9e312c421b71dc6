"""The quantities that cells are ranked by: numbers, dice, coins, sizes, and which end of a measure is better.

Two cells are ranked only if it is certain which is more: *2 cp* and *15 gp* are, whatever the exchange rate, but *90
sp* and *5 gp* are not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from agent.languages.language import english
from agent.plugins.domains import scales
from agent.reasoning.values import dice as d
from agent.reasoning.values.clock import clock_of, is_span_of_day
from agent.reasoning.values.dates import date_of, dates_in, leading_date
from agent.reasoning.values.written import alike, are_several, plainly
from retrieval.text.grouped import joined, with_points
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, normal, phrase
from retrieval.text.spelling import fold, with_fractions, with_powers

Range = tuple[float, float]
_COINS: dict[str, Range] = {"cp": (1, 1), "sp": (10, 10), "ep": (50, 100), "gp": (100, 200), "pp": (500, 1000)}
"""The value of each coin in coppers, the lowest and the highest in rulebooks."""
_SIZES = {"tiny": 0, "small": 1, "s": 1, "medium": 2, "man": 2, "m": 2, "large": 3, "l": 3, "huge": 4, "gigantic": 5}
_TURNED = frozenset({"bonus", "modifier", "mod", "chance", "probability", "percentage", "likelihood"})
"""A bonus to a roll, and the chance of success, is better when higher."""
_POWERS = str.maketrans("23", "²³")
_DICE = re.compile(r"\d*d\d+", re.IGNORECASE)
_CURRENCY = r"[$£€¥₹]|(?:usd|eur|gbp|chf|cad|aud|jpy|sek|nok|dkk)(?=[\s\d])"
_UNIT = r"(?P<unit>[$£€¥₹]|[°µa-z%]*(?:(?<=m)[23](?!\d))?)"
"""A currency sign or letters, with a power behind a unit of length for an area or a volume: *km2*."""
_NUMBER = re.compile(
    rf"\s*(?P<coin>(?:{_CURRENCY})?)\s*(?P<number>[+-]?[\d,]*\d(?:[+]\d+(?!d)|[-]1(?!\d|\s\d+/)|\.\d+)?)"
    rf"(?P<fraction>\s*\d+/\d+|/\d+)?\s*\+?\s*{_UNIT}"
)
_WAVE = re.compile(r"(?<=\d)\s*[~\u301c\uff5e]\s*(?=\d)")
"""The range sign of East Asian texts: *35~105 N*."""
_RANGE = re.compile(rf"[+-]?[\d,.]*\d\s*(?:-|to)\s*(?P<top>[\d,.]*\d)(?![\d/])\s*{_UNIT}")
_ACCOUNTED = re.compile(r"\(\s*(?P<sign>[$£€]?\s*)(?P<number>[\d.,]*\d\s*%?)\s*\)")
"""The accountants' form of a negative number: *(8,742)*."""
_AXIS = re.compile(r"\s*[^\W\d_]+\s+(?=\d)")
_SCALED_UNITS = (
    {
        "mm": 0.001, "millimetre": 0.001, "millimeter": 0.001, "cm": 0.01, "centimetre": 0.01, "centimeter": 0.01,
        "m": 1.0, "metre": 1.0, "meter": 1.0, "km": 1000.0, "kilometre": 1000.0, "kilometer": 1000.0,
    },
    {"ft": 1.0, "foot": 1.0, "feet": 1.0, "yard": 3.0, "mile": 5280.0},
    {"mm2": 1e-6, "cm2": 1e-4, "m2": 1.0, "ha": 1e4, "km2": 1e6},
    {"mg": 0.001, "milligram": 0.001, "g": 1.0, "gram": 1.0, "kg": 1000.0, "kilo": 1000.0, "kilogram": 1000.0},
    {"lb": 1.0, "pound": 1.0, "oz": 1 / 16, "ounce": 1 / 16},
    {"arcsecond": 1.0, "arcminute": 60.0},
    {"ml": 0.001, "cl": 0.01, "l": 1.0},
    {"wh": 1.0, "kwh": 1000.0},
    {"w": 1.0, "kw": 1000.0},
    {"byte": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40},
    {"bit": 1.0, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9, "kbp": 1e3, "mbp": 1e6, "gbp": 1e9},
    {"kn": 1.0, "kt": 1.0, "knot": 1.0},
    {"month": 1.0, "year": 12.0},
    {"hz": 1.0, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    {
        "ms": 1 / 60_000, "s": 1 / 60, "sec": 1 / 60, "second": 1 / 60, "min": 1.0, "minute": 1.0, "m": 1.0,
        "h": 60.0, "hr": 60.0, "hour": 60.0, "day": 1440.0, "week": 10080.0,
    },
)  # fmt: skip
"""The units of each measure with their factors; *t* is missing because it differs from place to place."""
UNITS = frozenset(unit for scale in _SCALED_UNITS for unit in scale)
_TIMES = _SCALED_UNITS[-1]


def worths(units: Collection[str]) -> Mapping[str, float] | None:
    """Return the factors of some units on a common scale; None if they have none.

    >>> worths({"hour", "minute"}), worths({"hour", "foot"}), worths({"gp"})
    ({'hour': 60.0, 'minute': 1.0}, None, {'gp': 1.0})
    """
    if len(units) == 1:
        return dict.fromkeys(units, 1.0)
    scale = next((each for each in _SCALED_UNITS if each.keys() >= set(units)), None)
    return None if scale is None else {unit: scale[unit] for unit in sorted(units)}


_MAGNITUDES = {
    "k": 1e3, "thousand": 1e3, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9, "tn": 1e12, "trillion": 1e12,
}  # fmt: skip
_OF_MONEY = {"m": 1e6, "mm": 1e6, "b": 1e9, "t": 1e12}
"""The magnitude of a letter behind an amount of money; elsewhere it is a unit."""
_COUNTED = {"k", "m"}
"""Letters that are magnitudes if both occur: then *m* is no metre, *12.5k*, *0.12M*."""
_PARTED = re.compile(r"\s*[-+]?\d+(?::\d|[/-]\d{1,2}[/-]\d{4})")
"""A ratio, a time, an angle or a date, whose meaning depends on the other values."""
_TIME = re.compile(r"(?P<number>\d+(?:\.\d+)?(?:\s+\d/\d)?)\s*(?P<unit>[a-z]+)")
CLOCK = "o'clock"
"""The unit of times of day, which are ordered and not computed with."""
_DIE_OF_LIFE = 4.5
_NO_UNIT = STOP_WORDS | {"st", "nd", "rd", "th", "plus", "see", "base"}


def lower_is_better(attribute: str) -> bool:
    """True for a measure whose lower values are better: armor class, saving throws, rolls to hit and costs."""
    words = set(normal(attribute))
    low = {*scales().low, *english().prices}
    return not words & _TURNED and any(words.issuperset(phrase(measure)) for measure in low)


def is_contested(attribute: str) -> bool:
    """True for a measure that some books count up and some down, according to a domain."""
    said = set(phrase(attribute))
    return any(not said.isdisjoint(phrase(measure)) for measure in scales().either)


def is_rolled(attribute: str) -> bool:
    """True for a measure that is rolled according to a domain: its ranges stand for dice."""
    said = set(phrase(attribute))
    return any(said.issuperset(phrase(measure)) for measure in scales().rolled)


@lru_cache(maxsize=65536)
def number_of(text: str, attribute: str = "") -> float | None:
    """Return the number of a cell: *8+3* hit dice are 8.03, *250,000* is a quarter million, *2d6* is 7 on average.

    >>> number_of("8+3"), number_of("2d6"), number_of("1d6/1d6/2d8"), number_of("1 1/2"), number_of("by weapon")
    (8.03, 7.0, 16.0, 1.5, None)
    >>> number_of("Large", "Size") > number_of("Small", "Size"), number_of("9 m", "Size: length")
    (True, 9.0)
    >>> number_of("Level 2"), number_of("Chapter 2"), number_of("(8,742)"), number_of("+43:06:09.21")
    (2.0, None, -8742.0, None)
    """
    words, text = set(phrase(attribute)), _accounted(_on_axis(plainly(text)))
    when = date_of(text)
    if when is not None and when.month is not None:
        return when.as_number
    folded = _plain(text)
    is_size = "size" in words and not folded.lstrip()[:1].isdigit()  # *187 m* is no size word
    sizes = [float(_SIZES[word]) for word in phrase(text) if word in _SIZES] if is_size else []
    if sizes:
        return sizes[0]
    if folded.strip() == "free":
        return 0.0
    if _DICE.match(folded.strip()) or (is_rolled(attribute) and re.match(r"\s*\d+-\d+", folded)):
        return _average(folded)
    match = None if _PARTED.match(folded) else _NUMBER.match(folded)
    if match is None:
        return None
    span = read_label(match["number"]).span
    return None if span is None else _with_fraction(span.minimum, match["number"], match["fraction"])


def _plain(text: str) -> str:
    return fold(with_fractions(with_powers(joined(with_points(_WAVE.sub("-", text))))))


def _average(rolls: str) -> float | None:
    """Return the average of dice; None for more rolls than are computed."""
    plain = re.sub(r"\([^()]*\)", " ", rolls)  # *d8 (max 14)* is a d8
    try:
        average = sum(dice.average for dice in d.parse_rolls(re.split(r"\bor\b", plain)[0]))
    except d.NotComputed:
        return None
    return average / _DIE_OF_LIFE if re.search(r"\bhp\b", rolls) else average


def _accounted(text: str) -> str:
    """Return a value in accountants' brackets with a minus sign instead; any other as it is."""
    match = _ACCOUNTED.fullmatch(text.strip())
    return f"{match['sign']}-{match['number']}" if match else text


def _on_axis(text: str) -> str:
    """Return a value without the axis word before its number: *Level 2*, *Grade 9-10*."""
    match = _AXIS.match(text)
    return text[match.end() :] if match is not None and english().levels.issuperset(phrase(match[0])) else text


def _with_fraction(whole: float, digits: str, fraction: str | None) -> float | None:
    """Add the fraction of *1 1/2* and *1/2*; ignore that of *18/51*, an exceptional strength, and of *6/2*."""
    if not fraction:
        return whole
    if fraction.startswith("/"):
        bottom = int(fraction[1:])
        top_text = digits.replace(",", "")
        is_fraction = len(fraction) == 2 and top_text.lstrip("+-").isdigit() and abs(int(top_text)) < bottom
        return float(Fraction(int(top_text), bottom)) if is_fraction else whole
    top, _, bottom_text = fraction.strip().partition("/")
    part = int(top) / int(bottom_text) if int(bottom_text) else 0.0
    return whole - part if digits.lstrip().startswith("-") else whole + part


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit; `unit` is empty if the cell has none, `top` is the end of a range such as *60-70*.

    For a date, the number counts months or days, for a time of day minutes.
    """

    number: float
    unit: str = ""
    top: float | None = None
    is_date: bool = False

    def less(self, other: Quantity) -> bool:
        """True if this is certainly less than the other, whatever the exchange rate of coins."""
        if self.unit == other.unit or not (self.number and other.number):
            return self.number < other.number and self._end <= other._end
        return self.number * _COINS[self.unit][1] < other.number * _COINS[other.unit][0]

    def times(self, factor: float) -> Quantity:
        """Return the quantity multiplied by its magnitude; a unit that is only a magnitude is dropped."""
        unit = "" if self.unit in _MAGNITUDES else self.unit
        return Quantity(self.number * factor, unit, None if self.top is None else self.top * factor, self.is_date)

    @property
    def written_unit(self) -> str:
        """The unit as people write it: *km²*."""
        return self.unit.translate(_POWERS)

    @property
    def _end(self) -> float:
        return self.number if self.top is None else self.top


def quantities_of(texts: Sequence[str], attribute: str = "") -> list[Quantity] | None:
    """Return the quantity of each cell; None if one can't be ranked with the others. If all have accountants' brackets,
    the numbers are compared without the sign: the most *cash disbursed* of (2,286) and (111) is the first.

    >>> [[each.number for each in quantities_of(texts) or ()] for texts in (("(20)", "(3)"), ("(20)", "3"))]
    [[20.0, 3.0], [-20.0, 3.0]]
    >>> [each.number for each in quantities_of(["2 km²", "3 ha"]) or ()], quantities_of(["2 km²", "3 km"])
    ([2000000.0, 30000.0], None)
    """
    if len(texts) > 1 and all(_ACCOUNTED.fullmatch(text.strip()) for text in texts):
        texts = [text.strip()[1:-1] for text in texts]
    if (times := dates_of(texts) or _clocks_of(texts)) is not None:
        return times
    if are_several(texts, attribute):
        return None
    texts = alike(texts)
    read = [_read(text, attribute) for text in texts]
    if _COUNTED <= {each.unit for each in read} <= _COUNTED | {""}:
        read = [each._replace(unit="", magnitude=_OF_MONEY.get(each.unit, each.magnitude)) for each in read]
    found = [Quantity(each.number, each.unit, each.end) for each in read if each.number is not None]
    magnitudes = [each.magnitude for each in read]
    is_lost = any(each.unit not in _MAGNITUDES for each in found)  # behind a currency sign, the sign is the unit
    if len(found) == len(texts) and (is_lost or len(set(magnitudes)) > 1):
        found = [each.times(times) for each, times in zip(found, magnitudes, strict=True)]
    if len(found) < len(texts):
        return None
    held = {quantity.unit for quantity in found if quantity.number}
    if len(held) > 1 and (scale := next((s for s in _SCALED_UNITS if held <= s.keys()), None)):
        return [_scaled(quantity, scale) for quantity in found]
    if len(held) > 1 and not held <= _COINS.keys():
        return [Quantity(q.number, top=q.top) for q in found] if len(held - {""}) < 2 else None
    return found


def _clocks_of(texts: Sequence[str]) -> list[Quantity] | None:
    """Return the quantity of each cell if all are times of day or spans of them; else None."""
    found = [time for time in map(clock_of, texts) if time is not None]
    return [Quantity(first, CLOCK, last, is_date=True) for first, last in found] if len(found) == len(texts) else None


class _Read(NamedTuple):
    """The parts of a single cell, parsed by itself."""

    number: float | None
    end: float | None
    unit: str
    magnitude: float


@lru_cache(maxsize=65536)
def _read(text: str, attribute: str) -> _Read:
    """Return the parts of a single cell; cached, since the same cells recur."""
    text = _one_unit(_on_axis(plainly(text)))
    return _Read(number_of(text, attribute), _end(text, attribute), _unit(text), magnitude_of(text))


def dates_of(texts: Sequence[str]) -> list[Quantity] | None:
    """Return the quantity of each cell if all are dates, or begin with one, some of them with a month; else None.

    >>> dates_of(["3", "2021"]), [when.unit for when in dates_of(["May 2021", "June 2021"]) or ()]
    (None, ['month', 'month'])
    >>> [when.unit for when in dates_of(["May 3, 1901 in Hull", "1888, near Goole"]) or ()]
    ['day', 'day']
    """
    found = [when for when in dates_in(texts) if when is not None]
    if len(found) < len(texts):
        found = [when for when in map(leading_date, texts) if when is not None]
    if not found or len(found) < len(texts) or all(when.month is None for when in found):
        return None
    if all(when.month is not None and when.day is None for when in found):
        return [Quantity(when.months, "month", is_date=True) for when in found]
    tops = (when.last if when.last > when.first else None for when in found)
    return [Quantity(when.first, "day", top, is_date=True) for when, top in zip(found, tops, strict=True)]


def _one_unit(text: str) -> str:
    """Return a time in several units as one in minutes; any other text as it is.

    >>> _one_unit("1 hr 15 mins"), _one_unit("8 hours"), _one_unit("2 m 30 kg")
    ('75 min', '8 hours', '2 m 30 kg')
    """
    parts = [(match["number"], _singular(match["unit"])) for match in _TIME.finditer(fold(text))]
    if len(parts) < 2 or not all(unit in _TIMES for _, unit in parts) or len({unit for _, unit in parts}) < 2:
        return text
    return f"{sum(float(n.split()[0]) * _TIMES[unit] for n, unit in parts):g} min"


def _singular(unit: str) -> str:
    return unit.removesuffix("s") if len(unit) > len("ms") else unit


def _scaled(quantity: Quantity, scale: Mapping[str, float]) -> Quantity:
    """Return the quantity in the base unit of its scale; a zero may lack a unit."""
    factor = scale.get(quantity.unit, 1.0)
    unit = next(name for name, worth in scale.items() if worth == 1)
    return Quantity(quantity.number * factor, unit, None if quantity.top is None else quantity.top * factor)


def _end(text: str, attribute: str) -> float | None:
    """Return the upper end of a range; dice and damage count by their average, and have none."""
    folded = _plain(text).strip()
    if _DICE.match(folded) or is_rolled(attribute):
        return None
    match = _RANGE.match(folded)
    return None if match is None else float(match["top"].replace(",", ""))


def is_range(text: str) -> bool:
    """True for a range such as *60-70*, which can't be subtracted.

    >>> is_range("60–70 days"), is_range("8+3"), is_range("1-8"), is_range("35~105 N"), is_range("~105 N")
    (True, False, True, True, False)
    """
    return _end(text, "") is not None or is_span_of_day(text)


def same_unit(texts: Sequence[str]) -> bool:
    """True if the cells are written in one unit, or in none."""
    return len(set(map(_unit, texts))) < 2


@lru_cache(maxsize=65536)
def _unit(text: str) -> str:
    folded = _plain(text).strip()
    match = None if _DICE.match(folded) else _RANGE.match(folded) or _NUMBER.match(folded)
    if match is None:
        return ""
    coin = match.groupdict().get("coin") or ""
    unit = match["unit"] if match["unit"] not in _NO_UNIT else ""
    return coin or _singular(unit)  # *1 lb* and *3 lbs* have one unit


def magnitude_of(text: str) -> float:
    """Return the factor of the word or letters behind a number.

    >>> magnitude_of("$300m"), magnitude_of("1.2 billion"), magnitude_of("300 m")
    (1000000.0, 1000000000.0, 1.0)
    """
    folded = _plain(text).strip()
    match = _RANGE.match(folded) or _NUMBER.match(folded)
    if match is None:
        return 1.0
    of_money = _OF_MONEY.get(match["unit"], 1.0) if match.groupdict().get("coin") else 1.0
    return _MAGNITUDES.get(match["unit"], of_money)


def best_of(quantities: Sequence[Quantity], low: bool) -> list[int]:
    """Return the places of the best: several if they are equal, none if the best is uncertain.

    >>> best_of([Quantity(3), Quantity(5), Quantity(5)], low=False)
    [1, 2]
    >>> best_of([Quantity(90, "sp"), Quantity(5, "gp")], low=False)
    []
    >>> best_of([Quantity(2, "cp"), Quantity(5, "gp")], low=True)
    [0]
    """

    def beaten(a: Quantity, b: Quantity) -> bool:
        return b.less(a) if low else a.less(b)

    best = [i for i, one in enumerate(quantities) if not any(beaten(one, other) for other in quantities)]
    rest = [one for i, one in enumerate(quantities) if i not in best]
    first = quantities[best[0]] if best else Quantity(0)
    alike = all(quantities[i] == first for i in best)
    return best if alike and all(beaten(one, first) for one in rest) else []
