"""Lists of things without labels: *Reed - 12 passengers* below *Sedge - 30 passengers*, or bare names.

The items become rows of a table. The leading words name each thing; if the numbers behind the names count the same,
that noun is the head of a column. The rest goes into a column without a head. A list of sentences is no such list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from retrieval.readers.labels.label_marks import clean_label, is_label, without_mark
from retrieval.readers.lists.nested import Item
from retrieval.text.normal import STOP_WORDS, is_number, normal, phrase
from retrieval.text.spelling import is_plural
from retrieval.types import Table

_FEWEST = 3
"""The fewest items of a list of things."""
_MOSTLY = 0.8
"""The share of things that need a number of the same kind."""
_LONGEST, _LONGEST_KIND = 6, 3
"""The most words of a name, and of the noun for all things."""
_SHORTEST = 4
"""The fewest letters of a noun; a shorter word behind a number is its unit."""
_TOLD_BY, _OPENS = frozenset({"following", "these", "those"}), frozenset({"all", "our", "the"})
"""Words before the noun for the things below, besides numbers, and words that a lead line may begin with."""
_BOLD = re.compile(r"\*\*(?P<name>[^*\n]+)\*\*(?P<rest>.*)$")
_NAMED = re.compile(
    r"(?P<name>[^:;!?|*\n,()=→·•]+?)(?:\s+(?:-{1,3}|[–—=→·•]|[-=]>)\s+|:\s+|,\s+|\s+(?=\())(?P<rest>\S.*)$"
)
_BETWEEN = re.compile(r"\s*(?:[;()]|,(?!\d))\s*|\s+(?:-{1,3}|[–—|·•])\s+")
_LABELLED = re.compile(r"(?P<label>[^\W\d_][^\d:]{1,24}):\s+(?P<value>\S.*)$")
"""A label before its value: *teacher: Ada Holt*."""
_AMOUNT = re.compile(
    r"(?P<value>\D{0,12}?\d[\d.,/½¼¾–-]*(?:\s+(?:to|-|–)\s+\d[\d.,]*)?)\s+(?P<noun>[^\W\d_][^\d,;()]*)$"
)
_LED = re.compile(
    r"(?P<label>[^\W\d_][^\d$€£,;()]{2,24}?)\s+(?P<value>[$€£]?\d\S*(?:\s(?:thousand|million|billion))?(?:\s(?:\S{1,3}|[A-Z][a-z]+))?)$"
)
"""A number or date behind its label: *built 1912*, *room for 30*, *back 3 May*."""
_ENDS = (".", "!", "?", ";", ":")
_ARTICLE = re.compile(r"(?i)the\s+")


class _Part(NamedTuple):
    """A part of an item's text: if it has a number or a label, the value as `number`, and its `head` and the `key` that
    others share.
    """

    text: str
    key: str = ""
    number: str = ""
    head: str = ""


class _Thing(NamedTuple):
    """The name in an item, and the parts of its text."""

    name: str
    parts: list[_Part]


def members_of(items: Sequence[Item]) -> Table | None:
    """Return the table of the things that a list names; None if its items are no names.

    >>> members_of([Item(1, "Reed is new."), Item(1, "Rush"), Item(1, "Tern")]) is None
    True
    >>> seats = Item(1, "**Reed** 12 soft seats, Hull"), Item(1, "**Rush** 8 bare seats"), Item(1, "**Tern** 1 seat")
    >>> members_of(seats).columns, members_of(seats).rows[0]
    (((), ('seats',), ('',)), ('Reed', '12 soft seats', 'Hull'))
    """
    things = [thing for thing in _things(items) if thing is not None]
    named = {phrase(thing.name) for thing in things}
    if len(things) < _FEWEST or len(named) < len(list(_outermost(items))) or _is_series(named):
        return None
    times = Counter(key for thing in things for key in dict.fromkeys(part.key for part in thing.parts) if key)
    shared = [key for key, count in times.items() if count >= _MOSTLY * len(things)]
    columns = [[_under(key, thing) for thing in things] for key in shared]
    heads = [_head([part.head for part in column if part.head]) for column in columns]
    rests = [_rest(thing, shared) for thing in things]
    if not columns and not any(rests):
        rests = [thing.name for thing in things]
    table = [[part.number for part in column] for column in columns] + ([rests] if any(rests) else [])
    rows = zip((thing.name for thing in things), *table, strict=True)
    return Table("", ((), *((head,) for head in heads), *([("",)] if any(rests) else ())), tuple(rows))


def _is_series(names: Iterable[tuple[str, ...]]) -> bool:
    """True for names numbered in one series, *Tier 1* and *Tier 2 - 3*: they are levels of the list's subject."""
    names = list(names)
    return len({name[:1] for name in names}) == 1 and all(map(is_number, (word for name in names for word in name[1:])))


def captioned_by_lead(lead: str, members: Table) -> Table:
    """Caption a list's table with the noun for its things in the line above.

    The noun follows *the following*, *three* or *these*, or begins the line. Elsewhere the words mean something else:
    *of use to our ferries*.

    >>> leads = "The harbour has the following ferries:", "Our ferries are:", "It is of use to our ferries:"
    >>> [captioned_by_lead(lead, Table("", ((),), ())).caption for lead in leads]
    ['ferries', 'ferries', '']
    """
    words = lead.rstrip().splitlines()[-1].rstrip(" :").split() if lead.rstrip().endswith(":") else []
    places = [at for at, word in enumerate(words) if word.casefold() in _TOLD_BY or is_number(" ".join(normal(word)))]
    begins = next((at for at, word in enumerate(words) if word.casefold() not in _OPENS), 0)
    start = places[-1] + 1 if places else begins
    run = list(takewhile(lambda word: word.casefold() not in STOP_WORDS, words[start:]))
    if len(run) <= _LONGEST_KIND and is_plural(" ".join(run)):
        return replace(members, caption=" ".join(run))
    return members


def members_of_record(record: Table) -> Table | None:
    """Return the table of things for which lines of labels and values give numbers of the same kind; else None.

    >>> rows = (("Reed", "12 seats"), ("Rush", "8 seats"), ("Tern", "1 seat"))
    >>> members_of_record(Table("", ((), ()), rows)).rows[-1]
    ('Tern', '1 seat')
    """
    items = record.rows if record.is_record else ()
    members = members_of([Item(1, f"**{label}** {value}") for label, value, *_ in items])
    return members if members is not None and has_numbers(members) else None


def has_numbers(members: Table) -> bool:
    """True if the things have numbers of the same kind."""
    return any(path and path[0] for path in members.columns[1:])


def _things(items: Sequence[Item]) -> Iterator[_Thing | None]:
    """Yield the thing of each outermost item, with the text below it; None for an item that is no name."""
    places = list(_outermost(items))
    for at, end in pairwise([*places, len(items)]):
        yield _thing(items[at].text, [item.text for item in items[at + 1 : end]])


def _outermost(items: Sequence[Item]) -> Iterator[int]:
    """Yield the places of the outermost items."""
    top = min((item.depth for item in items), default=0)
    return (at for at, item in enumerate(items) if item.depth == top)


def _thing(text: str, below: Sequence[str]) -> _Thing | None:
    text = without_mark(text)
    match = _BOLD.match(text) or _NAMED.match(text)
    name, rest = (match["name"], match["rest"]) if match else (text, "")
    name = _ARTICLE.sub("", clean_label(name), count=1)
    is_name = is_label(name) and len(name.split()) <= _LONGEST and not text.endswith(_ENDS)
    if not is_name or name.split()[0].casefold() in STOP_WORDS:
        return None
    parts = (part.strip(" .:=–—-*") for said in (rest, *map(without_mark, below)) for part in _BETWEEN.split(said))
    return _Thing(name, [_part(each) for part in parts for each in _apart(part) if each])


def _apart(text: str) -> tuple[str, ...]:
    """Return a part, or two if an amount of its own stands behind a colon: *Hull: 30 seats*."""
    found = _LABELLED.match(text)
    amount = _AMOUNT.match(found["value"]) if found else None
    is_own = amount is not None and len(amount["noun"]) >= _SHORTEST
    return (found["label"], found["value"]) if found and is_own else (text,)


def _part(text: str) -> _Part:
    """Parse a part of an item's text, with its number."""
    amount, led, labelled = _AMOUNT.match(text), _LED.match(text), _LABELLED.match(text)
    if labelled:
        return _Part(text, " ".join(phrase(labelled["label"])), labelled["value"], labelled["label"])
    noun = phrase(amount["noun"]) if amount else ()
    is_date = amount is not None and led is not None and amount["noun"].istitle()
    if amount and noun and len(noun[-1]) >= _SHORTEST and not is_date:
        return _Part(text, noun[-1], text, amount["noun"].strip())
    return _Part(text, " ".join(phrase(led["label"])), led["value"], led["label"]) if led else _Part(text)


def _under(key: str, thing: _Thing) -> _Part:
    """Return a thing's part under a shared key."""
    return next((part for part in thing.parts if part.key == key), _Part(""))


def _rest(thing: _Thing, shared: Sequence[str]) -> str:
    """Return the text of a thing outside the number columns."""
    own = {_under(key, thing) for key in shared}
    return "; ".join(part.text for part in thing.parts if part not in own)


def _head(heads: Sequence[str]) -> str:
    """Return the words that all heads of a column end with, in their most frequent spelling."""
    said = Counter(heads)
    most, _ = said.most_common(1)[0]
    ends = zip(*(phrase(text)[::-1] for text in said), strict=False)
    common = sum(1 for _ in takewhile(lambda words: len({*words}) == 1, ends))
    return " ".join(most.split()[-common:])
