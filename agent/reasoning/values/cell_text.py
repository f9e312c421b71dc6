"""What is told of a cell: all of its text, the number whose unit is asked, or how many items it lists."""

from __future__ import annotations

import re
from collections.abc import Collection

from retrieval.tables.bind import Binding
from retrieval.text.grouped import joined
from retrieval.text.normal import phrase

_BETWEEN_ITEMS = re.compile(r"[,;]\s+(?!\d)")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_LONGEST_ITEM = 8
"""Words of an item of a list; more are prose."""
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
    for amount in _AMOUNT.finditer(joined(text)):
        if not frozenset(units).isdisjoint(phrase(amount["unit"] or "")):
            return f"{amount['number']} {amount['unit']}"
    return ""


def items_of(text: str, joining: Collection[str]) -> tuple[str, ...]:
    """The items of a list that a cell is; none where it is no list, or where a joining word leaves open what one is.

    >>> items_of("Norway 1,110 km, Fiji (part) 3 km", {"and"}), items_of("Ewe and Mina", {"and"})
    (('Norway 1,110 km', 'Fiji (part) 3 km'), ())
    """
    items = tuple(item.strip() for item in _BETWEEN_ITEMS.split(text) if item.strip())
    plain = [_IN_BRACKETS.sub("", item).split() for item in items]
    are_items = all(words and words[0][:1].isalpha() and len(words) <= _LONGEST_ITEM for words in plain)
    is_open = any(word in joining for words in plain for word in words)
    return items if len(items) > 1 and are_items and not is_open else ()


def is_echo(text: str, said: Collection[str]) -> bool:
    """True for an empty cell, and for one that says no more than the question, or nothing: a dash."""
    return frozenset(said).issuperset(phrase(text))
