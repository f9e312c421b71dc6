"""The ends of a span that is the whole of a value: *10:00 – 20:00*, *May to September*, *5 to 18 °C*.

What one end leaves out, the other has: *1–15 September* begins on *1 September*, *€5–10* ends at *€10*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from agent.languages.language import Language
from agent.reasoning.values.clock import clock_of, is_span_of_day
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import any_matches
from retrieval.text.normal import phrase

_MOST_WORDS = 4
"""The most words of an end; a longer text is a sentence."""
_SPACED = r"\s+(?:[-–—~]|{words})\s+"
_DASH = re.compile(r"(?<=[\w%°])\s*[-–—~]\s*(?=[-+]?\w)")
_DICE = re.compile(r"\d*d\d", re.IGNORECASE)
_BARE = re.compile(r"[-+−]?\d[\d.,]*")
_UNIT_BEHIND = re.compile(r"[-+−]?\d[\d.,]*(?P<unit>\s*[^\d\s:][^\d:]*)")
_UNIT_BEFORE = re.compile(r"(?P<unit>[^\d:]*[^\d\s:+−-]\s*)\d[\d.,]*")
_HALF_OF_DAY = re.compile(r"\s*[ap]\.?m\b", re.IGNORECASE)


class Ends(NamedTuple):
    """The first and the last of a span, each with its unit."""

    first: str
    last: str


def ends_of(text: str, language: Language) -> Ends | None:
    """Return the ends of a span; None for any other text, also for several spans.

    >>> from agent.languages.language import english
    >>> for text in ("10:00–20:00", "1–15 September", "-2 to 12 °C", "$5-10", "9-12, 14-18", "up to 8", "1d6-1"):
    ...     print(ends_of(text, english()))
    Ends(first='10:00', last='20:00')
    Ends(first='1 September', last='15 September')
    Ends(first='-2 °C', last='12 °C')
    Ends(first='$5', last='$10')
    None
    None
    None
    """
    parts = _spaced(language.spans.joints).split(text.strip())
    if len(parts) == 1:
        parts = _DASH.split(parts[0])
    if len(parts) != 2 or _DICE.search(text) or not all(_is_point(part, language) for part in parts):
        return None
    first, last = map(str.strip, parts)
    return Ends(*_in_full(first, last))


def is_span_of_times(text: str, language: Language) -> bool:
    """True for a span of times of day, of days or of months.

    >>> from agent.languages.language import english
    >>> [is_span_of_times(text, english()) for text in ("9:00-17:00", "May to July", "30-60", "18:00")]
    [True, True, False, False]
    """
    names = _names_of_times(language)
    is_timed = clock_of(text) is not None or not names.isdisjoint(phrase(text))
    return is_timed and ends_of(text, language) is not None


def is_open(text: str, question: Tagged, unmatched: Collection[str] = ()) -> bool | None:
    """Return whether it is so, if a question asks whether something is open or closed, and a value has times of day or
    says that it is closed; else None, also if a number or an `unmatched` word of the question says when.

    >>> from agent.understanding.question.tagged import tagged
    >>> asked = tagged("Is the lido open on Sunday?"), tagged("Is the lido closed on Sunday?")
    >>> [[is_open(text, each) for text in ("9:00-17:00", "Closed", "see below")] for each in asked]
    [[True, False, None], [False, True, None]]
    >>> is_open("9:00-17:00", asked[0], ["sunday"]), is_open("May to July", tagged("Is it open in March?"))
    (None, None)
    """
    language, spans = question.language, question.language.spans
    is_told_when = question.numbers or not _names_of_times(language).isdisjoint(unmatched)
    if is_told_when or language.copulas.isdisjoint(question.tokens[:1]):
        return None
    asks_open, asks_closed = (any_matches(question.tokens, verbs) for verbs in (spans.opening, spans.closing))
    said = phrase(text)
    is_closed = len(said) == 1 and any_matches(said, spans.closing)
    is_told = is_closed or is_span_of_day(text)
    return asks_open != is_closed if asks_open != asks_closed and is_told else None


def is_of_contrary(label: str, question: Tagged) -> bool:
    """True if a question asks what is open and a label says what is closed, *Closed*, *Closing day*; not for *Closes*.

    >>> from agent.understanding.question.tagged import tagged
    >>> [is_of_contrary(label, tagged("Which baths are open on Sunday?")) for label in ("Closed", "Closes", "Sunday")]
    [True, False, False]
    """
    spans, said = question.language.spans, phrase(label)
    asks_open = any_matches(question.tokens, spans.opening) and not any_matches(question.tokens, spans.closing)
    return asks_open and spans.closing.isdisjoint(said) and any_matches(said, spans.closing)


@lru_cache(maxsize=16)
def _spaced(joints: frozenset[str]) -> re.Pattern[str]:
    return re.compile(_SPACED.format(words="|".join(sorted(joints, key=len, reverse=True))), re.IGNORECASE)


def _is_point(text: str, language: Language) -> bool:
    """True for a text with a number, a month, a day of the week or a time of day, and little else."""
    words = phrase(text)
    is_short = 0 < len(text.split()) <= _MOST_WORDS and not re.search(r"[,;(]\s", text)
    return is_short and (any(map(str.isdigit, text)) or not _names_of_times(language).isdisjoint(words))


@lru_cache(maxsize=16)
def _names_of_times(language: Language) -> frozenset[str]:
    return frozenset(_with_short({*language.months, *language.statement_words("dates")}))


def _with_short(words: set[str]) -> Iterator[str]:
    for word in words:
        yield from (word, word[:3])


def _in_full(first: str, last: str) -> tuple[str, str]:
    """Return both ends, each with the unit, the month or the currency that only the other has."""
    if _BARE.fullmatch(first) and (behind := _UNIT_BEHIND.fullmatch(last)) and not _HALF_OF_DAY.match(behind["unit"]):
        return first + behind["unit"], last
    if _BARE.fullmatch(last) and (before := _UNIT_BEFORE.fullmatch(first)):
        return first, before["unit"] + last
    return first, last
