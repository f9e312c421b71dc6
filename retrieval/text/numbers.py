"""Number tokens of the normal form: recognition and value."""

from __future__ import annotations

import re

from retrieval.text.vocabulary import vocabulary

_LONGEST_NUMBER = 24
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)|[+-]?\d+/\d+|[+-]?\d+[+-]\d+")


def is_number(token: str) -> bool:
    """True for a number token such as `"7"`, `"-3"`, `"5+2"` or `"3/2"`; dice such as `"1d8"` are words.

    Words are also a run of digits too long for a quantity, an identifier such as `"r50"`, and a section number.

    >>> [is_number(token) for token in ("7", "-3", "5+2", "1-1", "3/2", ".5", "30.8-1", "8.1.2", "1d8")]
    [True, True, True, True, True, True, False, False, False]
    """
    may_be = token[-1:].isdigit() and len(token) <= _LONGEST_NUMBER
    return may_be and _NUMBER.fullmatch(token) is not None


def number(token: str) -> float:
    """Return the value of a number token. `5+2` (five dice and two) sorts just above 5, and `1-1` just below 1.

    `3/2` is 1.5. But for a number that a vocabulary calls graded, `18/51` is between 18 and 19, and `18/00` is the best
    grade.

    >>> number("-3"), number("5+2"), number("1-1"), number("3/2"), number("18/51"), number("18/00")
    (-3.0, 5.02, 0.99, 1.5, 18.51, 18.999)
    """
    if "/" in token:
        return _stroke(*token.split("/", 1))
    for sign in "+-":
        dice, found, pips = token[1:].partition(sign)
        if found:
            return float(token[0] + dice) + float(sign + pips) / 100
    return float(token)


def _stroke(left: str, right: str) -> float:
    is_graded = left.isdigit() and int(left) in vocabulary().graded
    if is_graded and (len(right) == 2 or right == "100"):
        return float(left) + (float(right[-2:]) or 99.9) / 100
    return float(left) / (float(right) or 1.0)
