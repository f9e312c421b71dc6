"""Convert spellings of numbers to plain digits: powers of ten, stars, feet and inches, times of day.

Words for an approximation are dropped: *~5 m*, *c. 8 m*. An equal beginning of all values is dropped too: *up to 5 km*
and *up to 8 km*.

A cell may have several values, one for each name in its header: *RA, Dec* over *6.02, -72.08*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from agent.languages.language import english
from retrieval.text.normal import is_number, phrase

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER = re.compile(
    r"(?<![\w.,])(?P<factor>\d+(?:\.\d+)?)(?:\s*[×x*·]\s*10\s*(?:\^\s*(?P<above>[-+−]?\d{1,2})|(?P<raised>[⁻⁺⁰¹²³⁴-⁹]{1,3}))"
    r"|e(?P<short>[-+]?\d{1,2}))(?![\w.])",
    re.IGNORECASE,
)
_STARS = re.compile(r"[★⭐☆✩✰ ]+")
_FULL = "★⭐"
_FEET = re.compile(
    r"(?P<feet>\d+)\s*(?:'|′|ft\.?|feet)\s*(?P<inches>\d+(?:\.\d+)?)\s*(?:\"|″|''|in\.?|inches)", re.IGNORECASE
)
_INCHES = 12
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?(?::[0-5]\d)?\s*(?P<half>[ap])\.?m\.?|(\d{1,2}):([0-5]\d)(?::[0-5]\d)?",
    re.I,
)
_LASTING = re.compile(
    r"(?P<whole>\d{1,3}):(?P<part>[0-5]\d)\s*(?P<unit>min(?:utes?|s)?|h(?:ours?|rs?)?)\b", re.IGNORECASE
)
"""A duration in two parts with the unit of the first: *7:30 min*."""
_SIXTY = 60
_NOON = 12
_SEVERAL = 2
_ABOUT = re.compile(r"[~≈∼]\s*(?=\d)")
_BEFORE = re.compile(r"^(\D*)(.*)$", re.DOTALL)
"""The text before the first digit, and the rest."""
_BETWEEN = re.compile(r"\s*[,;/&]\s*|\s+and\s+")
_BETWEEN_NUMBERS = re.compile(r"\s*[,;/&](?!\d{3}\b)\s*|\s+and\s+|\s+(?=[-+\u2212]?\d)")
_BRACKET = re.compile(r"\s*\([^()]*\)")
_MOSTLY = 0.6
"""The share of the values that must have several parts."""


@lru_cache(maxsize=65536)
def plainly(text: str) -> str:
    """Return a value with its number in plain digits; most stay as they are.

    >>> [plainly(text) for text in ("3×10⁵", "1.5e7 rows", "★★★☆☆", "6 ft 3 in", "c. 8 m", "five", "59 hp")]
    ['300000', '15000000 rows', '3', '6.25 ft', '8 m', '5', '59 hp']
    >>> plainly("7:30 min"), plainly("1:15 h")
    ('7.5 min', '1.25 h')
    """
    if _STARS.fullmatch(text) and text.strip():
        return str(sum(map(text.count, _FULL)))
    if not any(map(str.isdigit, text)):
        said = phrase(text)
        return said[0] if len(said) == 1 and is_number(said[0]) else text
    text = _FEET.sub(_in_feet, _POWER.sub(_powered, text), count=1)
    text = _LASTING.sub(_in_one_part, text, count=1) if ":" in text else text
    return _without_about(_ABOUT.sub("", text, count=1) if text.lstrip()[:1] in "~≈∼" else text)


def alike(texts: Sequence[str]) -> list[str]:
    """Return the values without the equal text before their numbers; times of day become minutes.

    >>> alike(["up to 5 km", "up to 8 km"]), alike(["9 am", "1:30 pm"]), alike(["0:45", "2:10"])
    (['5 km', '8 km'], ['540', '810'], ['45', '130'])
    >>> alike(["1:10", "1:20"]), alike(["A3", "A4"])
    (['1:10', '1:20'], ['A3', 'A4'])
    """
    times = [_CLOCK.fullmatch(text.strip()) for text in texts]
    if all(times) and not all(text.strip().startswith("1:") for text in texts):
        return [str(_minutes(time)) for time in times if time]
    if len(texts) < _SEVERAL:
        return list(texts)
    before = {_BEFORE.sub(r"\1", text).casefold() for text in texts}
    is_same = len(before) == 1 and all(map(_stands_apart, before))
    return [_BEFORE.sub(r"\2", text) for text in texts] if is_same else list(texts)


def _stands_apart(said: str) -> bool:
    """True for words or a sign before a number that are neither part of it, *-5* and *A4*, nor money."""
    is_apart = bool(said.strip()) and not said[-1].isalpha() and said[-1] not in "+-−.,([" and said.isprintable()
    return is_apart and not any(sign in said for sign in "$£€¥₹")


def _powered(found: re.Match[str]) -> str:
    power = (found["above"] or found["raised"] or found["short"]).translate(_RAISED).replace("−", "-")
    try:
        return format(Decimal(found["factor"]).scaleb(int(power)), "f")
    except (InvalidOperation, ValueError):
        return found[0]


def _in_feet(found: re.Match[str]) -> str:
    return f"{int(found['feet']) + float(found['inches']) / _INCHES:g} ft"


def _in_one_part(found: re.Match[str]) -> str:
    return f"{int(found['whole']) + int(found['part']) / _SIXTY:g} {found['unit']}"


def _without_about(text: str) -> str:
    """Return a value without a word like *about*."""
    first, _, rest = text.lstrip().partition(" ")
    return rest if rest[:1].isdigit() and first.casefold().rstrip(".") in english().about else text


def _minutes(time: re.Match[str]) -> int:
    if time["hour"] is None:
        return int(time[4]) * _SIXTY + int(time[5])
    hour = int(time["hour"]) % _NOON + (_NOON if time["half"].lower() == "p" else 0)
    return hour * _SIXTY + int(time["minute"] or 0)


def are_several(texts: Sequence[str], label: str) -> bool:
    """True for values with as many parts in each cell as their header has names: they can't be ranked.

    >>> are_several(("6.02, -72.08", "53.13, -28.10"), "RA, Dec (deg)"), are_several(("12 / 4", "9/2"), "Crew/Guests")
    (True, True)
    >>> are_several(("12", "9"), "Crew/Guests"), are_several(("5 - 6", "7 - 9"), "Price")
    (False, False)
    """
    names = _parts(label, _BETWEEN, str.isalpha)
    several = [_parts(text, _BETWEEN_NUMBERS, str.isdigit) for text in texts].count(names)
    return names >= _SEVERAL and several >= _MOSTLY * len(texts)


def _parts(text: str, between: re.Pattern[str], is_told: Callable[[str], bool]) -> int:
    """Return how many parts of a text, without brackets, have such a character."""
    return sum(any(map(is_told, part)) for part in between.split(_BRACKET.sub("", text).strip()))
