"""What is told of a cell: all of its text, or the number whose unit is asked; and arithmetic over such values."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.languages.operations import Operation
from agent.reasoning.quantities import Quantity, same_unit
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")
_GRADED = re.compile(r"\s*\d+\s*\+\s*\d")
"""A value with something added that is less than one of it, which has an order and no sum: *5+2*."""
_DIGITS = 9
"""Decimals beyond which floating point is not exact."""


def value_of(binding: Binding) -> str:
    """What is asked of a cell: all of it, or the number whose unit is asked, as in *5 (1,800 XP)*."""
    text = binding.cell.text
    if binding.fit.label or not binding.fit.value:
        return text
    return next((part for part in _with_units(text) if _has_unit(part, binding.fit.value)), text)


def _with_units(text: str) -> list[str]:
    """Each number of a text with the word behind it, else with the one before it."""
    found = [f"{match[0]} {_word_after(text, match.end())}" for match in _NUMBER.finditer(text)]
    return [part.strip() for part in found]


def _word_after(text: str, place: int) -> str:
    match = re.match(r"\s*([^\W\d_]+)", text[place:])
    return match[1] if match else ""


def _has_unit(part: str, words: Collection[str]) -> bool:
    return bool(set(phrase(part)) & set(words))


def computed(operation: Operation, quantities: Sequence[Quantity], texts: Sequence[str]) -> float | None:
    """The result of arithmetic over values; None where they are no numbers of one unit.

    >>> computed("average", [Quantity(35, "gp"), Quantity(15, "gp")], ["35 gp", "15 gp"])
    25.0
    """
    if not _can_be_added(quantities, texts) or len({quantity.unit for quantity in quantities}) > 1:
        return None
    numbers = [quantity.number for quantity in quantities]
    if operation != "difference" and any(quantity.is_date for quantity in quantities):
        return None
    if operation in ("total", "average"):
        return round(sum(numbers) / (len(numbers) if operation == "average" else 1), _DIGITS)
    if len(numbers) != 2:
        return None
    low, high = sorted(numbers)
    if operation == "difference":
        return round(high - low, _DIGITS)
    return round(high / low, _DIGITS) if low else None


def difference(quantities: Sequence[Quantity] | None, texts: Sequence[str]) -> float | None:
    """By how much two values of one unit differ."""
    if quantities is None or len(quantities) != 2 or not _can_be_added(quantities, texts):
        return None
    if not same_unit(texts) and not quantities[0].is_date:
        return None
    return round(abs(quantities[0].number - quantities[1].number), _DIGITS)


def _can_be_added(quantities: Sequence[Quantity], texts: Sequence[str]) -> bool:
    """True for values that are one number each."""
    return not any(quantity.top is not None for quantity in quantities) and not any(map(_GRADED.match, texts))
