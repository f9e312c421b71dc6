"""What is told of a cell: all of its text, or the number whose unit is asked."""

from __future__ import annotations

import re
from collections.abc import Collection

from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_AMOUNT = re.compile(r"(?P<number>[+-]?\d[\d,]*(?:\.\d+)?)(?:\s*(?P<unit>[^\W\d_]+))?")


def value_of(binding: Binding) -> str:
    """What is asked of a cell: all of it, or the number whose unit is asked, as in *5 (1,800 XP)*."""
    text = binding.cell.text
    return text if binding.fit.label else amount_of(text, binding.fit.value) or text


def amount_of(text: str, units: Collection[str]) -> str:
    """The number of a text with one of some units behind it; empty where none has one.

    >>> amount_of("5 (1,800 crowns)", {"crown"}), amount_of("sank 1999", {"sank"})
    ('1,800 crowns', '')
    """
    for amount in _AMOUNT.finditer(text):
        if not frozenset(units).isdisjoint(phrase(amount["unit"] or "")):
            return f"{amount['number']} {amount['unit']}"
    return ""
