"""Nested lists: values and labels below a label, things with shared labels, and items with labels of their own below.

*Battery* with *Lithium* one level deeper is a label and its value. *Reed* and *Sedge*, each with *Crew: 3* and *Fee: 5*
below, are the rows of a table. *Depart: 9:00* below *Ferry: Sedge* is a fact of the ferry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from retrieval.readers.labels.label_marks import is_label, without_mark
from retrieval.readers.labels.running_text import (
    VALUES_BETWEEN,
    Pair,
    has_label,
    is_name,
    is_only_label,
    pair_in,
    pairs_of,
    pairs_under_lead,
    plain_label,
)
from retrieval.types import Table

Part = tuple[str, tuple[Pair, ...]]
"""The facts of one thing: its name, empty for the subject of the whole list, and its labels with values."""
_FEWEST = 2
"""The fewest things of a list, and the fewest labels that they share."""
_LONGEST_PATH = 60
"""The most characters of a name that is prefixed by the names above it."""


class Item(NamedTuple):
    """A line of a list, bold words in `**`, and its level."""

    depth: int
    text: str


def with_values(items: Sequence[Item]) -> list[str]:
    """Return the lines of a list, with the values one level below a label joined to its line.

    A label among those values is prefixed by the label above. If everything below has labels of its own, the line above
    names a group and has no value.

    >>> with_values([Item(1, "**Battery**"), Item(2, "Lithium, 770 mAh"), Item(2, "Two cells"), Item(1, "Blue")])
    ['**Battery** Lithium, 770 mAh; Two cells', 'Blue']
    >>> with_values([Item(1, "**Hull**"), Item(2, "Oak"), Item(2, "Weight: 4 t"), Item(1, "**Ports**"), Item(2, "2")])
    ['**Hull** Oak', '**Hull: Weight:** 4 t', '**Ports** 2']
    """
    lines: list[str] = []
    place = 0
    while place < len(items):
        below = list(_below(place, items))
        lines += _item_lines(items[place], below)
        place += 1 + (len(below) if _has_values(items[place], below) else 0)
    return lines


def parts_of(items: Sequence[Item], mark: str = "") -> list[Part]:
    """Return the labels and values of a list by subject; `mark` precedes each of its lines.

    >>> ferry = Item(1, "**Ferry**: Sedge"), Item(2, "Depart: 9:00"), Item(2, "Arrive: 10:30")
    >>> parts_of([*ferry, Item(1, "**Money**: closed")], "- ")
    [('', (('Ferry', 'Sedge'), ('Money', 'closed'))), ('Ferry', (('Depart', '9:00'), ('Arrive', '10:30')))]
    """
    lines = list(_placed([Item(item.depth, without_mark(item.text)) for item in items]))
    rows = [mark + line for line in with_values(items)]
    every = pairs_of(rows)
    under: dict[str, list[str]] = {}
    for name, line in lines:
        under.setdefault(name, []).append(line)
    is_one = all(item.depth > items[0].depth for item in items[1:])
    if not any(under) or (is_one and pairs_under_lead(rows)):
        return [("", every)] if every else []
    parts = [(name, _pairs_of_subject(own, mark, every)) for name, own in under.items()]
    return [part for part in parts if part[1]]


def _pairs_of_subject(lines: Sequence[str], mark: str, every: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the pairs of some lines of a list; lines that are no pairs alone count if they are pairs in the whole
    list.
    """
    alone = (pair for line in lines if (pair := pair_in(line)))
    return pairs_of([mark + line for line in lines]) or tuple(pair for pair in alone if pair in every)


def _placed(items: Sequence[Item], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the lines of a list, each with the name of its subject: an item above that has labels below it."""
    place = 0
    while place < len(items):
        item, below = items[place], list(_below(place, items))
        place += 1
        if _is_group(item, below):
            yield from ((above, line) for line in _group_lines(item, below))
            name = _thing(item.text)
            path = f"{above}: {name}" if above and len(above) + len(name) < _LONGEST_PATH else name
            yield from _placed(below, path)
            place += len(below)
        elif _has_values(item, below):
            yield from ((above, line) for line in _item_lines(item, below))
            place += len(below)
        else:
            yield above, item.text


def _is_group(item: Item, below: Sequence[Item]) -> bool:
    """True for an item that names the subject of the labels below it.

    An item with values is a label itself, unless an item below it is a group.
    """
    if not _thing(item.text) or not any(pair_in(other.text) for other in below):
        return False
    return not _has_values(item, below) or any(_is_group(*each) for each in _children(below))


def _group_lines(item: Item, below: Sequence[Item]) -> Iterator[str]:
    """Yield the own lines of an item that names a group: its value, or the unlabeled values below it."""
    values = [child.text for child, under in _children(below) if not under and not has_label(child.text)]
    if pair_in(item.text):
        yield item.text
    elif values and is_only_label(item.text):
        yield f"{item.text} {VALUES_BETWEEN.join(values)}"


def _children(items: Sequence[Item]) -> Iterator[tuple[Item, list[Item]]]:
    """Yield the outermost items, each with the items below it."""
    place = 0
    while place < len(items):
        below = list(_below(place, items))
        yield items[place], below
        place += 1 + len(below)


def _thing(text: str) -> str:
    """Return the name of an item: its whole text or its label; empty for a sentence."""
    pair = pair_in(text)
    if pair is not None:
        return pair[0]
    name = text.removesuffix(".")
    return plain_label(name) if is_only_label(name) or is_name(name) else ""


def _has_values(item: Item, below: Sequence[Item]) -> bool:
    """True for a label with a value below it."""
    return is_only_label(item.text) and any(not has_label(other.text) for other in below)


def _item_lines(item: Item, below: Sequence[Item]) -> Iterator[str]:
    """Yield the line of an item; for a label with values also the lines below it."""
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
    """Return a pair below a label as a line that begins with both labels in bold."""
    lead, (label, value) = plain_label(above), pair
    return f"**{lead}: {label}:** {value}" if is_label(f"{lead}: {label}") else f"**{label}:** {value}"


def table_of(items: Sequence[Item]) -> Table | None:
    """Return the table of a list of things, each with labels and values below that most of them share; else None.

    >>> reed, sedge = (Item(1, "Reed"), Item(2, "Crew: 3"), Item(2, "Fee: 5")), (Item(1, "Sedge"), Item(2, "Crew: 4"))
    >>> table_of([*reed, *sedge, Item(2, "Fee: 6")]).rows
    (('Reed', '3', '5'), ('Sedge', '4', '6'))
    """
    items = [Item(item.depth, without_mark(item.text)) for item in items]
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
    """Yield the items below one."""
    return takewhile(lambda other: other.depth > items[place].depth, items[place + 1 :])
