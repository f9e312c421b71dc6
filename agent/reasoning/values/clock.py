"""Times of day in cells, and spans of them: *18:30*, *9 am*, *8.30–17:00*. They are ordered, but not added.

*4:15* may be a quarter past four or four minutes: the order of such values is the same either way, their difference is
not.
"""

from __future__ import annotations

import re
from functools import lru_cache

_HOUR = 60
_NOON = 12
_DAY = 24 * _HOUR
_HALF = r"(?:\s*(?P<{name}>[ap])\.?\s?m\b\.?)"
_TIME = (
    r"(?P<hour{n}>[01]?\d|2[0-4])(?:(?:[:.]|(?<=\d)h)(?P<minute{n}>[0-5]\d)(?!\d)"
    + _HALF.format(name="half{n}")
    + r"?|"
    + _HALF.format(name="sharp{n}")
    + r")(?:\s*(?:h|hrs?|uhr|o'clock)\b)?"
)
_ONE = re.compile(_TIME.replace("{n}", "1"), re.IGNORECASE)
_TWO = re.compile(
    rf"{_TIME.replace('{n}', '1')}\s*(?:[-–—~]|to|until|till|bis)\s*{_TIME.replace('{n}', '2')}", re.IGNORECASE
)


@lru_cache(maxsize=65536)
def clock_of(text: str) -> tuple[int, int | None] | None:
    """Return a time in minutes after midnight, and the end of a span, beyond 24 hours if that is on the next day; None
    for any other text.

    >>> clock_of("18:30"), clock_of("9 am"), clock_of("12.15 a.m."), clock_of("20:00–02:00")
    ((1110, None), (540, None), (15, None), (1200, 1560))
    >>> clock_of("18.5"), clock_of("3:1"), clock_of("9-12"), clock_of("1:23:45")
    (None, None, None, None)
    """
    plain = text.strip()
    if match := _ONE.fullmatch(plain):
        return None if "." in plain and not match["half1"] else (_minutes(match, 1), None)
    if match := _TWO.fullmatch(plain):
        first, last = _minutes(match, 1), _minutes(match, 2)
        return first, last if last > first else last + _DAY
    return None


def is_span_of_day(text: str) -> bool:
    """True for a span of times of day, not for a single time."""
    return (clock_of(text) or (0, None))[1] is not None


def length_of(text: str) -> str | None:
    """Return how long a span of times of day lasts; None for any other text.

    >>> length_of("10:00–20:00"), length_of("8:30 am - 5 pm"), length_of("18:00")
    ('10 h', '8 h 30 min', None)
    """
    first, last = clock_of(text) or (0, None)
    if last is None:
        return None
    hours, minutes = divmod(last - first, _HOUR)
    return " ".join([f"{hours} h"] * (hours > 0) + [f"{minutes} min"] * (minutes > 0))


def _minutes(match: re.Match[str], n: int) -> int:
    hour, half = int(match[f"hour{n}"]), match[f"half{n}"] or match[f"sharp{n}"]
    if half:
        hour = hour % _NOON + (_NOON if half.casefold() == "p" else 0)
    return hour * _HOUR + int(match[f"minute{n}"] or 0)
