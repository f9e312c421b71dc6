"""Lists whose items tell of each other: values and labels below a label, and things with the labels that they share.

*Battery* with *Lithium* one level deeper is a label and its value; *Reed* and *Sedge*, each with *Crew: 3* and *Fee: 5*
below it, are the rows of a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from retrieval.readers.labels import (
    MOST_WORDS,
    VALUES_BETWEEN,
    Pair,
    has_label,
    is_name,
    is_only_label,
    pair_in,
    plain_label,
)
from retrieval.types import Table

_FEWEST = 2
"""Things of a list, and labels that they share."""


class Item(NamedTuple):
    """A line of a list, bold words in `**`, and how deep it stands."""

    depth: int
    text: str


def with_values(items: Sequence[Item]) -> list[str]:
    """The lines of a list; a label whose values stand below it, one level deeper, with these in its line.

    A label that stands there among values is told with the one above it. Where all that stands below has labels of its
    own, the one above names a group and has no value.

    >>> with_values([Item(1, "**Battery**"), Item(2, "Lithium, 770 mAh"), Item(2, "Two cells"), Item(1, "Blue")])
    ['**Battery** Lithium, 770 mAh; Two cells', 'Blue']
    >>> with_values([Item(1, "**Hull**"), Item(2, "Oak"), Item(2, "Weight: 4 t"), Item(1, "**Ports**"), Item(2, "2")])
    ['**Hull** Oak', '**Hull: Weight:** 4 t', '**Ports** 2']
    """
    lines: list[str] = []
    place = 0
    while place < len(items):
        below = list(_below(place, items))
        lines += _told(items[place], below)
        place += 1 + (len(below) if _has_values(items[place], below) else 0)
    return lines


def _has_values(item: Item, below: Sequence[Item]) -> bool:
    """True for a label with a value below it."""
    return is_only_label(item.text) and any(not has_label(other.text) for other in below)


def _told(item: Item, below: Sequence[Item]) -> Iterator[str]:
    """The lines of an item and, where it is a label with values, of those below it."""
    if not _has_values(item, below):
        yield item.text
        return
    values: list[str] = []
    own: list[str] = []
    for line in with_values(below):
        pair = pair_in(line)
        if pair is None:
            values.append(line)
        else:
            own.append(_labelled(item.text, pair))
    yield f"{item.text} {VALUES_BETWEEN.join(values)}" if values else item.text
    yield from own


def _labelled(above: str, pair: Pair) -> str:
    """A pair below a label as a line that begins with both labels in bold."""
    lead, (label, value) = plain_label(above), pair
    is_brief = len(f"{lead} {label}".split()) <= MOST_WORDS
    return f"**{lead}: {label}:** {value}" if is_brief else f"**{label}:** {value}"


def table_of(items: Sequence[Item]) -> Table | None:
    """The table that a list is: things, and below each of them labels with values, which most of them share.

    >>> reed, sedge = (Item(1, "Reed"), Item(2, "Crew: 3"), Item(2, "Fee: 5")), (Item(1, "Sedge"), Item(2, "Crew: 4"))
    >>> table_of([*reed, *sedge, Item(2, "Fee: 6")]).rows
    (('Reed', '3', '5'), ('Sedge', '4', '6'))
    """
    things: list[tuple[str, dict[str, str]]] = []
    place = 0
    while place < len(items):
        below = list(_below(place, items))
        pairs = [pair for other in below if (pair := pair_in(other.text))]
        if not below or len(pairs) < len(below) or len(dict(pairs)) < len(pairs) or not is_name(items[place].text):
            return None
        things.append((plain_label(items[place].text), dict(pairs)))
        place += 1 + len(below)
    labels = list(dict.fromkeys(label for _, own in things for label in own))
    shared = [label for label in labels if 2 * sum(label in own for _, own in things) > len(things)]
    if len(things) < _FEWEST or len(shared) < _FEWEST or len({name for name, _ in things}) < len(things):
        return None
    rows = tuple((name, *(own.get(label, "") for label in labels)) for name, own in things)
    return Table("", ((), *((label,) for label in labels)), rows)


def _below(place: int, items: Sequence[Item]) -> Iterator[Item]:
    """The items that stand under one."""
    return takewhile(lambda other: other.depth > items[place].depth, items[place + 1 :])
