"""Check whether a value meets a condition: it is a number, is within a limit, or means that there is nothing.

The result is None if that is undecidable: for a range that overlaps a limit, a word among numbers, or a unit that can't
be converted. The answer names such values and claims nothing about them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.languages.language import Language
from agent.reasoning.values.clock import clock_of
from agent.reasoning.values.dates import date_of, dates_in
from agent.reasoning.values.quantities import Quantity, magnitude_of, number_of, quantities_of, same_unit
from agent.reasoning.values.written import alike
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, number, phrase

_MONEY = re.compile(r"([$£€¥])\s?(\d[\d,]*(?:\.\d+)?)")
_EMPTY = frozenset(" -–—−")
_NOT_TOLD = frozenset({"n/a", "n.a."})
_BITS = {"1": True, "0": False}
_MARKS = {True: frozenset("✅✓✔☑🟢"), False: frozenset("❌✗✘✖☐🔴")}
"""Signs for yes and no."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A number that values are compared with; `unit` is the word behind it in the question, if the values have units.

    `negated` reverses it: *not more than*.
    """

    number: Number
    unit: str = ""
    negated: bool = False

    def holds(self, text: str, label: str = "") -> bool | None:
        """Return whether a value is within the limit, or is the number; None if that is undecidable.

        >>> from retrieval.text.label_ranges import Span
        >>> ten = Number(0, "10", Span(0, 10))
        >>> [Limit(ten).holds(text) for text in ("7", "12-20", "8-20", "unlimited")]
        [True, False, None, None]
        >>> Limit(Number(0, "16")).holds("10-17"), Limit(ten, "cm").holds("2 m"), Limit(ten, negated=True).holds("7")
        (True, False, False)
        >>> Limit(Number(0, "2015")).holds("3 May 2015"), Limit(ten).holds("3 May 2015")
        (True, False)
        >>> [Limit(ten, "gp").holds(text) for text in ("30 sp", "30 gp")], Limit(Number(0, "5"), "gp").holds("5 sp")
        ([True, False], False)
        """
        if self.number.limit is None and not self.unit and text.strip() == self.number.value:
            return not self.negated  # *1938.7* may look like a month
        pair = self._pair(text, label)
        if pair is None:
            return None if self.number.limit else False
        bound, value = pair
        if bound.unit != value.unit and bound.unit and value.unit:
            held = self._is_beyond(value, bound)
            return held if held is None else held != self.negated
        held = self._is_in(value, bound) if self.number.limit else self._is(value, bound, text)
        return held if held is None else held != self.negated

    def _pair(self, text: str, label: str) -> tuple[Quantity, Quantity] | None:
        """Return the number and a value in one unit."""
        said, when = self.number.value, date_of(text)
        if _number(text, label) is None and when is None:
            return None
        if self.unit:
            sign, _, letters = self.unit.partition(" ")
            pair = quantities_of([f"{said} {sign}" if sign.isalpha() else f"{sign}{said}{letters}", text], label)
            return None if pair is None else (pair[0], pair[1])
        if when is not None:
            return Quantity(number(said)), Quantity(when.year)
        *_, value = quantities_of([said, text], label) or [Quantity(_number(text, label) or 0.0)]
        return Quantity(number(said)), value

    def _is_in(self, value: Quantity, bound: Quantity) -> bool | None:
        """Return whether a value is within the limit; None for a range that is only partly within."""
        scale = number(self.number.value) / bound.number if bound.number else 1.0
        ends = {value.number, value.number if value.top is None else value.top}
        held = {self.number.limit is not None and round(end * scale, 6) in self.number.limit for end in ends}
        return held.pop() if len(held) == 1 else None

    def _is_beyond(self, value: Quantity, bound: Quantity) -> bool | None:
        """Return whether a value in another currency is on the asked side of the number; None if the exchange rate
        leaves that open.
        """
        below, above, limit = value.less(bound), bound.less(value), self.number.limit
        if below == above:
            return None
        if limit is None:
            return False
        at = number(self.number.value)
        return below if limit.maximum <= at else above if limit.minimum >= at else None

    def _is(self, value: Quantity, bound: Quantity, text: str) -> bool:
        """True if a value is the number, or a range that contains it: *10-17*, *16+*."""
        span = read_label(text).span
        is_open = span is not None and span.maximum == float("inf")
        if span is not None and (is_open or value.top is not None):
            return number(self.number.value) in span
        return round(value.number, 6) == round(bound.number, 6)


def _number(text: str, label: str) -> float | None:
    """Return the number of a value, also of a number word."""
    found = number_of(text, label)
    if found is not None:
        return found
    said = phrase(text)
    return number(said[0]) if len(said) == 1 and is_number(said[0]) else None


@lru_cache(maxsize=1024)
def is_numbered(texts: tuple[str, ...], label: str = "") -> bool:
    """True if at least half of some values have a number. The result is cached, since the same labels recur.

    >>> is_numbered(("3 kg", "-")), is_numbered(("two", "one")), is_numbered(("red", "blue"))
    (True, True, False)
    """
    numbered = [text for text in alike(texts) if _number(text, label) is not None]
    numbered = numbered or [text for text, when in zip(texts, dates_in(texts), strict=True) if when is not None]
    numbered = numbered or [text for text in texts if clock_of(text) is not None]
    return len(numbered) >= max(1, len(texts) // 2)


@lru_cache(maxsize=1024)
def words_under(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the words of the values under a label."""
    return frozenset[str]().union(*map(phrase, texts))


def is_nothing(text: str, language: Language) -> bool:
    """True for a value that means nothing: a dash, a zero, *none*, *n/a*, *not sold*.

    >>> from agent.languages.language import english
    >>> [is_nothing(text, english()) for text in ("—", "none", "n/a", "not sold", "0", "unlimited")]
    [True, True, True, True, True, False]
    """
    said = phrase(text)
    is_empty = set(text) <= _EMPTY or text.strip().casefold() in _NOT_TOLD
    return is_empty or said == ("0",) or (bool(said) and said[0] in language.negations)


def unit_behind(question: Tagged, n: Number, texts: Sequence[str]) -> str:
    """Return the word behind a number, if it is a unit of some values or can be converted to one; or the currency sign
    before it, with the letters of its magnitude.
    """
    behind = "".join(question.tokens[n.place + 1 : n.place + 2])
    is_unit = behind.isalpha() and behind not in question.language.copulas | question.language.helpers
    if is_unit and any(_is_in_unit(f"{n.value} {behind}", text) for text in dict.fromkeys(texts)):
        return behind
    for sign, amount in _MONEY.findall(question.question):
        if number(n.value) == number(amount.replace(",", "")) and any(sign in text for text in texts):
            return f"{sign} {behind}" if magnitude_of(f"{sign}{amount}{behind}") != 1 else str(sign)
    return ""


@lru_cache(maxsize=65536)
def _is_in_unit(bound: str, text: str) -> bool:
    """True for a value in the unit of a bound, or in one that can be ranked with it, except a zero in another unit."""
    pair = None if same_unit([bound, text]) else quantities_of([bound, text])
    return same_unit([bound, text]) or (pair is not None and pair[1].number != 0 and not same_unit(["1", text]))


def truth_of(text: str, language: Language) -> bool | None:
    """Return whether a value means yes or no; None if it means neither.

    >>> from agent.languages.language import english
    >>> [truth_of(text, english()) for text in ("Yes", "✅", "no", "❌", "-", "Yes, but slow", "diesel")]
    [True, True, False, False, False, None, None]
    """
    for held, marks in _MARKS.items():
        if marks & set(text):
            return held
    said = phrase(text)
    if len(said) == 1 and said[0] in language.yes:
        return True
    is_denied = set(text) <= _EMPTY or (len(said) == 1 and said[0] in language.no)
    return False if is_denied else None


def flag_of(text: str, language: Language) -> bool | None:
    """Return whether a value in a yes-no column means yes or no; a 1 means yes, a 0 no.

    >>> from agent.languages.language import english
    >>> [flag_of(text, english()) for text in ("yes", "1", "0", "2")]
    [True, True, False, None]
    """
    return _BITS.get(text.strip(), truth_of(text, language))
