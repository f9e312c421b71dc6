"""One notation for quantities that are written in several: dates, durations, fractions, decimals with a comma."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from agent.languages.language import english
from retrieval.text.english import CARDINALS, PARTS

_TIMES = {"y": "years", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_LASTING = re.compile(r"(?<![\w.])(?:\d+[ydhms]\b ?){2,}")
"""A duration by the letters of its units: *1d 10h 19m*."""
_PART = re.compile(r"(\d+)([ydhms])")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_FRACTION = re.compile(rf"\b(an?|{'|'.join(CARDINALS)})[ -]({'|'.join(PARTS)})s? (?=of\b|as\b)", re.IGNORECASE)
_OF_ONE = re.compile(rf"\b(an?|{'|'.join(CARDINALS)})[ -]({'|'.join(PARTS)})s? of an? (?=([^\W\d_]+))", re.IGNORECASE)
"""A fraction of a unit: *a quarter of a mile*."""
_NAMED = re.compile(r"(?<![\w.])[a-z]+(?:_[a-z]+)+(?![\w.])")
"""A name of several words in code: *soft_limit*."""
_JOINED = re.compile(r"\b(\d{1,3}d\d{1,3})(?=[a-z]{3})")
"""Dice joined with the word behind them."""
_CURRENCIES = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}
_MONEY = re.compile(r"([$€£¥]) ?(\d[\d,]*(?:\.\d+)?(?: (?:thousand|million|billion))?)")
_MONEYS = re.compile(r"([$€£¥]) ?(\d[\d,]*(?:\.\d+)?) ?[-–] ?[$€£¥]? ?(?=\d)")
"""The first of two amounts: *$45-100*."""
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_LARGE = re.compile(rf"\b(\d{{1,6}}(?:\.\d{{1,6}})?) ({'|'.join(_SCALES)})\b", re.IGNORECASE)
_SCALED = re.compile(
    rf"(\d{{1,6}}(?:\.\d{{1,6}})?) ?(to|-|–) ?(?=\d[\d.]{{0,9}} ({'|'.join(_SCALES)})\b)", re.IGNORECASE
)
"""The first of two numbers that share a scale: *1.5 to 2 million*."""
_THOUSANDS = re.compile(r"(?<![\w.])(\d{1,6}(?:\.\d{1,3})?)k(?!\w)")
"""A number of thousands: *120k*."""
_FACTOR = re.compile(r"(?<=[^\W\d_] )[x×] ?(\d+)\b")
"""A factor: *income x5*."""
_DOZENS = re.compile(rf"\b(half a|an?|\d{{1,4}}|{'|'.join(CARDINALS)}) dozens?\b", re.IGNORECASE)
_SIZE = re.compile(r"(?<![^\W\d_])([kcdm]?m)([²³])")
"""A unit of area or volume: *km²*."""
_VERSION = re.compile(r"(?<![\w.])(\d{1,3}\.\d{1,3}\.\d{1,3})(?![\w]|\.\d)")
"""The number of a version, which is one name: *1.3.0*."""
_ROLLED = re.compile(r"\((\d{1,3})d(\d{1,3})([+-]\d{1,3})?\) ?[x×] ?(\d{1,6})\b")
"""Dice times a number: *(1d6+4) x 100*."""
_CIRCLE = re.compile(r"(?<=\d) ?\^\{?\\circ\}?(/?)")
"""The degree sign of a formula, as in *20^\\circ/s*."""
_DEGREES = re.compile(r"(?<=\d) ?(?:degrees?|[°º]) ?(celsius|fahrenheit|[cf])\b", re.IGNORECASE)
"""A temperature: *20 degrees Celsius*, *20 °C*."""
_SCALES_OF_WARMTH = {"c": "celsius", "f": "fahrenheit"}
_GLUED = re.compile(r"(?<=\d),(?=\d{3}[A-Za-z])")
"""The comma in thousands that are joined with their unit: *10,000mB*."""
_COMMA = re.compile(r"(\D*?-?\d+),(\d{1,2})( ?[^\W\d]*)")


def in_common_notation(text: str) -> str:
    """Return the text with its dates, durations, amounts and fractions in the notation in which they are compared.

    >>> tuple(map(in_common_notation, ("1962-02-20", "on Feb. 20, 1962", "for 4h 55m 23s", "a tenth of them")))
    ('20 february 1962', 'on 20 february 1962', 'for 4 hours 55 minutes 23 seconds', '0.1 times of them')
    """
    text = _OF_ONE.sub(_as_part_of_unit, _DOZENS.sub(_as_units_of_one, text))
    if not any(map(str.isdecimal, text)):
        return _FRACTION.sub(_as_factor, text)
    text = _NAMED.sub(lambda match: match[0].replace("_", " "), _JOINED.sub(r"\1 ", text))
    text = _CIRCLE.sub(lambda match: " degrees" + (" per " if match[1] else ""), text)
    text = _DEGREES.sub(lambda match: f" {_SCALES_OF_WARMTH[match[1][0].lower()]}", text)
    text = _VERSION.sub(r"v\1", text)
    text = _SIZE.sub(lambda match: f"{match[1]}{'²³'.index(match[2]) + 2}", text)
    text = _ROLLED.sub(_as_extent, _GLUED.sub("", text))
    text = _THOUSANDS.sub(r"\1 thousand", text)
    text = _MONEYS.sub(r"\2-\1", text)
    text = _MONEY.sub(lambda match: f"{match[2]} {_CURRENCIES[match[1]]}", text)
    text = _SCALED.sub(r"\1 \3 \2 ", _FACTOR.sub(r"\1 times of", text))
    text = _LARGE.sub(lambda match: f"{float(match[1]) * _SCALES[match[2].lower()]:.0f}", text)
    dated = _ISO.sub(_of_iso, text)
    for form in _dates():
        dated = form.sub(lambda match: f"{match['day']} {_month(match['month'])} {match['year']}", dated)
    return _FRACTION.sub(_as_factor, _LASTING.sub(_as_units, dated))


def with_decimal_point(cell: str) -> str:
    """Return a cell with a point for the decimal comma of its only number.

    >>> with_decimal_point("88,83 min"), with_decimal_point("1,200"), with_decimal_point("3,5,7")
    ('88.83 min', '1,200', '3,5,7')
    """
    match = _COMMA.fullmatch(cell)
    return f"{match[1]}.{match[2]}{match[3]}" if match is not None else cell


def _of_iso(match: re.Match[str]) -> str:
    months, place = english().months, int(match[2]) - 1
    return f"{int(match[3])} {months[place]} {match[1]}" if 0 <= place < len(months) else match[0]


@cache
def _dates() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a date with its month in words."""
    month = rf"(?P<month>{'|'.join(_short(english().months))})\.?"
    day, year = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})\b"
    return (
        re.compile(rf"\b{month} {day},? {year}", re.IGNORECASE),
        re.compile(rf"\b{day} (?:of )?{month},? {year}", re.IGNORECASE),
    )


def _short(months: Sequence[str]) -> list[str]:
    """Return the months and their first three letters, the longer first."""
    return [form for month in months for form in (month, f"{month[:3]}\\b")]


def _month(name: str) -> str:
    return next(month for month in english().months if month.startswith(name.lower()))


def _as_extent(match: re.Match[str]) -> str:
    """Return the least and the greatest result of dice times a number."""
    dice, pips, plus, times = (int(each or 0) for each in match.groups())
    return f"{(dice + plus) * times}-{(dice * pips + plus) * times}"


def _as_units(match: re.Match[str]) -> str:
    letters = {letter for _, letter in _PART.findall(match[0])}
    named = _TIMES | ({"m": "months"} if "y" in letters else {})
    end = " " if match[0].endswith(" ") else ""
    return " ".join(f"{many} {named[letter]}" for many, letter in _PART.findall(match[0])) + end


def _as_units_of_one(match: re.Match[str]) -> str:
    """Return *two dozen* as 24."""
    many = match[1].lower()
    return str(int(many) * 12 if many.isdecimal() else 6 if many == "half a" else CARDINALS.get(many, 1) * 12)


def _as_part_of_unit(match: re.Match[str]) -> str:
    is_unit = any(match[3].lower() in each.units for each in english().dimensions)
    return f"{CARDINALS.get(match[1].lower(), 1) / PARTS[match[2].lower()]:g} " if is_unit else match[0]


def _as_factor(match: re.Match[str]) -> str:
    share = CARDINALS.get(match[1].lower(), 1) / PARTS[match[2].lower()]
    return f"{round(share, 2):g} times "
