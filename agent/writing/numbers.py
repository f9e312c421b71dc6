"""The numbers of a text as a reader takes them: in digits or words, with what they measure and the unit behind them.

Number words, ranges, dice and signs are those of `retrieval.text.normal.normal`. Beyond it, Roman numerals from II on
and raised and circled digits are numbers. No numbers are: the *one* of *one of them*, the *first* that only counts up,
the place in a list, and the d20 that attacks are rolled with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from agent.understanding.measures import in_dice, of_others
from agent.understanding.measures import measures as known_measures
from retrieval.text.english import CARDINALS
from retrieval.text.normal import STOP_WORDS, is_number, normal
from retrieval.text.number_words import in_digits
from retrieval.text.spelling import fold

OF_ANOTHER = " of another"
"""Ends a measure whose number is another's: *to hit armor class 5*."""
_UNITS = {
    "gold": "gp", "silver": "sp", "copper": "cp", "electrum": "ep", "platinum": "pp", "ft": "foot", "lb": "pound",
    "lbs": "pound", "in": "inch", "min": "minute", "hr": "hour",
} | {unit: unit for unit in (
    "gp", "sp", "cp", "ep", "pp", "foot", "yard", "mile", "inch", "pound", "percent", "round", "turn", "segment",
    "minute", "hour", "day", "week", "month", "year",
)}  # fmt: skip
_JOINS = ("to", "and", "or")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_ROMAN = re.compile(r"\b[IVX]{2,}\b")
_RANGE = re.compile(r"(?<![\dd.])(\d+) ?- ?(?=\d)(?!1\b)")
_LISTED = re.compile(r"(?<=\d)/(?=\d+-\d)")
_NO_NUMBER = re.compile(
    r"^\s*(?:[-*•]\s+)?\(?\d{1,2}[.)](?=\s)|\b1?d20s?\b(?! ?[+-])|\b(?:20|twenty)[- ]sided\b"
    r"|\b(?:first|second|third)(?:ly)?\b(?![ -]level)"
    r"|\b(?:no|each|any|the|this|that|which|every|other|another|only|for|one by) one\b"
    r"|(?<!by )(?<!to )(?<!of )(?<!least )(?<!than )\bone(?=[.,;:!?]|$|['’]s"
    r"| (?:of|another|who|that|which|is|has|can|could|may|must|should|would|will|needs|to|side|thing|by one)\b)"
)
_SIDED = re.compile(rf"\b(\d+|{'|'.join(CARDINALS)})[- ]sided(?: (?:die|dice))?\b")
_PART = re.compile(r"-?\d+(?:\.\d+)?")
_DICE = re.compile(r"(\d+)d(\d+)([+-]\d+)?$")
_LONGEST_RANGE, _LONGEST_DICE = 30, 24


@dataclass(frozen=True, slots=True)
class Number:
    """A number in its normal form (*7*, *-3*, *5+2*, *2d6*), what it measures, its unit, and the words beside it.

    One that is `implied` does not stand there itself: the 8 of *level 7-9*. One that `is_end` begins or ends a range.
    """

    value: str
    measure: str = ""
    unit: str = ""
    beside: frozenset[str] = frozenset()
    implied: bool = False
    is_end: bool = False


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """The text folded, with all its numbers in digits and without what only looks like a number.

    >>> plain("1. A druid with XVII hit points has two hundred and fifty gp (20%)").split()[-3:]
    ['gp', '(20', 'percent)']
    """
    if not text.isascii():
        text = _RAISED.sub(lambda match: " " + match[0].translate(_DIGITS), text)
    folded = in_digits(fold(_ROMAN.sub(lambda match: str(_roman(match[0])), text)))
    counted = _NO_NUMBER.sub("", folded.replace("%", " percent").replace("penalty of ", "penalty of -"))
    rolled = _SIDED.sub(lambda match: f"d{CARDINALS.get(match[1], match[1])}", counted)
    return _RANGE.sub(r"\1 to ", _LISTED.sub(", ", rolled))


@lru_cache(maxsize=4096)
def numbers_of_plain(text: str) -> tuple[Number, ...]:
    """The numbers of a text that is `plain`, in the order of its normal form.

    >>> [(n.value, n.measure, n.unit) for n in numbers_of_plain("a level 7 cleric with ac five has 7 gp")]
    [('7', 'level', ''), ('5', 'armor class', ''), ('7', '', 'gp')]
    """
    return tuple(_numbers(normal(text)))


def _numbers(tokens: Sequence[str]) -> Iterator[Number]:
    around = ("", "", *tokens, "", "")
    measures: dict[int, str] = {}
    for i, token in enumerate(around):
        dice = _DICE.match(token)
        if not dice and not is_number(token):
            continue
        earlier, before, after, later = around[i - 2], around[i - 1], around[i + 1], around[i + 2]
        is_last, is_first = before == "to" and is_number(earlier), after == "to" and is_number(later)
        joined = measures.get(i - 2, "") if before in _JOINS and after not in _UNITS else ""
        behind = "" if is_number(later) else after
        measures[i] = next((each for each in (before, behind, joined) if each in known_measures()), "")
        if earlier in of_others().get(measures[i], ()):
            measures[i] += OF_ANOTHER
        beside = frozenset(each for each in (before, after) if each.isalpha() and each not in STOP_WORDS)
        yield Number(token, measures[i], _UNITS.get(after, ""), beside, is_end=is_first or is_last)
        if dice:
            yield from (Number(dice[1], measure, implied=True) for measure in in_dice())
        if is_last and measures[i] and (earlier + token).isdecimal():
            inside = range(int(earlier) + 1, min(int(token), int(earlier) + _LONGEST_RANGE))
            yield from (Number(str(each), measures[i], implied=True) for each in inside)


def readings(text: str) -> list[list[Number]]:
    """Each number of a plain text, also as of any measure that the text names without one.

    >>> [sorted(each.measure for each in one) for one in readings("a level 7 orc: armor class, if you ask, is 6")]
    [['level'], ['', 'armor class']]
    """
    numbers = numbers_of_plain(text)
    named = Counter(token for token in normal(text) if token in known_measures())
    named.subtract(each.measure.removesuffix(OF_ANOTHER) for each in numbers)
    free = [measure for measure, times in named.items() if times > 0]
    return [[each, *(replace(each, measure=measure) for measure in free if not each.measure)] for each in numbers]


def values_in(text: str) -> Iterator[str]:
    """The values of a text's numbers, and the parts of those that are compound."""
    for each in numbers_of_plain(plain(text)):
        yield from dict.fromkeys((each.value, *parts(each.value)))


def parts(value: str) -> list[str]:
    """The numbers a compound is made of: 2, 6 and 1 of *2d6+1*.

    >>> parts("2d6+1"), parts("3/2"), parts("-3")
    (['2', '6', '1'], ['3', '2'], ['-3'])
    """
    return _PART.findall(value)


def is_dice(value: str) -> bool:
    """True for *2d6*."""
    return "d" in value


def extremes(value: str) -> list[str]:
    """The least and the most that dice roll: older books write *2-12* for *2d6*.

    >>> extremes("2d6"), extremes("7")
    (['2', '12'], [])
    """
    dice = _DICE.match(value)
    if dice is None or len(value) > _LONGEST_DICE:
        return []
    count, plus = int(dice[1]), int(dice[3] or 0)
    return [str(count + plus), str(count * int(dice[2]) + plus)]


def _roman(text: str) -> int:
    worth = [{"I": 1, "V": 5, "X": 10}[letter] for letter in text]
    following = [*worth[1:], 0]
    return sum(-one if one < after else one for one, after in zip(worth, following, strict=True))
