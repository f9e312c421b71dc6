"""What is told of a cell: all of its text, or the number whose unit is asked."""

from __future__ import annotations

import re

from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_AMOUNT = re.compile(r"(?P<number>[+-]?\d[\d,]*(?:\.\d+)?)(?:\s*(?P<unit>[^\W\d_]+))?")


def value_of(binding: Binding) -> str:
    """What is asked of a cell: all of it, or the number whose unit is asked, as in *5 (1,800 XP)*."""
    text = binding.cell.text
    asked = frozenset[str]() if binding.fit.label else binding.fit.value
    for amount in _AMOUNT.finditer(text) if asked else ():
        if not asked.isdisjoint(phrase(amount["unit"] or "")):
            return f"{amount['number']} {amount['unit']}"
    return text
