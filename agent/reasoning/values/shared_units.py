"""Values that say more than one amount, cut down to the unit that all of them have.

*Oak cask, 40 l* and *No. 7 tank, 900 l (2 m high)* do not begin alike, and both say how many litres there are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.languages.language import Language
from agent.reasoning.values.quantities import UNITS, quantities_of
from retrieval.text.grouped import joined
from retrieval.text.spelling import fold

_AMOUNT = re.compile(r"(?<![\w.,+-])(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<unit>[°µ%]?[a-z]*)(?![\w-])")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_DICE = re.compile(r"\d*d\d+")


def in_shared_unit(texts: Sequence[str], attribute: str, language: Language) -> list[str]:
    """The values, each as its amount in the only unit that every one has once, where they can't be ranked as they are.

    What stands in brackets is said of something besides.

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
    """True for values that can't be ranked, or of which some are read without a unit and some with one."""
    if len(texts) < 2:
        return False
    units = {each.unit for text in texts for each in quantities_of([text], attribute) or ()}
    return quantities_of(texts, attribute) is None or ("" in units and len(units) > 1)


def _amounts(text: str, units: Collection[str]) -> dict[str, list[str]]:
    """The numbers of a text outside its brackets, by the units that stand behind them."""
    found: dict[str, list[str]] = {}
    for match in _AMOUNT.finditer(fold(joined(_IN_BRACKETS.sub(" ", text)))):
        if match["unit"] in units:
            found.setdefault(match["unit"], []).append(match["number"])
    return found
