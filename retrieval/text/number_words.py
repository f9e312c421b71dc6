"""Counted hundreds and thousands as digits: *two hundred and fifty* is 250, *ten thousand* is 10000.

*Hundreds of orcs* is not a number.
"""

from __future__ import annotations

import re

from retrieval.text.english import CARDINALS, TENS, UNITS

_WORD = rf"(?:(?:{'|'.join(TENS)})(?:[ -](?:{'|'.join(UNITS[1:10])}))?|{'|'.join(sorted(UNITS[1:], reverse=True))})\b"
_SMALL = rf"(?:a|(?<![\w.,])\d{{1,3}}|{_WORD})"
_HUNDREDS = rf"{_SMALL}[ -]hundred\b(?:(?:[ -]and)?[ -]{_WORD}(?!'|[ -]hundred\b))?"
_NUMBER = re.compile(
    rf"\b(?:(?:{_HUNDREDS}|{_SMALL})[ -]thousand\b(?:(?:[ -]and)?[ -](?:{_HUNDREDS}|{_WORD}))?|{_HUNDREDS})"
)


def in_digits(text: str) -> str:
    """Return lower-case text with counted hundreds and thousands as digits. Linear.

    >>> in_digits("one hundred and twenty-five orcs with two thousand five hundred coins, and hundreds of rats")
    '125 orcs with 2500 coins, and hundreds of rats'
    """
    if "hundred" not in text and "thousand" not in text:
        return text
    return _NUMBER.sub(lambda match: str(_value(match[0])), text)


def _value(words: str) -> int:
    total = part = 0
    for word in re.split("[ -]", words):
        if word == "thousand":
            total, part = total + part * CARDINALS[word], 0
        elif word == "hundred":
            part *= CARDINALS[word]
        elif word != "and":
            part += 1 if word == "a" else CARDINALS[word] if word in CARDINALS else int(word)
    return total + part
