"""Names side by side in one table: rows, columns or labels of a list that are called as the things of a question are.

Several names that one table has, each for another line, are hardly there by chance: the table is about them. A line is
called so where the question says all words of its name, in any order, but for what stands in a bracket, what is one of
two ways to say it, and what all of these lines are called (*Tern tickets* and *Gull tickets*).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from agent.reasoning.kinds.member import Value
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import STOP_WORDS, is_number, phrase

MOST_PIECES = 400
"""Pieces of tables that are looked at: those that have most words of the names."""
_MOST_OF_WORD = 2000
"""Tables that a word may be in and tell one of them from others."""
_MOST_KEYS = 100
"""Names that a word may be in and tell one of them from others."""
_LONGEST = 8
"""Words of a cell that may be a name; more are prose."""
_EITHER = re.compile(r"(\w+)\s*/\s*(\w+)")

Piece = tuple[int, Grid]


class Line(NamedTuple):
    """A row of a table, or a column of it, by its place in a piece."""

    number: int
    grid: Grid
    at: int


class Called(NamedTuple):
    """How a name is said: the places of its words in the question, and those of its words that are not said."""

    places: range
    left: frozenset[str]

    @property
    def rank(self) -> tuple[int, int]:
        """Larger is better."""
        return len(self.places), -len(self.left)


class Named(NamedTuple):
    """One of the things: its name, how the question says it, and the lines that have it."""

    name: str
    called: Called
    lines: tuple[Line, ...]


class Measure(NamedTuple):
    """What may be asked of the things: its label, and for each of them the cells that have a value."""

    label: str
    values: tuple[tuple[Value, ...], ...]

    @property
    def texts(self) -> list[str]:
        """The one value of each thing; nothing where one has none, or several."""
        found = [dict.fromkeys(value.text.strip() for value in values) for values in self.values]
        return [next(iter(texts)) for texts in found] if all(len(texts) == 1 for texts in found) else []

    @property
    def plain_texts(self) -> list[str]:
        """The values without what stands in brackets behind them."""
        return [text.partition("(")[0].strip() or text for text in self.texts]


@dataclass(frozen=True)
class Lineup:
    """The things as lines of one table; `kind` says whether these are rows, columns or labels, and `column` is that of
    the names of rows.
    """

    kind: Kind
    pieces: Sequence[Piece]
    things: tuple[Named, ...]
    column: int = 0

    @property
    def grid(self) -> Grid:
        """The first piece."""
        return self.pieces[0][1]

    def measures(self) -> Iterator[Measure]:
        """What the table has values of, for these things."""
        if self.kind is Kind.LABEL:
            yield self._in_column("", 1)
        elif self.kind is Kind.ROW:
            for at, label in enumerate(self.grid.column_labels):
                if at != self.column:
                    yield self._in_column(label, at)
        else:
            for number, grid in self.pieces:
                for at, path in enumerate(grid.row_paths):
                    columns = ((line.at for line in each.lines if line.number == number) for each in self.things)
                    places = (((number, grid, at, column) for column in each) for each in columns)
                    yield _measure(" ".join(path), places)

    def _in_column(self, label: str, column: int) -> Measure:
        """What rows have in a column."""
        return _measure(label, (((*line, column) for line in each.lines) for each in self.things))

    def beside(self) -> Iterator[str]:
        """The other cells of the rows of the things: what they tell of them besides."""
        for each in self.things if self.kind is Kind.ROW else ():
            for _, grid, at in each.lines:
                yield from grid.table.rows[at]
                yield grid.groups[at]


def lineups(question: Tagged, sides: Sequence[range], index: Cells) -> Iterator[Lineup]:
    """The tables that have a line for each of the things, the one with most words of their names first."""
    items = [[(i, question.tokens[i]) for i in side] for side in sides]
    for pieces in _tables(items, index):
        for kind, column, names in _axes(pieces, items):
            things = [_thing(item, names) for item in items]
            lineup = Lineup(kind, pieces, tuple(each for each in things if each is not None), column)
            if None not in things and _is_one_each(lineup):
                yield lineup


def _axes(
    pieces: Sequence[Piece], items: Sequence[Sequence[tuple[int, str]]]
) -> Iterator[tuple[Kind, int, Mapping[str, list[Line]]]]:
    """The names of the lines in each way in which a table may have them."""
    first = pieces[0][1]
    words = {word for item in items for _, word in item}
    if first.table.is_record:
        yield Kind.LABEL, 0, _cells_of(pieces, 0, words)
        return
    yield Kind.COLUMN, 0, _heads_of(pieces)
    for column in range(len(first.column_labels)):
        yield Kind.ROW, column, _cells_of(pieces, column, words)


def _heads_of(pieces: Sequence[Piece]) -> Mapping[str, list[Line]]:
    found: dict[str, list[Line]] = defaultdict(list)
    for number, grid in pieces:
        for at, label in enumerate(grid.column_labels):
            if at:
                found[label].append(Line(number, grid, at))
    return found


def _cells_of(pieces: Sequence[Piece], column: int, words: Collection[str]) -> Mapping[str, list[Line]]:
    """The rows by what they have in a column, of those with one of some words."""
    found: dict[str, list[Line]] = defaultdict(list)
    for number, grid in pieces:
        for at in sorted(grid.facts.rows_with(words)):
            cells = grid.table.rows[at]
            if column < len(cells) and _may_be_name(cells[column]):
                found[cells[column].strip(" *")].append(Line(number, grid, at))
    return found


def _may_be_name(text: str) -> bool:
    """True for a few words of which not all are numbers."""
    said = phrase(text)
    return len(said) <= _LONGEST and not all(map(is_number, said))


def _thing(item: Sequence[tuple[int, str]], names: Mapping[str, list[Line]]) -> Named | None:
    """The lines that an item is called by; None where there are none, or where two names fit alike."""
    called = {name: found for name in names if (found := called_by(item, name)) is not None}
    best = max((found.rank for found in called.values()), default=None)
    alike = [name for name, found in called.items() if found.rank == best]
    if len(set(map(phrase, alike))) != 1:
        return None
    lines = tuple(line for name in alike for line in names[name])
    return Named(alike[0], called[alike[0]], lines)


def called_by(item: Sequence[tuple[int, str]], name: str) -> Called | None:
    """The longest stretch of an item whose words a name has, and what the name has besides; None where it has none.

    >>> said = list(enumerate(["old", "moor", "hen"]))
    >>> called_by(said, "Hen, moor (small)"), called_by(said, "Coot")
    (Called(places=range(1, 3), left=frozenset()), None)
    """
    words = set(phrase(name))
    best = start = 0
    stretch = range(0)
    for n, (place, word) in enumerate(item):
        if word not in words:
            start = n + 1
        elif n + 1 - start > best:
            best, stretch = n + 1 - start, range(item[start][0], place + 1)
    said = {word for place, word in item if place in stretch}
    if said <= STOP_WORDS:
        return None
    return Called(stretch, frozenset(_needed(name, said) - said))


def _needed(name: str, said: Collection[str]) -> set[str]:
    """The words of a name that have to be said: not those in its bracket, nor one of two ways to say it."""
    plain = name.partition("(")[0].strip() or name
    free = {other for pair in _EITHER.findall(plain) for other in _other_of(pair, said)}
    return {word for word in phrase(plain) if word not in STOP_WORDS} - free


def _other_of(pair: Sequence[str], said: Collection[str]) -> Iterator[str]:
    """The words of two ways to say it that are not said, where the others are."""
    one, other = ({*phrase(text)} for text in pair)
    for own, left in ((one, other), (other, one)):
        if own and own <= set(said):
            yield from left


def _is_one_each(lineup: Lineup) -> bool:
    """True for things that each have lines of their own, and whose names have only such words left that all have."""
    if len({frozenset(line[::2] for line in each.lines) for each in lineup.things}) < len(lineup.things):
        return False
    shared = set.intersection(*({*phrase(each.name)} for each in lineup.things))
    return all(each.called.left <= shared for each in lineup.things)


def _measure(label: str, places: Iterable[Iterable[tuple[int, Grid, int, int]]]) -> Measure:
    """What stands under a label in some places of each thing."""
    values: list[tuple[Value, ...]] = []
    for some in places:
        there = (place for place in some if "".join(place[1].table.rows[place[2]][place[3] :][:1]).strip())
        values.append(tuple(Value.of(label, *place) for place in there))
    return Measure(label, tuple(values))


def _tables(items: Sequence[Sequence[tuple[int, str]]], index: Cells) -> Iterator[list[Piece]]:
    """The tables that have a word of each of the items, in their pieces."""
    having = {word: _with(word, index) for item in items for _, word in item if word not in STOP_WORDS}
    counts = Counter(number for numbers in having.values() for number in numbers)
    tables: dict[str, list[Piece]] = defaultdict(list)
    for number, _ in islice(counts.most_common(), MOST_PIECES):
        grid = index.grid(number)
        tables[grid.whole if not grid.table.is_record else f"{number}"].append((number, grid))
    for pieces in tables.values():
        numbers = {number for number, _ in pieces}
        if all(any(not numbers.isdisjoint(having.get(word, ())) for _, word in item) for item in items):
            yield sorted(pieces, key=lambda piece: piece[0])


def _with(word: str, index: Cells) -> frozenset[int]:
    """The tables that have a word in the key of a row, a head, a label or a brief value."""
    keys = index.holders([word])
    rows = index.places(keys, (Kind.ROW,)) if len(keys) <= _MOST_KEYS else []
    heads = [place for name in index.heads_with([word]) for place in index.heads[name]]
    found = frozenset((*grids_of(rows), *grids_of(heads), *index.holding(word)))
    return found if len(found) <= _MOST_OF_WORD else frozenset()
