"""Kinds that a whole book is about: all entities of one shape belong, though only some are under such a heading.

A book of beers has the chapters *Irish Beer* and *Pale Lager*. Only some entries are *lagers*, but all are *beers*:
very many names have that word, and most entries with the same labels have it, whatever their heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.understanding.linking.mentions import is_topic_word
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.match import matches_any
from retrieval.tables.names import name_keys
from retrieval.tables.remembered import cached_by_collection
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

MOST_TABLES = 4000
"""The most tables and records in which members of a kind are searched for."""
_MOSTLY = 0.6
"""The share of the other members that must have the word."""
_HALF = 0.5
"""The share of members with a label that makes it usual for their shape, and the share of these labels that a member of
the shape must have.
"""
_FEW = 3
"""The number of labels by which records of one shape are searched for."""


def of_whole_book(
    asked: Iterable[str], of_book: Collection[str], members: list[Member]
) -> tuple[list[Member], frozenset[str]]:
    """Return the members, and the words of the asked noun phrase that all of them match. If only some members of a
    shape are under a heading with a word of the book, all members of the shape are returned.
    """
    common = set[str]()
    for word in asked:
        every = _of_one_kind(word, members) if word in of_book else None
        if every is not None:
            members = every
            common.add(word)
    return members, frozenset(common)


def _of_one_kind(word: str, members: Sequence[Member]) -> list[Member] | None:
    """Return all members with the shape of those that match a word, if most of the others contain it; None if the word
    distinguishes members.
    """
    called = {member for member in members if member.is_called(word)}
    if not called or len(called) == len(members):
        return None
    alike = _of_shape(called, members)
    others = [member for member in alike if member not in called]
    is_said = sum(member.may_hold(word) for member in others) >= _MOSTLY * len(others)
    is_most = len(alike) > len(called.difference(alike))
    return alike if len(others) >= FEWEST and is_said and is_most else None


def _of_shape(called: Collection[Member], members: Sequence[Member]) -> list[Member]:
    """Return the members that have half of the labels that are usual among those with the commonest label of some."""
    first = next(iter(_commonest(member.texts for member in called)), ())
    having = [member.texts for member in members if first in member.texts]
    counted = Counter(label for labels in having for label in labels)
    shape = [label for label, times in counted.items() if times >= _HALF * len(having)]
    return [each for each in members if shape and sum(label in each.texts for label in shape) >= _HALF * len(shape)]


def _commonest(every: Iterable[Collection[Label]]) -> list[Label]:
    """Return the labels that several members have, the most frequent first."""
    counted = Counter(label for labels in every for label in labels)
    return [label for label, times in counted.most_common() if times >= FEWEST]


@cached_by_collection(256)
def of_same_shape(index: Cells, word: str) -> frozenset[int]:
    """Return the records that share labels with those under headings with a word that the book is about."""
    numbers = index.of_kind(word) if is_topic_word(word, index) else frozenset[int]()
    called = map(index.grid, sorted(numbers) if len(numbers) <= MOST_TABLES else ())
    found = set[int]()
    for label in _commonest({*map(phrase, grid.labels)} for grid in called if grid.table.is_record)[:_FEW]:
        found |= {*grids_of(index.places(name_keys(" ".join(label))[:1], (Kind.LABEL,)))}
    return frozenset(found)


def is_called_so(label: Label, words: Label) -> bool:
    """True if a label and some words match each other completely."""
    return all(matches_any(word, label) for word in words) and all(matches_any(word, words) for word in label)


def are_listed_under(sort: str, names: Iterable[str], index: Cells) -> bool:
    """True if a column with this header has several of the names, or half of two: what is lent as an *Object* is an
    object.
    """
    texts = set[Label]()
    for place in index.places([sort], (Kind.COLUMN,)) if sort else ():
        grid = index.grid(place.grid) if place.grid is not None else None
        if grid is not None and place.at is not None and not grid.table.is_record:
            texts |= {phrase(row[place.at]) for row in grid.table.rows if row[place.at :]}
    own = frozenset(said for said in map(phrase, names) if any(not is_number(word) and word != sort for word in said))
    return len(texts & own) >= min(FEWEST, (len(own) + 1) // 2) > 0
