"""Which column headers a sentence names, and which of its numbers stand in the named column."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from agent.writing.cells.positions import Position, columns_of, rows_of
from agent.writing.texts.claims import (
    Mention,
    ParsedSentence,
    in_full,
    label_mentions,
    mention_assignments,
    part_at,
    windows,
    words_of,
)
from agent.writing.texts.facts import is_content_word
from agent.writing.texts.units import TIMES
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import normal
from retrieval.types import Table

_AGAINST = ("against", "to", "vs", "versus")
_BRACKETED = re.compile(r"\(([^()]*)\)")
_LONG = 4
"""Fewest letters of a word that may stand for a header."""


class Heads:
    """The headers of a table's columns except its `axes`, and the cells that stand for their columns."""

    def __init__(self, table: Table, axes: Collection[int], aliases: Sequence[tuple[Position, str]]) -> None:
        self._columns, self._aliases = table.columns, aliases
        self._words = {c: _alternatives(head) for c, head in enumerate(table.columns) if c not in axes}

    def named(self, sentence: ParsedSentence) -> Iterator[Column]:
        """Yield the mentions of worded column headers, and of cells that stand for their column."""
        has_factor = any(each.unit == TIMES for each in sentence.told)
        said_words = sentence.words - {TIMES} if has_factor else sentence.words
        said_parts = list(filter(said_words.issuperset, chain.from_iterable(self._words.values())))
        for c, parts in self._words.items():
            others = self._words_of_others(c)
            for part in parts:
                shared = part & said_words
                is_named = bool(part) and shared == part and not any(part < longer for longer in said_parts)
                if is_named or (shared - others and 2 * len(shared) >= len(part)):
                    same = self._meant_by(c, part) if is_named else frozenset({c})
                    for place in windows(sentence.tokens, shared):
                        yield Column(place, same, is_whole=is_named)
        yield from self._by_letters(sentence)
        yield from self._by_cells(sentence)

    def _words_of_others(self, column: int) -> frozenset[str]:
        """Return the words of all headers but one."""
        found: set[str] = set()
        for other, parts in self._words.items():
            if other != column:
                found.update(*parts)
        return frozenset(found)

    def _meant_by(self, named: int, part: frozenset[str]) -> frozenset[int]:
        """Return the columns that the name of one may mean."""
        return frozenset(c for c in self._words if c == named or self._may_mean(c, named, part))

    def _by_cells(self, sentence: ParsedSentence) -> Iterator[Column]:
        """Yield the mentions of cells that stand for their column."""
        labels = [(i, "", cell) for i, (_, cell) in enumerate(self._aliases)]
        for mention in in_full(label_mentions(labels, sentence)):
            for i in mention.meant:
                (row, column), _ = self._aliases[i]
                yield Column(mention.place, frozenset({column}), row)

    def _may_mean(self, column: int, named: int, part: frozenset[str]) -> bool:
        """True if a column has all words of another's name, and is not just an extension of it: *Premium Plus*."""
        own, name = self._name_of(column), self._name_of(named)
        is_longer = len(own) > len(name) and own[: len(name)] == name and words_of(" ".join(name)) == part
        return not is_longer and any(part <= other for other in self._words[column])

    def _name_of(self, column: int) -> Sequence[str]:
        """Return the tokens of a header's last part, without brackets."""
        return normal(without_brackets("".join(self._columns[column][-1:])))

    def _by_letters(self, sentence: ParsedSentence) -> Iterator[Column]:
        """Yield the mentions of headers by the letters behind *vs*: *Damage vs L*, *large foes*."""
        for c, path in enumerate(self._columns):
            _, against, behind = "".join(path[-1:]).partition(" vs ")
            letters = {token for token in normal(behind) if len(token) == 1 and token.isalpha()} if against else set()
            for i, token in enumerate(sentence.tokens[1:], start=1):
                if token[:1] in letters and sentence.tokens[i - 1] in _AGAINST:
                    yield Column(i, frozenset({c}))


@dataclass(frozen=True, slots=True)
class Column:
    """A mention of a column, of one of several with the same name, or of a cell, which also has a row."""

    place: int
    columns: frozenset[int]
    row: int | None = None
    is_whole: bool = True

    @property
    def is_alone(self) -> bool:
        """True for the whole name of one column."""
        return self.is_whole and len(self.columns) == 1

    def has(self, cells: frozenset[Position]) -> bool:
        return self.row in rows_of(cells) or not self.columns.isdisjoint(columns_of(cells))


def in_order(
    held: dict[int, frozenset[Position]], names: Sequence[Column], clauses: Sequence[int]
) -> dict[int, frozenset[Position]]:
    """Return the supported numbers that fit the named columns.

    If several columns are named, a number belongs to the one that it counts, *4 rooms*, to that of its clause, or to
    one by order.
    """
    telling = [place for place, cells in held.items() if _is_telling(place, cells, names)]
    mentions = [Mention(each.place, frozenset({i})) for i, each in enumerate(names)]
    best = {place for place in telling if _is_of_its_clause(place, held[place], names, clauses)}
    for way in mention_assignments(mentions, telling):
        fitting = set()
        for place, mention in zip(telling, way, strict=True):
            (meant,) = mention.meant
            if names[meant].has(held[place]):
                fitting.add(place)
        best = max(best, fitting, key=len)
    return {place: cells for place, cells in held.items() if place in best or place not in telling}


def _is_telling(place: int, cells: frozenset[Position], names: Sequence[Column]) -> bool:
    """True if some of the named columns have a number and some do not, unless it counts one of those that have it."""
    having = [each for each in names if each.has(cells)]
    return 0 < len(having) < len(names) and all(each.place != place + 1 for each in having)


def _is_of_its_clause(place: int, cells: frozenset[Position], names: Sequence[Column], clauses: Sequence[int]) -> bool:
    """True if all columns that a clause names have its number; a clause may name none: *and does 1d6*."""
    clause = part_at(place, clauses, place + 1 + max(each.place for each in names))
    return all(each.has(cells) for each in names if each.place in clause)


def without_strays(
    held: dict[int, frozenset[Position]], names: Sequence[Column], clauses: Sequence[int]
) -> dict[int, frozenset[Position]]:
    """Return the supported numbers without those next to the name of a column that has none of them; in its clause, if
    this has numbers.
    """
    sure: set[int] = set()
    unsure: set[int] = set()
    for each in names:
        clause = part_at(each.place, clauses, each.place + max(held, default=0) + 1)
        beside = list(_beside(each.place, held.keys() & clause or held))
        holding = [place for place in beside if each.has(held[place])]
        (sure if holding else unsure).update(holding or beside)
    return {place: cells for place, cells in held.items() if place in sure or place not in unsure}


def _beside(place: int, others: Iterable[int]) -> Iterator[int]:
    """Yield the nearest of other places before a place, and the nearest behind it.

    >>> list(_beside(5, (1, 4, 9, 7))), list(_beside(5, (1, 4)))
    ([4, 7], [4])
    """
    ordered = sorted(others)
    yield from ordered[: bisect_left(ordered, place)][-1:]
    yield from ordered[bisect_right(ordered, place) :][:1]


def named_spans(heads: Sequence[str], spans: Iterable[int]) -> set[int]:
    """Return the columns with a number in their header whose words no other header has.

    >>> named_spans(("Fee", "Child to 14", "Level 1-3", "Level 4-6"), (1, 2, 3))
    {1}
    """
    found = set()
    for c in spans:
        own = frozenset(filter(is_content_word, read_label(heads[c]).name))
        others = chain.from_iterable(map(normal, (*heads[:c], *heads[c + 1 :])))
        if own and own.isdisjoint(others):
            found.add(c)
    return found


def _alternatives(head: tuple[str, ...]) -> list[frozenset[str]]:
    """Return the words of a header, and of each item that it lists; brackets are not part of its name.

    >>> [sorted(each) for each in _alternatives(("Saving Throw", "Death, Paralysis, Poison"))]
    [['death', 'paralysis', 'poison'], ['death'], ['paralysis'], ['poison']]
    """
    own = without_brackets(head[-1]) if head else ""
    listed = re.split(r"[,;]", own)
    words = words_of(own or "".join(head)) or frozenset(filter(is_content_word, read_label(own).name))
    return [words, *map(words_of, listed)] if len(listed) > 1 else [words]


@lru_cache(maxsize=1024)
def bracketed(head: str) -> frozenset[str]:
    """Return the first word of each bracket in a header, which may be a unit: *Speed (km/h)*.

    >>> sorted(bracketed("Rate (MHz)")), sorted(bracketed("Rate"))
    (['mhz'], [])
    """
    return frozenset(next(iter(normal(each)), "") for each in _BRACKETED.findall(head)) - {""}


def without_brackets(text: str) -> str:
    """Return a text without its brackets."""
    return re.sub(r"\([^)]*\)", " ", text)
