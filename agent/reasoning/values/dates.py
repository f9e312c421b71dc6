"""Dates in cells: *March 2014*, *5 May 2021*, *2021-05-05*. A month includes its days, a year its months."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from agent.languages.language import languages
from agent.reasoning.values.clock import clock_of
from agent.understanding.question.numbers import Number

_YEARS_OF_DECADE = 9
_MONTHS = 12
_DAYS = 366
_ISO = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2}))?")
_WRITTEN = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?)?(?P<month>[^\W\d_]{3,})\.?\s+"
    r"(?:(?P<behind>\d{1,2})(?:st|nd|rd|th)?,?\s+|,\s*)?(?P<year>\d{4})"
)
_NUMERIC = re.compile(r"(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4})")
_YEAR = re.compile(r"(?P<year>1\d{3}|20\d{2})")


_LED = re.compile(
    r"\s*(?:(?:c|ca|circa|about)\b\.?\s*)?"
    r"(?P<date>\d{4}-\d{1,2}-\d{1,2}|(?:\d{1,2}\s+)?[^\W\d_]{3,}\.?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?\d{4}|\d{4})"
    r"(?=\s*(?:[,;(]|$)|\s+[^\W\d_])",
    re.IGNORECASE,
)
"""A date at the beginning of a longer text: *May 3, 1901 in Hull*, *c. 1630, near Hull*."""


@dataclass(frozen=True, slots=True)
class CellDate:
    """A date with the precision of its text: without a day it is a month, without a month a year."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def first(self) -> int:
        """Its first day, counted from the year 1."""
        return date(self.year, self.month or 1, self.day or 1).toordinal()

    @property
    def last(self) -> int:
        """Its last day."""
        if self.day is not None:
            return self.first
        months = self.year * _MONTHS + (self.month or _MONTHS)
        return date(months // _MONTHS, months % _MONTHS + 1, 1).toordinal() - 1

    @property
    def as_number(self) -> float:
        """The year, with the elapsed fraction of it."""
        return self.year + (self.first - date(self.year, 1, 1).toordinal()) / _DAYS

    @property
    def months(self) -> int:
        """Its month, counted from the year 0."""
        return self.year * _MONTHS + (self.month or 1) - 1


def are_times(texts: Sequence[str]) -> bool:
    """True for values that are all dates, or of which some are times of day.

    >>> are_times(["May 2014", "2015"]), are_times(["closed", "9:00-12:00"]), are_times(["2015", "12"]), are_times([])
    (True, True, False, False)
    """
    return any(map(clock_of, texts)) or (bool(texts) and all(map(date_of, texts)))


@lru_cache(maxsize=65536)
def date_of(text: str) -> CellDate | None:
    """Return the date that is the whole of a text; None for any other text.

    >>> date_of("Nov. 2015"), date_of("May 5th, 2021") == date_of("2021-05-05") == date_of("5 May 2021")
    (CellDate(year=2015, month=11, day=None), True)
    >>> date_of("since 2015"), date_of("2015-13-01")
    (None, None)
    """
    said = " ".join(text.split()).casefold()
    match = _ISO.fullmatch(said)
    if match is not None:
        return _valid(match["year"], int(match["month"]), match["day"])
    match = _WRITTEN.fullmatch(said)
    if match is not None:
        return _valid(match["year"], _month(match["month"]), match["day"] or match["behind"])
    match = _NUMERIC.fullmatch(said)
    if match is not None:
        return _numeric(match, day_first=_day_first([match]))
    match = _YEAR.fullmatch(said)
    return None if match is None else CellDate(int(match["year"]))


def dates_in(texts: Sequence[str]) -> list[CellDate | None]:
    """Return the date of each text. In *3/5/2021*, the other texts may decide whether the day or the month comes first.

    >>> [each and each.month for each in dates_in(["3/5/2021", "30/11/2021"])], date_of("3/5/2021")
    ([5, 11], CellDate(year=2021, month=None, day=None))
    """
    matches = [_NUMERIC.fullmatch(text.strip()) for text in texts]
    found = [match for match in matches if match is not None]
    if len(found) < len(texts):
        return list(map(date_of, texts))
    return [_numeric(match, day_first=_day_first(found)) for match in found]


def leading_date(text: str) -> CellDate | None:
    """Return the date that a text begins with; None if there is none.

    >>> [leading_date(text) for text in ("c. 1630, near Hull", "120 boats in 1630")]
    [CellDate(year=1630, month=None, day=None), None]
    """
    match = _LED.match(text)
    return None if match is None else date_of(match["date"])


def _day_first(matches: Sequence[re.Match[str]]) -> bool | None:
    """True if the day comes first in numeric dates; None if they don't decide. With points it always does."""
    if all(match["mark"] == "." for match in matches):
        return True
    day, month = (any(int(match[part]) > _MONTHS for match in matches) for part in ("one", "two"))
    return day if day != month else None


def _numeric(match: re.Match[str], *, day_first: bool | None) -> CellDate | None:
    if day_first is None:
        return CellDate(int(match["year"]))
    month, day = ("two", "one") if day_first else ("one", "two")
    return _valid(match["year"], int(match[month]), match[day])


def _valid(year: str, month: int | None, day: str | None) -> CellDate | None:
    """Return the date of these parts; None if there is no such day."""
    if month is None:
        return None
    found = CellDate(int(year), month, int(day) if day else None)
    try:
        date(found.year, month, found.day or 1)
    except ValueError:
        return None
    return found


def _month(said: str) -> int | None:
    """Return the number of a month by its name, or by the first letters of it."""
    return next((number for name, number in _months().items() if name.startswith(said)), None)


@cache
def _months() -> Mapping[str, int]:
    """Return the numbers of the months by their names, in all languages."""
    return {name: number for language in languages().values() for number, name in enumerate(language.months, start=1)}


_DECADE = re.compile(r"(?:1\d|20)\d0s")
_NEARLY_ALL = 0.8
"""The share of a label's values that are years, for its numbers to be years."""


def are_of_years(texts: Sequence[str]) -> bool:
    """True if nearly all texts are dates, years or decades.

    >>> are_of_years(("1590s", "1640s", "1860s", "1920s", "any")), are_of_years(("12 costumes", "31 costumes"))
    (True, False)
    """
    told = sum(bool(_DECADE.fullmatch(text.strip())) or date_of(text) is not None for text in texts)
    return bool(texts) and told >= _NEARLY_ALL * len(texts)


def is_decade(n: Number, tokens: Sequence[str]) -> bool:
    """True for the number of *the 1940s*."""
    is_ten = n.limit is not None and n.limit.maximum - n.limit.minimum == _YEARS_OF_DECADE
    return is_ten and n.value.endswith("0") and tuple(tokens[n.place + 1 : n.place + 2]) == ("s",)
