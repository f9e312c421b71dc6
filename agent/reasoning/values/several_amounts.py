"""Values that may have more than one amount: choose the one to compare.

The words next to a single amount (a number, a date, a range or a time in several units) are its unit. In *25 boards or
10 logs* only the first amount is compared, and only if boards are asked for. *Oak cask, 40 l* and *No. 7 tank, 900 l (2
m high)* begin differently, and are reduced to the unit that both have.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.languages.language import Language
from agent.reasoning.values.dates import date_of
from agent.reasoning.values.quantities import UNITS, is_range, quantities_of
from retrieval.tables.match import begins, label_words
from retrieval.text.grouped import joined
from retrieval.text.normal import is_number, phrase
from retrieval.text.spelling import fold

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_BEHIND = re.compile(r"\D*\d[\d.,]*\s*([^\W\d_]+)")
_TIMES = re.compile(r"(?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*){2,}", re.IGNORECASE)
_IN_MINUTES = "min"
_SEVERAL = 2


def unit_words(text: str) -> frozenset[str]:
    """Return the words next to the only amount of a text, or the word right behind the first of several.

    >>> sorted(unit_words("$5 a month")), sorted(unit_words("25 boards or 10 logs"))
    (['month'], ['board'])
    """
    if is_one_amount(text):
        return frozenset(word for word in label_words(text) if not is_number(word))
    behind = _BEHIND.match(text)
    return frozenset(phrase(behind[1])) if behind else frozenset()


def is_one_amount(text: str) -> bool:
    """True for a text with at most one amount.

    >>> [is_one_amount(text) for text in ("4h 5m", "3 - 5", "May 3, 2021", "62 x 31 m", "2 lamps, 1 oar")]
    [True, True, True, False, False]
    """
    if len(_NUMBER.findall(text)) < _SEVERAL or date_of(text) is not None or is_range(text):
        return True
    found = quantities_of([text])
    return _TIMES.fullmatch(text.strip()) is not None and found is not None and found[0].unit == _IN_MINUTES


def can_be_compared(texts: Sequence[str], label: str, asked: Collection[str]) -> bool:
    """True for values that can be ranked. If a value has several amounts, the unit of the first has to be `asked`."""
    if quantities_of(texts, label) is None:
        return False
    units = frozenset.intersection(*map(unit_words, texts))
    return all(map(is_one_amount, texts)) or any(is_said(word, units) for word in asked)


def is_said(word: str, said: Collection[str]) -> bool:
    """True if each part of a word matches another word, from the beginning of either.

    >>> is_said("monthly", ["month"]), is_said("battery", ["bt"])
    (True, False)
    """
    return all(any(begins(part, other) for other in said) for part in word.split())


_AMOUNT = re.compile(r"(?<![\w.,:+-])(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<unit>[°µ%]?[a-z]*)(?![\w-])")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_DICE = re.compile(r"\d*d\d+")


def in_shared_unit(texts: Sequence[str], attribute: str, language: Language) -> list[str]:
    """Return each value as its amount in the only unit that all have once, if they can't be ranked as they are.

    Brackets are ignored.

    >>> from agent.languages.language import english
    >>> in_shared_unit(["Oak cask, 40 l", "7 tanks, 900 l (2 m high)"], "Water", english())
    ['40 l', '900 l']
    >>> in_shared_unit(["by weapon, 9 m", "2d6, 3 m"], "Damage", english())
    ['by weapon, 9 m', '2d6, 3 m']
    """
    if not _is_mixed(texts, attribute) or any(map(_DICE.search, map(fold, texts))):
        return list(texts)
    units = UNITS.union(*(each.units for each in language.dimensions))
    amounts = [_amounts(text, units) for text in texts]
    shared = [unit for unit in amounts[0] if all(len(each.get(unit, ())) == 1 for each in amounts)]
    return [f"{each[shared[0]][0]} {shared[0]}" for each in amounts] if len(shared) == 1 else list(texts)


def _is_mixed(texts: Sequence[str], attribute: str) -> bool:
    """True for values that can't be ranked, or if only some have a unit."""
    if len(texts) < 2:
        return False
    units = {each.unit for text in texts for each in quantities_of([text], attribute) or ()}
    return quantities_of(texts, attribute) is None or ("" in units and len(units) > 1)


def _amounts(text: str, units: Collection[str]) -> dict[str, list[str]]:
    """Return the numbers of a text outside its brackets, by the unit behind them."""
    found: dict[str, list[str]] = {}
    for match in _AMOUNT.finditer(fold(joined(_IN_BRACKETS.sub(" ", text)))):
        if match["unit"] in units:
            found.setdefault(match["unit"], []).append(match["number"])
    return found
