"""Lists of things that have no labels: *Reed - 12 passengers* below *Sedge - 30 passengers*, or nothing but their names.

The items are the rows of a table. What stands first names each; where the numbers behind the names are of the same
thing, that is the head of a column. What else is said of them is told without a head. A list of sentences is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from retrieval.readers.label_marks import clean_label, is_label, without_mark
from retrieval.readers.lists import Item
from retrieval.text.normal import STOP_WORDS, phrase
from retrieval.text.spelling import singular
from retrieval.types import Table

_FEWEST = 3
"""Items of a list of things."""
_MOSTLY = 0.8
"""The share of the things of which a number of the same is told."""
_LONGEST, _LONGEST_KIND = 6, 3
"""Words of a name, and of what things are called together."""
_BOLD = re.compile(r"\*\*(?P<name>[^*\n]+)\*\*(?P<rest>.*)$")
_NAMED = re.compile(r"(?P<name>[^:;!?|*\n,()=→]+?)(?:\s+(?:-{1,3}|[–—=→]|[-=]>)\s+|:\s+|,\s+|\s+(?=\())(?P<rest>\S.*)$")
_BETWEEN = re.compile(r"\s*[,;()]\s*|\s+[-–—|]\s+|:\s+")
_AMOUNT = re.compile(
    r"(?P<value>\D{0,12}?\d[\d.,/½¼¾–-]*(?:\s+(?:to|-|–)\s+\d[\d.,]*)?)\s+(?P<noun>[^\W\d_][^\d,;()]*)$"
)
_ENDS = (".", "!", "?", ";", ":")
_ARTICLE = re.compile(r"(?i)the\s+")


class _Thing(NamedTuple):
    """What an item names, the numbers that it tells by what they are of, and what else it says."""

    name: str
    numbers: dict[str, str]
    rest: str


def members_of(items: Sequence[Item]) -> Table | None:
    """The table of the things that a list names; None where its items are no names.

    >>> members_of([Item(1, "Reed - 12 passengers"), Item(1, "Rush - 8 passengers"), Item(1, "Tern - none")]) is None
    True
    >>> table = members_of([Item(1, "**Reed** 12 seats, Hull"), Item(1, "**Rush** 8 seats"), Item(1, "**Tern** 1 seat")])
    >>> table.columns, table.rows[0]
    (((), ('seats',), ('',)), ('Reed', '12 seats', 'Hull'))
    """
    things = list(_things(items))
    named = {" ".join(phrase(thing.name)) for thing in things if thing is not None}
    if len(things) < _FEWEST or len(named) < len(things):
        return None
    found = [thing for thing in things if thing is not None]
    said = Counter(noun for thing in found for noun in thing.numbers)
    shared = [noun for noun, count in said.items() if count >= _MOSTLY * len(found)]
    rests = [_rest(thing, shared) for thing in found]
    if not shared and not any(rests):
        rests = [thing.name for thing in found]
    columns = ((), *((_head(noun, found),) for noun in shared), *([("",)] if any(rests) else []))
    rows = [
        (thing.name, *(thing.numbers.get(noun, "") for noun in shared), *([rest] if any(rests) else []))
        for thing, rest in zip(found, rests, strict=True)
    ]
    return Table("", columns, tuple(rows))


def called_by(lead: str, members: Table) -> Table:
    """The table of a list that a line leads to, called by what that says the things are.

    >>> called_by("The harbour has the following ferries:", Table("", ((),), ())).caption
    'ferries'
    """
    words = lead.rstrip().splitlines()[-1].rstrip(" :").split() if lead.rstrip().endswith(":") else []
    runs = [list(own) for is_said, own in groupby(words, key=lambda word: word.casefold() in STOP_WORDS) if not is_said]
    named = [run for run in runs if singular(run[-1].casefold()) != run[-1].casefold()]
    return replace(members, caption=" ".join(named[-1][-_LONGEST_KIND:])) if named else members


def members_of_record(record: Table) -> Table | None:
    """The table of things of which lines of labels and values tell numbers of the same; None where they do not.

    >>> rows = (("Reed", "12 seats"), ("Rush", "8 seats"), ("Tern", "1 seat"))
    >>> members_of_record(Table("", ((), ()), rows)).rows[-1]
    ('Tern', '1 seat')
    """
    if not record.is_record:
        return None
    members = members_of([Item(1, f"**{label}** {value}") for label, value, *_ in record.rows])
    return members if members is not None and has_numbers(members) else None


def has_numbers(members: Table) -> bool:
    """True where numbers of the same are told of the things."""
    return any(path and path[0] for path in members.columns)


def _things(items: Sequence[Item]) -> Iterator[_Thing | None]:
    """The things that the outermost items name, each with what stands below it; None for one that is no name."""
    top = min((item.depth for item in items), default=0)
    places = [at for at, item in enumerate(items) if item.depth == top]
    for at, end in zip(places, [*places[1:], len(items)], strict=True):
        yield _thing(items[at].text, [item.text for item in items[at + 1 : end]])


def _thing(text: str, below: Sequence[str]) -> _Thing | None:
    text = without_mark(text)
    match = _BOLD.match(text) or _NAMED.match(text)
    name, rest = (match["name"], match["rest"]) if match else (text, "")
    name = _ARTICLE.sub("", clean_label(name), count=1)
    if (
        not is_label(name)
        or len(name.split()) > _LONGEST
        or text.endswith(_ENDS)
        or name.split()[0].casefold() in STOP_WORDS
    ):
        return None
    parts = [part.strip(" .:=–—-*") for said in (rest, *map(without_mark, below)) for part in _BETWEEN.split(said)]
    numbers: dict[str, str] = {}
    for part in parts:
        if amount := _AMOUNT.match(part):
            numbers.setdefault(" ".join(phrase(amount["noun"])), part)
    return _Thing(name, numbers, "; ".join(filter(None, parts)))


def _rest(thing: _Thing, shared: Sequence[str]) -> str:
    """What is said of a thing beside its numbers."""
    own = {thing.numbers[noun] for noun in shared if noun in thing.numbers}
    return "; ".join(part for part in thing.rest.split("; ") if part and part not in own)


def _head(noun: str, things: Sequence[_Thing]) -> str:
    """What numbers are of, as most items write it."""
    said = Counter(_AMOUNT.match(thing.numbers[noun])["noun"].strip() for thing in things if noun in thing.numbers)  # type: ignore[index]
    return said.most_common(1)[0][0]
