"""The part of a cell's text that answers: all of it, the number with the asked unit, or the number of its items."""

from __future__ import annotations

import re
from collections.abc import Collection

from retrieval.tables.bind import Binding
from retrieval.text.grouped import joined
from retrieval.text.normal import phrase

_BETWEEN_ITEMS = re.compile(r"[,;]\s+(?!\d)(?![^()]*\))")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_LONGEST_ITEM = 8
"""The most words of a list item; longer texts are prose."""
_AMOUNT = re.compile(r"(?P<number>[+-]?\d[\d,]*(?:\.\d+)?)(?:\s*(?P<unit>[^\W\d_]+))?")


def value_of(binding: Binding) -> str:
    """Return the part of a cell that answers: all of it, or the number with the asked unit, as in *5 (1,800 XP)*."""
    text = binding.cell.text
    return text if binding.fit.label else amount_of(text, binding.fit.value) or text


def is_amount(text: str, joining: Collection[str]) -> bool:
    """True for a text with a number outside of its brackets, and for a list, whose items can be counted.

    >>> [is_amount(text, ()) for text in ("up to 8 (see 3)", "a bribe (0 to 3 coins, each)", "oak, elm (2)")]
    [True, False, True]
    """
    return any(map(str.isdigit, _IN_BRACKETS.sub("", text))) or bool(items_of(text, joining))


def amount_of(text: str, units: Collection[str]) -> str:
    """Return the number of a text with one of some units behind it; empty if there is none.

    >>> amount_of("5 (1,800 crowns)", {"crown"}), amount_of("sank 1999", {"sank"})
    ('1,800 crowns', '')
    """
    for amount in _AMOUNT.finditer(joined(text)):
        if not frozenset(units).isdisjoint(phrase(amount["unit"] or "")):
            return f"{amount['number']} {amount['unit']}"
    return ""


def items_of(text: str, joining: Collection[str]) -> tuple[str, ...]:
    """Return the items of a list; none if the text is no list, or if a joining word makes its items ambiguous.

    >>> items_of("Norway 1,110 km, Fiji (part) 3 km", {"and"}), items_of("Ewe and Mina", {"and"})
    (('Norway 1,110 km', 'Fiji (part) 3 km'), ())
    """
    items = tuple(item.strip() for item in _BETWEEN_ITEMS.split(text) if item.strip())
    plain = [_IN_BRACKETS.sub("", item).split() for item in items]
    are_items = all(words and words[0][:1].isalpha() and len(words) <= _LONGEST_ITEM for words in plain)
    is_open = any(word in joining for words in plain for word in words)
    return items if len(items) > 1 and are_items and not is_open else ()


def is_echo(text: str, said: Collection[str]) -> bool:
    """True for an empty cell, a dash, and a text whose words are all in the question."""
    return frozenset(said).issuperset(phrase(text))
