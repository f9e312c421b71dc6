"""What is told of a cell: all of its text, or the number whose unit is asked."""

from __future__ import annotations

import re
from collections.abc import Collection

from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")


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
