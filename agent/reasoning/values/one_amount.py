"""Values that are one amount: a number, a date, a range, or a time of several units. What stands beside it is its unit.

Of *25 boards or 10 logs* only the first is compared, and only where the boards are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.reasoning.values.dates import date_of
from agent.reasoning.values.quantities import is_range, quantities_of
from retrieval.tables.match import begins, said_words
from retrieval.text.normal import is_number, phrase

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_BEHIND = re.compile(r"\D*\d[\d.,]*\s*([^\W\d_]+)")
_TIMES = re.compile(r"(?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*){2,}", re.IGNORECASE)
_IN_MINUTES = "min"
_SEVERAL = 2


def unit_words(text: str) -> frozenset[str]:
    """The words beside the only amount of a text, else the one right behind the first of several.

    >>> sorted(unit_words("$5 a month")), sorted(unit_words("25 boards or 10 logs"))
    (['month'], ['board'])
    """
    if is_one_amount(text):
        return frozenset(word for word in said_words(text) if not is_number(word))
    behind = _BEHIND.match(text)
    return frozenset(phrase(behind[1])) if behind else frozenset()


def is_one_amount(text: str) -> bool:
    """True for a text with one amount.

    >>> [is_one_amount(text) for text in ("4h 5m", "3 - 5", "May 3, 2021", "62 x 31 m", "2 lamps, 1 oar")]
    [True, True, True, False, False]
    """
    if len(_NUMBER.findall(text)) < _SEVERAL or date_of(text) is not None or is_range(text):
        return True
    found = quantities_of([text])
    return _TIMES.fullmatch(text.strip()) is not None and found is not None and found[0].unit == _IN_MINUTES


def can_be_compared(texts: Sequence[str], label: str, asked: Collection[str]) -> bool:
    """True for values with amounts of one unit; of those with several amounts each, where `asked` has the unit of the
    first.
    """
    if quantities_of(texts, label) is None:
        return False
    units = frozenset.intersection(*map(unit_words, texts))
    return all(map(is_one_amount, texts)) or any(is_said(word, units) for word in asked)


def is_said(word: str, said: Collection[str]) -> bool:
    """True where each part of a word is among others, begins one of them or is begun by one.

    >>> is_said("monthly", ["month"]), is_said("battery", ["bt"])
    (True, False)
    """
    return all(any(begins(part, other) for other in said) for part in word.split())
