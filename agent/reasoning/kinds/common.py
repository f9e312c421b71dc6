"""Kinds that a whole book is of: all things of one shape are called so, though only some stand under such a heading.

A book of beers has the chapters *Irish Beer* and *Pale Lager*. A *lager* is one of some, a *beer* each of them: very
many names have the word, and most of those that have the same labels say it, whatever heading they stand under.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.understanding.linking.mentions import is_of_book
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import name_keys
from retrieval.tables.remembered import once_a_collection
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

MOST_TABLES = 4000
"""Tables and records that the members of a kind are looked for in."""
_MOSTLY = 0.6
"""The share of the others that have to say the word."""
_HALF = 0.5
"""The share of things that have a label which is one of their shape, and of these labels that one of it has."""
_FEW = 3
"""Labels by which those of one shape are looked for."""


def of_whole_book(
    asked: Iterable[str], of_book: Collection[str], members: list[Member]
) -> tuple[list[Member], frozenset[str]]:
    """The members, and those words for what is asked for that all of them are called by: where only some of one shape
    stand under a heading with a word of the book, all of that shape are members.
    """
    common = set[str]()
    for word in asked:
        every = _of_one_kind(word, members) if word in of_book else None
        if every is not None:
            members = every
            common.add(word)
    return members, frozenset(common)


def _of_one_kind(word: str, members: Sequence[Member]) -> list[Member] | None:
    """All members of the shape that most of those called by a word have, where most of the others of it say the word;
    None where the word tells some of them from the others.
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
    """The members that have half of the labels which are usual among those that share the commonest label of some."""
    first = next(iter(_commonest(member.texts for member in called)), ())
    having = [member.texts for member in members if first in member.texts]
    counted = Counter(label for labels in having for label in labels)
    shape = [label for label, times in counted.items() if times >= _HALF * len(having)]
    return [each for each in members if shape and sum(label in each.texts for label in shape) >= _HALF * len(shape)]


def _commonest(every: Iterable[Collection[Label]]) -> list[Label]:
    """The labels that several things have, those first that most have."""
    counted = Counter(label for labels in every for label in labels)
    return [label for label, times in counted.most_common() if times >= FEWEST]


@once_a_collection(256)
def of_same_shape(index: Cells, word: str) -> frozenset[int]:
    """The records that have the labels of those that stand under headings with a word of the book."""
    numbers = index.of_kind(word) if is_of_book(word, index) else frozenset[int]()
    called = map(index.grid, sorted(numbers) if len(numbers) <= MOST_TABLES else ())
    found = set[int]()
    for label in _commonest({*map(phrase, grid.labels)} for grid in called if grid.table.is_record)[:_FEW]:
        found |= {*grids_of(index.places(name_keys(" ".join(label))[:1], (Kind.LABEL,)))}
    return frozenset(found)
