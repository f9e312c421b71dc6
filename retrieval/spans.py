"""What the label of a row or column covers: *7-9*, *19+*, *17 and up*, *up to 1-1*, *18/51-75*, *Level 4-6*.

Hit dice sort between whole numbers as in `retrieval.text.number`: 5+2 is 5.02 and 1-1 is 0.99. Exceptional
strength 18/51 is 18.51, and 18/00, the best, is 19.0 less nothing: 18 + 100/100.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from retrieval.text import Tokens, fold, is_number, phrase

_VALUE = r"-?\d+(?:\.\d+|/\d+|\+\d+(?!\d))?"
_ORDINAL = r"(?:st|nd|rd|th)?"
_NAME = r"(?P<name>(?:[a-z][a-z.'\"“”&/ -]*?[ :]*)?)"
_TO = r"\s*(?:-|to|through)\s*"
_OPEN_UP = r"(?:\+|\s*(?:and|&|or)\s*(?:up|higher|more|above|greater|over|beyond|better))"
_OPEN_DOWN = r"\s*(?:and|&|or)\s*(?:less|lower|fewer|below|under|down)"
_TAIL = r"(?P<tail>(?:\s+[a-z][a-z ]*)?)[*†‡ ]*"

_FORMS = (
    ("up_to", re.compile(rf"{_NAME}(?:up to|under|below|less than)\s+(?P<a>\d+-\d+|{_VALUE}){_TAIL}")),
    ("range_plus", re.compile(rf"{_NAME}(?P<a>{_VALUE}){_ORDINAL}{_TO}(?P<b>{_VALUE}){_ORDINAL}\+{_TAIL}")),
    ("range", re.compile(rf"{_NAME}(?P<a>{_VALUE}){_ORDINAL}{_TO}(?P<b>{_VALUE}){_ORDINAL}{_TAIL}")),
    ("at_most", re.compile(rf"{_NAME}(?P<a>{_VALUE}){_ORDINAL}{_OPEN_DOWN}{_TAIL}")),
    ("at_least", re.compile(rf"{_NAME}(?P<a>{_VALUE}){_ORDINAL}{_OPEN_UP}{_TAIL}")),
    ("single", re.compile(rf"{_NAME}(?P<a>[+]?{_VALUE}){_ORDINAL}%?{_TAIL}")),
)


@dataclass(frozen=True, slots=True)
class Span:
    """The closed interval [minimum, maximum]; infinite where it is open."""

    minimum: float
    maximum: float

    def __contains__(self, value: float) -> bool:
        return self.minimum - 1e-9 <= value <= self.maximum + 1e-9

    @property
    def width(self) -> float:
        """How much it covers; of two spans that both hold a value, the narrower is meant."""
        return self.maximum - self.minimum


@dataclass(frozen=True, slots=True)
class Label:
    """A row or column label: the words of its name, and the numbers it covers, if it has any."""

    name: Tokens
    span: Span | None


def value(text: str) -> float:
    """The value of one number as books write it.

    >>> value("5+2"), value("1-1"), value("18/51")
    (5.02, 0.99, 18.51)
    """
    if minus := re.fullmatch(r"(\d+)-(\d+)", text):
        return float(minus[1]) - float(minus[2]) / 100
    if plus := re.fullmatch(r"(\d+)\+(\d+)", text):
        return float(plus[1]) + float(plus[2]) / 100
    if part := re.fullmatch(r"(\d+)/(\d+)", text):
        return float(part[1]) + (float(part[2]) or 100) / 100
    return float(text)


def read_label(text: str) -> Label:
    """Read a label; one without numbers has only a name.

    >>> read_label("Level 4-6").span
    Span(minimum=4.0, maximum=6.0)
    >>> read_label("19+").span.maximum
    inf
    """
    folded = re.sub(r"(?<=\d),(?=\d{3}\b)", "", re.sub(r"[*†‡()]", " ", fold(text))).strip().rstrip(".")
    for form, pattern in _FORMS:
        match = pattern.fullmatch(folded)
        if match is not None and (span := _span(form, match)) is not None:
            words = phrase(match["name"].strip(" :") + " " + match["tail"])
            return Label(tuple(w for w in words if not is_number(w)), span)
    return Label(phrase(text), None)


def _span(form: str, match: re.Match[str]) -> Span | None:
    a = value(match["a"])
    if form in ("range", "range_plus"):
        return _range(match["a"], match["b"], form == "range_plus")
    if form in ("up_to", "at_most"):
        return Span(-math.inf, a - 0.001 if form == "up_to" and match["a"].count("-") else a)
    return Span(a, math.inf) if form == "at_least" else Span(a, a)


def _range(low: str, high: str, plus: bool) -> Span | None:
    """*2-3+* covers 3 with any bonus, *18/51-75* stays within 18, and *1-1* is a die less one."""
    a = value(low)
    if "/" in low and "/" not in high:
        return Span(a, int(a) + (float(high) or 100) / 100)
    b = value(high) + (0.99 if plus else 0.0)
    if b > a or (a < 0 and b < 0):
        return Span(min(a, b), max(a, b))
    return Span(value(f"{low}-{high}"), value(f"{low}-{high}")) if low.isdigit() and high.isdigit() else Span(b, a)
