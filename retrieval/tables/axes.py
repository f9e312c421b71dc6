"""The axes of a table: which of its rows and columns a key chooses.

A key such as *level 7* may run down a column or across the heads, as a single value or a band. If two bands across
cover a value, the narrower one wins. Nothing is guessed: a head, a spanning head or the corner must name the axis, or
the heads must be bands in a row that another key has chosen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ParamSpec, TypeVar

from retrieval.tables.names import NameIndex, name_words, same_name
from retrieval.text.label_ranges import read_label, value
from retrieval.text.vocabulary import vocabulary
from retrieval.types import Table

K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")
T = TypeVar("T")
_BETWEEN = re.compile(r"[&/,]| and | or ")
_EITHER = re.compile(r"[a-z]+(?:/[a-z]+)+", re.IGNORECASE)
_GENERIC_HEADS = (frozenset({"score"}), frozenset({"value"}), frozenset({"rating"}))
_WIDEST = 50.0
_MOST_KEYS = 64
"""Keys whose look-ups one table caches."""
_UNNAMED = 0.5
"""The penalty, in units of width, of a head that does not name its axis."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The column in which a row matches a key, and the width of its band: 0 for an exact value."""

    column: int
    width: float


class Axes:
    """The axes of a table that goes by some names; the look-up of each key is cached.

    >>> table = Table("Clerics", (("AC",), ("Level 1-3",), ("Level 4-6",)), (("6", "14", "12"),))
    >>> axes = Axes(table, "Clerics")
    >>> axes.down("armor class", "6"), axes.across("level", "5")
    ({0: Hit(column=0, width=0.0)}, frozenset({2}))
    """

    def __init__(self, table: Table, names: str) -> None:
        self.heads = [" ".join(path) for path in table.columns]
        self._table, self._names = table, name_words(names)
        self._of_name: dict[str, list[int]] = {}
        self._down: dict[tuple[str, str], Mapping[int, Hit]] = {}
        self._across: dict[tuple[str, str, bool], frozenset[int]] = {}

    def key_columns(self, name: str) -> list[int]:
        """Return the columns of keys of this name: the head has the name and is not a value itself."""
        return _cached(self._of_name, name, self._key_columns_of, name)

    def down(self, name: str, wanted: str) -> Mapping[int, Hit]:
        """Return the rows that match a key, each with its hit; a key without a name may match in any column."""
        return _cached(self._down, (name, wanted), self._matching_rows, name, wanted)

    def across(self, name: str, wanted: str, *, bare: bool = False) -> frozenset[int]:
        """Return the columns whose heads match a key; `bare` also allows bands that nothing names."""
        return _cached(self._across, (name, wanted, bare), self._matching_columns, name, wanted, bare)

    def _key_columns_of(self, name: str) -> list[int]:
        words = name_words(name)
        if not words:
            return []
        if words <= self._names and self.heads and is_generic(self.heads[0]):
            return [0]
        return [column for column in range(len(self.heads)) if self._is_key_column(column, words)]

    def _matching_rows(self, name: str, wanted: str) -> Mapping[int, Hit]:
        places = ((row, self._in_row(row, name, wanted)) for row in range(len(self._table.rows)))
        return {row: hit for row, hit in places if hit is not None}

    def _in_row(self, row: int, name: str, wanted: str) -> Hit | None:
        values = self._table.rows[row]
        for column in self.key_columns(name) if name else range(len(values)):
            width = _width_of(values[column], wanted)
            if width is not None:
                return Hit(column, min(width, _WIDEST) / 100)
        return None

    def _matching_columns(self, name: str, wanted: str, bare: bool) -> frozenset[int]:
        widths = self._widths_across(name_words(name), wanted, bare)
        narrowest = min(widths.values(), default=math.inf)
        return frozenset(column for column, width in widths.items() if width == narrowest)

    @cached_property
    def _corner(self) -> str:
        return corner(self._table)

    def _is_key_column(self, column: int, words: frozenset[str]) -> bool:
        head = self.heads[column]
        said = name_words(head)
        if read_label(head).span is not None:
            return False
        return said == words if column else words <= said and not self._corner

    def _widths_across(self, words: frozenset[str], wanted: str, bare: bool) -> dict[int, float]:
        found: dict[int, float] = {}
        for column, path in enumerate(self._table.columns):
            if not path:
                continue
            label, width = read_label(path[-1]), _width_of(path[-1], wanted)
            if _number(wanted) is None:
                if width is not None or any(same_name(part, wanted) for part in list_items(path[-1])):
                    found[column] = 0.0
                continue
            is_named = words <= name_words(" ".join(path[:-1]) or self._corner) | frozenset(label.name)
            is_bare = bare and column > 0 and len(path) == 1 and not label.name
            if width is not None and (is_named or is_bare):
                found[column] = width if is_named else width + _UNNAMED
        return found


def _cached(found: dict[K, T], key: K, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a table's cache has for a key, computed once. One of these per table costs a dict, where `lru_cache`
    makes a function of it.
    """
    if key not in found:
        if len(found) >= _MOST_KEYS:
            found.clear()
        found[key] = compute(*args, **kwargs)
    return found[key]


@lru_cache(maxsize=1024)
def names_in(table: Table) -> tuple[NameIndex, NameIndex]:
    """Index the cells of a table by name: once by the whole cell, once by each item of a list in a cell."""
    cells = [(text, (row, at)) for row, values in enumerate(table.rows) for at, text in enumerate(values)]
    return NameIndex(cells), NameIndex((part, place) for text, place in cells for part in list_items(text))


def corner(table: Table) -> str:
    """Return the head of the first column if it names the axis across: *Strength | 3-6 | 7-14 | 15*; else empty."""
    heads = [" ".join(path) for path in table.columns]
    across = [read_label(head).span is not None for head in heads[1:]]
    down = any(read_label(row[0]).span is not None for row in table.rows)
    return heads[0] if len(across) > 1 and all(across) and not down else ""


def is_generic(head: str) -> bool:
    """True if the head of a key column is generic, so that only the caption names the key."""
    words = name_words(head)
    return words in _GENERIC_HEADS or any(words == name_words(other) for other in vocabulary().key_heads)


@lru_cache(maxsize=16384)
def list_items(text: str) -> Sequence[str]:
    """Return the items of a label that is a list, with each choice of *Sword, claymore/bastard* spelled out; else
    empty.

    >>> list_items("Fighter, Paladin"), list_items("Ranger")
    (('Fighter', 'Paladin'), ())
    """
    parts = _BETWEEN.split(text)
    if len(parts) < 2:
        return ()
    either = _EITHER.search(text)
    choices = either[0].split("/") if either else []
    spelled_out = (text[: either.start()] + one + text[either.end() :] for one in choices) if either else ()
    return (*map(str.strip, parts), *spelled_out)


def _width_of(label: str, wanted: str) -> float | None:
    """Return the width of a label that covers the number or equals the name; None if it does neither."""
    number = _number(wanted)
    if number is None:
        return 0.0 if same_name(label, wanted) else None
    span = read_label(label).span
    return span.width if span is not None and number in span else None


@lru_cache(maxsize=4096)
def _number(text: str) -> float | None:
    try:
        return value(text)
    except ValueError:
        return None
