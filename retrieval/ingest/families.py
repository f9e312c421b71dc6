"""Find families of near-duplicate tables.

A book prints the same table once for every class or terrain. Such families crowd one-shot retrieval, so their tables
are split into one chunk for each row, each with a rule. A family is detected by form, not by name: tables with the same
key column, similar other columns, and captions that share words. `retrieval.ingest.subjects` finds how its members
differ.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, pairwise

from retrieval.readers.documents.tables import is_briefly_framed
from retrieval.tables.row_names import group_rows
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import Tokens, is_number, normal, phrase
from retrieval.text.vocabulary import vocabulary
from retrieval.types import Table

GENERIC = frozenset(
    {"table", "chart", "the", "a", "an", "of", "for", "by", "and", "or", "to", "on", "with", "upon", "against", "&"}
)
_SIMILAR = 0.5
_MOST_COMPARED = 200
"""The most kinds of similar tables that a table is compared with; no book has so many under one head."""
ENUMERATOR = re.compile(
    r"^\s*(?:table\s+)?(?:[ivxlc]+\.(?:[a-z]\.)?\d*\.?|\d+[.:](?:\d+[.:])*+\d*|table\s+[\w.]+[:.])\s+", re.IGNORECASE
)
_BY_CHANCE = re.compile(r"^(d%|\d*d\d+.*|percent.*|%)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Captioned:
    """A table with its names: its own caption or section title first, then the headings outwards."""

    table: Table
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Near-duplicate tables by their position in the input, and the words that all their captions share."""

    members: tuple[int, ...]
    shared: frozenset[str]


def find_families(tables: Sequence[Captioned]) -> list[Family]:
    """Group tables into families; a table is in at most one."""
    clusters = _Clusters()
    for i, candidate in enumerate(tables):
        if has_lookup_rows(candidate.table):
            clusters.add(i, _form(candidate))
    return [
        Family(tuple(c), shared_words(tables[i].names[0] for i in c))
        for c in clusters.members
        if _crowds([tables[i] for i in c])
    ]


@dataclass(frozen=True, slots=True)
class _Form:
    """The features that make tables similar: the head of the key column, the other columns, and the caption's words."""

    head: Tokens
    columns: frozenset[tuple[str, ...]]
    words: frozenset[str]

    def is_like(self, other: _Form) -> bool:
        """True if the two share a caption word and most columns."""
        both = len(self.columns & other.columns)
        of_all = both / (len(self.columns) + len(other.columns) - both)
        return of_all >= _SIMILAR and not self.words.isdisjoint(other.words)


class _Clusters:
    """Tables grouped by similarity to the first of their cluster; only tables with the same head and a column are
    compared.
    """

    def __init__(self) -> None:
        self.members: list[list[int]] = []
        self._first: list[_Form] = []
        self._sharing: dict[tuple[Tokens, tuple[str, ...]], list[int]] = {}

    def add(self, table: int, form: _Form) -> None:
        """Add a table to the first cluster whose first table it is like, or to a new one."""
        home = next((c for c in self._candidates(form) if self._first[c].is_like(form)), None)
        if home is not None:
            self.members[home].append(table)
            return
        for column in form.columns:
            self._sharing.setdefault((form.head, column), []).append(len(self.members))
        self.members.append([table])
        self._first.append(form)

    def _candidates(self, form: _Form) -> Iterator[int]:
        """Yield clusters in order that share a column, so few that the work stays linear."""
        lists = [self._sharing.get((form.head, column), ()) for column in form.columns]
        together = (cluster for cluster, _ in groupby(heapq.merge(*lists)))
        return islice(together, _MOST_COMPARED)


def _crowds(members: Sequence[Captioned]) -> bool:
    """True if the tables are a family: two or more with numeric keys, or three or more keyed by words.

    Words that only one table has identify its rows by themselves: a price list is in no family.
    """
    keys = [row[0] for member in members for row in member.table.rows]
    words = Counter(phrase(key) for key in keys if read_label(key).span is None)
    if not words:
        return len(members) > 1
    own = sum(count for count in words.values() if count == 1)
    return len(members) > 2 and own <= _SIMILAR * len(keys)


def has_lookup_rows(table: Table) -> bool:
    """True if each row answers one look-up: a named key column with distinct keys, not chosen by dice."""
    head = _head(table)
    if table.is_record or len(table.columns) < 2 or len(table.rows) < 2 or not head or _is_drawn(head):
        return False
    if not is_briefly_framed(table):
        return False
    keys = [row[0] for row in table.rows]
    return all(keys) and len(set(keys)) == len(keys) and max(map(len, keys)) <= 40


def stacked(table: Table) -> list[tuple[str, list[int]]]:
    """Return the groups of a table's rows by name, if keys recur from group to group; else empty.

    >>> stacked(Table("", (("Level",), ("To hit",), ("Save",)), (("Day", "", ""), ("1", "9", "7"), ("2", "8", "6"),
    ...     ("Night", "", ""), ("1", "12", "9"), ("2", "11", "8"))))
    [('Day', [1, 2]), ('Night', [4, 5])]
    """
    groups: list[tuple[str, list[int]]] = []
    naming = group_rows(table.rows)
    for place, row in enumerate(table.rows):
        if place in naming:
            groups.append((row[0].strip(" *:"), []))
        elif not groups:
            return []
        else:
            groups[-1][1].append(place)
    keys = [{table.rows[place][0] for place in places} for _, places in groups]
    again = len(keys) > 1 and all(own & other for own, other in pairwise(keys))
    return groups if again else []


def _is_drawn(head: str) -> bool:
    """True for the head of a column drawn by chance, by its notation or by a vocabulary's word."""
    return bool(_BY_CHANCE.match(head)) or phrase(head) in map(phrase, vocabulary().drawn)


def _head(table: Table) -> str:
    return table.columns[0][-1] if table.columns and table.columns[0] else ""


def _form(candidate: Captioned) -> _Form:
    return _Form(phrase(_head(candidate.table)), _pattern(candidate.table), words_of(candidate.names[0]))


def _pattern(table: Table) -> frozenset[tuple[str, ...]]:
    """Return the heads of the other columns without their numbers; an axis of bands (*Level 1-3*, *Level 4-6*) is
    one.
    """
    if all(path and read_label(path[-1]).span is not None for path in table.columns[1:]):
        return frozenset({("#",)})
    return frozenset(
        tuple(dict.fromkeys("#" if is_number(t) or t[0] in "0123456789" else t for t in phrase(" ".join(c))))
        for c in table.columns[1:]
    )


def words_of(caption: str) -> frozenset[str]:
    """Return the distinctive words of a caption: no numbers, and no words that any caption may have."""
    return frozenset(t for t in normal(ENUMERATOR.sub("", caption)) if t not in GENERIC and not is_number(t))


def shared_words(captions: Iterable[str]) -> frozenset[str]:
    """Return the words that all captions share."""
    return frozenset.intersection(*(words_of(caption) for caption in captions))
