"""The range that a row or column label covers: *7-9*, *19+*, *14 days or more*, *over 3 up to 6*, *18/51-75*, *Level
4-6*.

Hit dice and exceptional strength sort between whole numbers, as in `retrieval.text.normal.number`: 5+2 is 5.02, 1-1 is
0.99 and 18/51 is 18.51. On percentile dice 00 is 100.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from retrieval.text.grouped import joined
from retrieval.text.normal import Tokens, is_number, number, phrase
from retrieval.text.spelling import fold

_VALUE = r"[+-]?\d+(?:\.\d+|/\d+|\+\d+(?!\d))?"
_UNIT = r"(?:st|nd|rd|th|['\"%])?"
_NAME = r"(?P<name>(?:(?!d\d)[a-z][a-z.,'\"“”&/ -]*?[ :]*)?)"
_TO = r"\s*(?:-|to|through)\s*"
_UP_TO = r"(?:up to|at most|no more than|not more than|[≤])"
_BELOW = r"(?:under|below|less than|fewer than|[<])"
_FROM = r"(?:at least|no less than|not less than|[≥])"
_OVER = r"(?:over|above|more than|greater than|[>])"
_OPEN_UP = r"\s*(?:\+|\+?\s*(?:and|&|or)\s*(?:up|higher|more|above|greater|over|beyond|better))"
_OPEN_DOWN = r"\s*(?:and|&|or)\s*(?:less|lower|fewer|below|under|down)"
_TAIL = r"(?P<tail>(?:(?:\s+|-)[a-z][a-z ]*)?)\s*"
_UNITED = r"(?P<unit>(?: [a-z]+)?)"
_ONE = rf"(?P<a>\d+-1|{_VALUE}){_UNIT}"
_PAIR = rf"{_NAME}(?P<a>{_VALUE}){_UNIT}"
_OTHER = rf"(?P<b>{_VALUE}){_UNIT}"

_FORMS = (
    ("over_to", re.compile(rf"{_NAME}{_OVER}\s*(?P<a>{_VALUE}){_UNIT}\s*(?:-|to|(?:and )?{_UP_TO})\s*{_OTHER}{_TAIL}")),
    ("at_most", re.compile(rf"{_NAME}{_UP_TO}\s*{_ONE}{_TAIL}")),
    ("below", re.compile(rf"{_NAME}{_BELOW}\s*{_ONE}{_TAIL}")),
    ("at_least", re.compile(rf"{_NAME}{_FROM}\s*{_ONE}{_TAIL}")),
    ("over", re.compile(rf"{_NAME}{_OVER}\s*{_ONE}{_TAIL}")),
    ("range_plus", re.compile(rf"{_PAIR}{_TO}{_OTHER}\+{_TAIL}")),
    ("range", re.compile(rf"{_PAIR}{_TO}{_OTHER}{_TAIL}")),
    ("pair", re.compile(rf"{_PAIR}\s*(?:and|&|or)\s*{_OTHER}{_TAIL}")),
    ("at_most", re.compile(rf"{_NAME}{_ONE}{_UNITED}{_OPEN_DOWN}{_TAIL}")),
    ("at_least", re.compile(rf"{_NAME}{_ONE}{_UNITED}{_OPEN_UP}{_TAIL}")),
    ("single", re.compile(rf"{_PAIR}{_TAIL}")),
)
_LIMITING = re.compile(
    rf"{_UP_TO}|{_BELOW}|{_FROM}|{_OVER}|{_OPEN_UP}|{_OPEN_DOWN}|\d{_UNIT}(?:{_TO}|\s*(?:and|&|or)\s*)[+-]?\d"
)
"""What every form but a single number contains; most labels and most parts of a question lack it."""
_DIGIT = re.compile(r"\d")
_OTHERWISE = re.compile(r"(?<=\d)\s*\[[+-]?\d+\]$")
"""The same number on another scale: *AC 9 [10]*."""
_SIGN = re.compile(r"[$£€¥](?=\s?\d)")
_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)k\b")
_WORD = re.compile(r"[a-z]+")
_OF_WORDS = frozenset("k to and or up at more over above under below less than least most higher lower".split())
"""Words of a label that is only numbers; in other labels a *k* may be part of a name."""
_LONGEST_LABEL = 200
_JUST = 0.001
"""The difference between *less than 5* and 5: smaller than any step between two values."""


@dataclass(frozen=True, slots=True)
class Span:
    """The closed interval [minimum, maximum]; infinite if open."""

    minimum: float
    maximum: float

    def __contains__(self, value: float) -> bool:
        return self.minimum - 1e-9 <= value <= self.maximum + 1e-9

    @property
    def width(self) -> float:
        """Its width; of two spans that both hold a value, the narrower one applies."""
        return self.maximum - self.minimum


@dataclass(frozen=True, slots=True)
class Label:
    """A row or column label: the words of its name, and its range of numbers, if any."""

    name: Tokens
    span: Span | None


def value(text: str) -> float:
    """Return the value of one number as books write it; `ValueError` if it is not a number.

    >>> value("5+2"), value("1-1"), value("18/51")
    (5.02, 0.99, 18.51)
    """
    if not re.fullmatch(rf"{_VALUE}|\d+-\d+", text):
        raise ValueError(f"not a number: {text!r}")
    return number(text.removeprefix("+"))


def may_limit(text: str) -> bool:
    """False if no form of a limit occurs in a text, so that no label within it has one.

    >>> may_limit("a 4th level fighter"), may_limit("level 4 or less")
    (False, True)
    """
    return _LIMITING.search(fold(text)) is not None


@lru_cache(maxsize=65536)
def read_label(text: str) -> Label:
    """Parse a label; one without numbers has only a name.

    >>> read_label("Level 4-6").span
    Span(minimum=4.0, maximum=6.0)
    >>> read_label("19+").span.maximum, read_label("AC 9 [10]").span.minimum
    (inf, 9.0)
    """
    folded = fold(text)
    if not _DIGIT.search(folded):
        return Label(phrase(text), None)
    folded = _SIGN.sub("", joined(_OTHERWISE.sub("", folded.strip())))
    if "k" in folded and _OF_WORDS.issuperset(_WORD.findall(folded)):
        folded = _THOUSANDS.sub(lambda found: f"{1000 * float(found[1]):g}", folded)
    folded = re.sub(r"(?<=\d),(?=\d{3}\b)", "", re.sub(r"[*†‡()°]", " ", folded))
    folded = re.sub(r"\s+", " ", folded).strip().rstrip(".")
    forms = _FORMS if _LIMITING.search(folded) else _FORMS[-1:]
    for form, pattern in forms if len(folded) <= _LONGEST_LABEL else ():
        match = pattern.fullmatch(folded)
        if match is not None and (span := _span(form, match)) is not None:
            words = phrase(f"{match['name'].strip(' :')}{match.groupdict().get('unit', '')} {match['tail']}")
            return Label(tuple(w for w in words if not is_number(w)), span)
    return Label(phrase(text), None)


def _span(form: str, match: re.Match[str]) -> Span | None:
    if form in ("range", "range_plus", "pair"):
        return _range(match["a"], match["b"], form, match[0])
    a = value(match["a"])
    if form == "over_to":
        return Span(a + _JUST, value(match["b"])) if value(match["b"]) > a else None
    if form in ("at_most", "below"):
        # A die less one is the minimum: "up to 1-1" is a column beside "1-1".
        return Span(-math.inf, a - _JUST if form == "below" or "-" in match["a"][1:] else a)
    if form in ("at_least", "over"):
        return Span(a + _JUST if form == "over" else a, math.inf)
    return Span(a, a)


def _range(low: str, high: str, form: str, text: str) -> Span | None:
    """Return the span of a range: *2-3+* covers 3 with any bonus, *18/51-75* stays within 18, *1-1* is a die less one,
    *9-3* runs downwards.
    """
    a = value(low)
    if "/" in low and high.isdigit():
        end = value(f"{low.split('/')[0]}/{high}")
        return Span(min(a, end), max(a, end))
    b = 100.0 if high == "00" else value(high) + (0.99 if form == "range_plus" else 0.0)
    if form == "pair":
        return Span(a, b) if b == a + 1 else None
    if form == "range" and high == "1" and low.isdigit() and a >= 1 and re.search(rf"\b{low}-1\b", text):
        return Span(value(f"{low}-1"), value(f"{low}-1"))
    return Span(min(a, b), max(a, b))
