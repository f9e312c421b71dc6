"""The band of numbers that a text covers, with its unit: *over 8 cm to 15 cm*, *0.30 to under 0.70 m³/s*, *up to £150*.

The range itself is read as that of a label; here its numbers are freed from their units, which a label has only once.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from retrieval.text.label_ranges import Span, read_label
from retrieval.text.normal import is_number

_AMOUNT = re.compile(
    r"(?:(?P<sign>[$£€¥₹])\s?)?(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>[^\W\d_]*[²³°%]?[^\W\d_]*(?:/[^\W\d_]+)?)"
)
_JOINTS = frozenset("to and or up through under below over above plus but k th st".split())
"""Words behind a number that are no unit."""
_UNDER = re.compile(r"^(?P<low>.*\d)\s*(?:-|–|to)\s*(?:under|below|less than|<)\s*(?P<high>\S+)$")
_FROM = re.compile(r"^(?:from)\s+(?P<low>\S+?)(?:\s+(?:on|onwards?|up|upwards?))?$")
_UNTIL = re.compile(r"^(?:until|till|to|max\.?|maximum)\s+(?P<high>\S+)$")
_DASHES = str.maketrans("–—−", "---")
_JUST = 0.001
"""The distance of the limit *under 5* from 5."""


class Band(NamedTuple):
    """A range of numbers, and the unit that stands with them; empty without one."""

    span: Span
    unit: str


@lru_cache(maxsize=65536)
def band_of(text: str) -> Band | None:
    """Return the band that a text consists of; None if it is none.

    >>> band_of("over 8 cm to 15 cm"), band_of("Tower 3")
    (Band(span=Span(minimum=8.001, maximum=15.0), unit='cm'), None)
    >>> band_of("£2,000 or more")
    Band(span=Span(minimum=2000.0, maximum=inf), unit='£')
    >>> band_of("0.30 to under 0.70 m³/s").span, band_of("from 20 kg").span.minimum, band_of("7").span.width
    (Span(minimum=0.3, maximum=0.699), 20.0, 0.0)
    """
    plain = text.translate(_DASHES).strip(" .*").casefold()
    units = [unit for match in _AMOUNT.finditer(plain) for unit in (match["sign"] or _unit(match),) if unit]
    if not any(map(str.isdigit, plain)) or len(set(units)) > 1:
        return None
    span = _span(_AMOUNT.sub(_without_unit, plain))
    return None if span is None else Band(span, units[0] if units else "")


def _unit(match: re.Match[str]) -> str:
    return "" if match["unit"] in _JOINTS else match["unit"]


def _without_unit(match: re.Match[str]) -> str:
    """Return the number, with the word behind it if that is no unit."""
    number = match["number"].replace(",", "")
    return number if _unit(match) or not match["unit"] else f"{number} {match['unit']}"


def _span(plain: str) -> Span | None:
    """Return the range of a text without units; None if it has more than a range."""
    for pattern in (_UNDER, _FROM, _UNTIL):
        if (match := pattern.match(plain)) is not None:
            return _of_parts(match.groupdict().get("low"), match.groupdict().get("high"), is_open=pattern is _UNDER)
    label = read_label(plain)
    return label.span if label.span is not None and not any(not is_number(word) for word in label.name) else None


def _of_parts(low: str | None, high: str | None, *, is_open: bool) -> Span | None:
    """Return the range between two numbers; `is_open` if the upper one is not in it."""
    bounds = [None if part is None else read_label(part).span for part in (low, high)]
    if any(part is not None and bound is None for part, bound in zip((low, high), bounds, strict=True)):
        return None
    minimum = -math.inf if bounds[0] is None else bounds[0].minimum
    maximum = math.inf if bounds[1] is None else bounds[1].maximum - _JUST * is_open
    return Span(minimum, maximum) if minimum <= maximum else None


def has_bands(texts: tuple[str, ...]) -> bool:
    """True if texts are bands of one unit, and most of them are no single numbers: the keys of a table of bands."""
    bands = [band_of(text) for text in texts]
    told = [band for band in bands if band is not None]
    wide = [band for band in told if band.span.width > 0]
    return len(texts) > 1 and len(told) == len(texts) and 2 * len(wide) >= len(texts)
