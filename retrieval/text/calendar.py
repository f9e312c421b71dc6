"""Days of the week and months that a text covers without naming them: Tuesday in *Mon–Wed*, May in *April to June*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from retrieval.text.english import DAYS, MONTHS, WEEKDAY, WEEKEND
from retrieval.text.normal import phrase

_SHORTEST = 3
"""The fewest letters of an abbreviation."""
_WORKING_DAYS = 5
_SPAN = re.compile(r"([^\W\d_]+)\.?\s*(?:[-–—]|\bto\b|\bthrough\b|\bthru\b|\buntil\b)\s*([^\W\d_]+)", re.IGNORECASE)
_JOINTS = frozenset({"to", "and", "through", "until"})
_WORD = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=65536)
def covered_by(text: str) -> tuple[str, ...]:
    """Return the days of the week or the months that a label covers and does not name, and what such days are called.

    >>> covered_by("Mon–Wed"), covered_by("Weekend"), covered_by("Nov to Jan"), covered_by("Monday, Friday")
    (('tuesday',), ('saturday', 'sunday'), ('december',), ())
    >>> covered_by("Monday to Friday"), covered_by("Sat – Sun")
    (('tuesday', 'wednesday', 'thursday', 'weekday'), ('weekend',))
    """
    found: dict[str, None] = {}
    for match in _SPAN.finditer(text):
        for names in (DAYS, MONTHS):
            found |= dict.fromkeys(_between(match[1], match[2], names))
    said = {word.casefold().removesuffix("s") for word in _WORD.findall(text)}
    called = {WEEKDAY: DAYS[:_WORKING_DAYS], WEEKEND: DAYS[_WORKING_DAYS:]}
    found |= {day: None for name, days in called.items() if name in said for day in days}
    return tuple(found)


@lru_cache(maxsize=65536)
def days_of(text: str) -> tuple[str, ...]:
    """Return all days of the week that a text is about if it says nothing else; none for any other text.

    >>> days_of("Sat"), days_of("Mon–Wed"), days_of("Sat/Sun"), days_of("Sun and shade")
    (('saturday',), ('monday', 'wednesday', 'tuesday'), ('saturday', 'sunday'), ())
    """
    words = [word for word in _WORD.findall(text) if word.casefold() not in _JOINTS]
    places = [_place(word.removesuffix("s"), DAYS) for word in words]
    named = [DAYS[place] for place in places if place is not None]
    covered = covered_by(text)
    return (*named, *covered) if len(named) == len(words) and words else covered if not named else ()


def words_and_days(text: str) -> tuple[str, ...]:
    """Return the words of a text, and the days and months that it covers."""
    return (*phrase(text), *covered_by(text))


def _between(first: str, last: str, names: Sequence[str]) -> list[str]:
    """Return the names between two of a cycle, with the name of the working days or of the others if they are these."""
    start, end = _place(first, names), _place(last, names)
    if start is None or end is None or start == end:
        return []
    places = [(start + step) % len(names) for step in range((end - start) % len(names) + 1)]
    whole = {tuple(range(_WORKING_DAYS)): WEEKDAY, tuple(range(_WORKING_DAYS, len(DAYS))): WEEKEND}
    called = whole.get(tuple(places)) if names is DAYS else None
    return [*(names[place] for place in places[1:-1]), *([called] if called else [])]


def _place(word: str, names: Sequence[str]) -> int | None:
    """Return the place of a name that is the word or begins with it; None if there is none."""
    said = word.casefold()
    return next((at for at, name in enumerate(names) if len(said) >= _SHORTEST and name.startswith(said)), None)
