"""Texts in plain form: folded, with all numbers in digits and without what only looks like a number.

Roman numerals from II on and raised and circled digits are numbers. The *one* of *one of them*, an enumerating *first*,
the number of a list item, and the d20 of attack rolls are none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent.writing.texts.notations import in_common_notation
from retrieval.text.english import CARDINALS
from retrieval.text.number_words import in_digits
from retrieval.text.spelling import fold

_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SEVERAL = re.compile(r"\b([a-z]?[A-Z]{2,})s\b")
"""The plural of an acronym, *CPUs*: its ending is no letter of it."""
_SIGN = re.compile(r"\b([A-Z]*[A-Z][a-z]{1,3})(?=\d[\d.,]*(?![\w-]))")
"""Letters for money that adjoin a number, as *Cr* in *Cr50*."""
_TIMES = re.compile(r"(?<![\w.-])(\d+) ?[x×] ?(?=\d)")
"""A count before a size: *2x80*."""
_ROMAN = re.compile(r"\b[IVX]{2,}\b")
_POWER = re.compile(r"(?<=[a-z])\^[{(]?[-−]?\d+[})]?")
"""The exponent of a unit: *cm^-3*."""
_RANGE = re.compile(r"(?<![\dd.])(\d+(?:\.\d+)?) *- *(?=\d)(?!1\b(?!\.\d))")
_BETWEEN = re.compile(r"\bbetween ([^\w\s]?\d[\d.,]*(?: [a-z]+)?) and (?=[^\w\s]?(\d[\d.,]*))")
"""A range in words: *between 10 and 20*."""
_MEANT = {
    "twice": "2 times", "thrice": "3 times", "per second": "per sec", "per cent": "percent", "cannot": "can not",
    "dual ": "2 ",
}  # fmt: skip
_WORDED = re.compile("|".join(_MEANT))
_NOT = re.compile(r"n['’]t\b")
_PER = re.compile(r"(?<=\d)/(?=[A-Za-z])")
_LISTED = re.compile(r"(?<=\d)/(?=\d+-\d)")
_TO_MORE = rf"(?! to (?:\d|(?:{'|'.join(CARDINALS)})\b))"
_NO_NUMBER = re.compile(
    r"^\s*(?:[-*•]\s+)?\(?\d{1,2}[.)](?=\s)|\b1?d20s?\b(?! ?[+-])|\b(?:20|twenty)[- ]sided\b"
    r"|\b(?:first|second|third)(?:ly)?\b(?![ -]level)"
    rf"|\bone(?= [a-z]+[b-rt-z]s\b)|^one{_TO_MORE} (?=[a-z])"
    r"|\b(?:no|each|any|the|this|that|which|every|other|another|only|one by) one\b|\bfor one\b(?! [a-z])"
    r"|(?<=\bthan )one(?= of\b)"
    rf"|(?<!by )(?<!to )(?<!of )(?<!least )(?<!than )\bone{_TO_MORE}(?=[.,;:!?]|$|['’]s"
    r"| (?:at|as|from|of|another|who|that|which|is|has|can|could|may|must|should|would|will|needs|to|side|thing|by one)"
    r"\b)"
)
_STANDS_FOR = re.compile(r"\b((?:an?|the|each|every) (?!level)[a-z]+|\d(?:st|nd|rd|th) level) one\b")
"""A pronoun for one of a kind named before: *a small one*."""
_SIDED = re.compile(rf"\b(\d+|{'|'.join(CARDINALS)})[- ]sided(?: (?:die|dice))?\b")
_COUNTED_DICE = re.compile(rf"\b(\d{{1,3}}|{'|'.join(CARDINALS)}) (?=d\d)")
"""The count before dice: *one D6*."""
_DICE_LETTER = re.compile(r"\b(\d{0,3})[wW](?=\d{1,3}\b)")
"""The German notation of dice: *1W8*."""


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return the text folded, with all its numbers in digits and without what only looks like a number.

    >>> plain("1. A druid with XVII hit points has two hundred and fifty gp (20%)").split()[-3:]
    ['gp', '(20', 'percent)']
    """
    text = in_common_notation(_POWER.sub("", in_singular(text)) if "^" in text else in_singular(text))
    if not text.isascii():
        text = _RAISED.sub(lambda match: " " + match[0].translate(_DIGITS), text)
    text = _TIMES.sub(r"\1 x ", _SIGN.sub(r"\1 ", text))
    text = _WORDED.sub(lambda match: _MEANT[match[0]], _NOT.sub(" not", text))
    diced = _DICE_LETTER.sub(r"\1d", _PER.sub(" per ", text))
    folded = in_digits(fold(_ROMAN.sub(lambda match: str(_roman(match[0])), diced)))
    counted = _NO_NUMBER.sub(
        "", _STANDS_FOR.sub(r"\1", folded).replace("%", " percent").replace("penalty of ", "penalty of -")
    )
    rolled = _SIDED.sub(lambda match: f"d{CARDINALS.get(match[1], match[1])}", counted)
    rolled = _COUNTED_DICE.sub(lambda match: str(CARDINALS.get(match[1], match[1])), rolled)
    return _BETWEEN.sub(_as_range, _RANGE.sub(r"\1 to ", _LISTED.sub(", ", rolled)))


def _as_range(match: re.Match[str]) -> str:
    """Return *10 to* for *between 10 and 20*; leave *between 20 and 10*, which is no range."""
    ends = [re.sub(r"[^\d.]", "", each).strip(".") for each in (match[1].split()[0], match[2])]
    is_range = all(end.replace(".", "", 1).isdecimal() for end in ends) and float(ends[0]) < float(ends[1])
    return f"{match[1]} to " if is_range else match[0]


def in_singular(text: str) -> str:
    """Return the text with acronyms in the singular: *CPU* for *CPUs*."""
    return _SEVERAL.sub(r"\1", text)


def _roman(text: str) -> int:
    worth = [{"I": 1, "V": 5, "X": 10}[letter] for letter in text]
    following = [*worth[1:], 0]
    return sum(-one if one < after else one for one, after in zip(worth, following, strict=True))
