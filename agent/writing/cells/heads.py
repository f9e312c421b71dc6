"""Which column headers a sentence names, and which of its numbers stand in the named column."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.writing.texts.claims import Mention, ParsedSentence, label_mentions, mention_assignments, windows, words_of
from agent.writing.texts.facts import is_content_word
from agent.writing.texts.units import TIMES
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import normal
from retrieval.types import Table

Position = tuple[int, int]
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
        own = self._words
        said_words = sentence.words - {each[0].unit for each in sentence.numbers if each[0].unit == TIMES}
        for c, words in own.items():
            others = frozenset(word for other, each in own.items() if other != c for part in each for word in part)
            for part in words:
                shared = part & said_words
                is_hidden = any(part < longer <= said_words for each in own.values() for longer in each)
                is_named = bool(part) and shared == part and not is_hidden
                if is_named or (shared - others and 2 * len(shared) >= len(part)):
                    same = frozenset(o for o in own if is_named and self._may_mean(o, c, part))
                    places = windows(sentence.tokens, shared)
                    yield from (Column(place, same | {c}, is_whole=is_named) for place in places)
        yield from self._by_letters(sentence)
        for mention in label_mentions([(i, "", cell) for i, (_, cell) in enumerate(self._aliases)], sentence):
            for row, column in (self._aliases[i][0] for i in mention.meant if mention.is_whole):
                yield Column(mention.place, frozenset({column}), row)

    def _may_mean(self, column: int, named: int, part: frozenset[str]) -> bool:
        """True if a column has all words of another's name, and is not just an extension of it: *Premium Plus*."""
        own, name = (normal(without_brackets("".join(self._columns[c][-1:]))) for c in (column, named))
        is_longer = len(own) > len(name) and own[: len(name)] == name and words_of(" ".join(name)) == part
        return not is_longer and any(part <= other for other in self._words[column])

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
        return any(c in self.columns or r == self.row for r, c in cells)


def in_order(
    held: dict[int, frozenset[Position]], names: Sequence[Column], clauses: Sequence[int]
) -> dict[int, frozenset[Position]]:
    """Return the supported numbers that fit the named columns.

    If several columns are named, a number belongs to the one that it counts, *4 rooms*, to that of its clause, or to
    one by order.
    """
    telling = [place for place, cells in held.items() if 0 < sum(each.has(cells) for each in names) < len(names)]
    counted = {place for place in telling if any(each.place == place + 1 and each.has(held[place]) for each in names)}
    telling = [place for place in telling if place not in counted]
    mentions = [Mention(each.place, frozenset({i})) for i, each in enumerate(names)]
    best = {place for place in telling if _is_of_its_clause(place, held[place], names, clauses)}
    for way in mention_assignments(mentions, telling):
        meant = [names[i] for each in way for i in each.meant]
        fitting = {place for place, name in zip(telling, meant, strict=True) if name.has(held[place])}
        best = max(best, fitting, key=len)
    return {place: cells for place, cells in held.items() if place in best or place not in telling}


def _is_of_its_clause(place: int, cells: frozenset[Position], names: Sequence[Column], clauses: Sequence[int]) -> bool:
    """True if all columns that a clause names have its number; a clause may name none: *and does 1d6*."""
    starts = sorted({0, *clauses})
    start = max(each for each in starts if each <= place)
    end = min((each for each in starts if each > place), default=place + 1 + max(each.place for each in names))
    own = [each for each in names if start <= each.place < end]
    return all(each.has(cells) for each in own)


def without_strays(
    held: dict[int, frozenset[Position]], names: Sequence[Column], clauses: Sequence[int]
) -> dict[int, frozenset[Position]]:
    """Return the supported numbers without those next to the name of a column that has none of them; in its clause, if
    this has numbers.
    """
    sure: set[int] = set()
    unsure: set[int] = set()
    for each in names:
        start = max(begin for begin in (0, *clauses) if begin <= each.place)
        end = min((begin for begin in clauses if begin > each.place), default=each.place + max(held, default=0) + 1)
        near = [place for place in held if start <= place < end] or list(held)
        before = max((place for place in near if place < each.place), default=None)
        behind = min((place for place in near if place > each.place), default=None)
        beside = [place for place in (before, behind) if place is not None]
        holding = [place for place in beside if each.has(held[place])]
        (sure if holding else unsure).update(holding or beside)
    return {place: cells for place, cells in held.items() if place in sure or place not in unsure}


def named_spans(heads: Sequence[str], spans: Iterable[int]) -> set[int]:
    """Return the columns with a number in their header whose words no other header has.

    >>> named_spans(("Fee", "Child to 14", "Level 1-3", "Level 4-6"), (1, 2, 3))
    {1}
    """
    words = [frozenset(normal(head)) for head in heads]
    found = set()
    for c in spans:
        own = frozenset(filter(is_content_word, read_label(heads[c]).name))
        if own and all(own.isdisjoint(other) for at, other in enumerate(words) if at != c):
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
    return [words, *(words_of(each) for each in listed if len(listed) > 1)]


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
