"""Find a table in which each of several alternatives has its own line: a row, a column or a label of a list.

If one table has several of the names, each for another line, that is hardly a coincidence: the table is about them. A
line matches if the question has all words of its name, in any order. Exempt are brackets, one of two spellings, and
words that all of these lines share (*Tern tickets* and *Gull tickets*).
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
"""The most pieces of tables that are searched: those with the most words of the names."""
_MOST_OF_WORD = 2000
"""The most tables that may have a word for it to distinguish tables."""
_MOST_KEYS = 100
"""The most names that may have a word for it to distinguish names."""
_LONGEST = 8
"""The most words of a cell that may be a name; longer texts are prose."""
_EITHER = re.compile(r"(\w+)\s*/\s*(\w+)")

Piece = tuple[int, Grid]


class Line(NamedTuple):
    """A row or a column of a piece of a table, by its place."""

    number: int
    grid: Grid
    at: int


class Called(NamedTuple):
    """How the question states a name: the places of its words in the question, and the words of the name that are
    missing.
    """

    places: range
    left: frozenset[str]

    @property
    def rank(self) -> tuple[int, int]:
        """The sort key, larger is better."""
        return len(self.places), -len(self.left)


class Named(NamedTuple):
    """One of the alternatives: its name, how the question states it, and its lines."""

    name: str
    called: Called
    lines: tuple[Line, ...]


class Measure(NamedTuple):
    """A label under which all alternatives may have values, with the cells of each."""

    label: str
    values: tuple[tuple[Value, ...], ...]

    @property
    def texts(self) -> list[str]:
        """The single value of each alternative; empty if one has none, or several."""
        found = [dict.fromkeys(value.text.strip() for value in values) for values in self.values]
        return [next(iter(texts)) for texts in found] if all(len(texts) == 1 for texts in found) else []

    @property
    def plain_texts(self) -> list[str]:
        """The values without the brackets behind them."""
        return [text.partition("(")[0].strip() or text for text in self.texts]


@dataclass(frozen=True)
class Lineup:
    """The alternatives as lines of one table: `kind` says whether these are rows, columns or labels, and `column` is
    the one with the names of rows.
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
        """Yield each label with the values of the alternatives."""
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
        """Return the values of the rows in a column."""
        return _measure(label, (((*line, column) for line in each.lines) for each in self.things))

    def beside(self) -> Iterator[str]:
        """Yield all cells and group names of the alternatives' rows."""
        for each in self.things if self.kind is Kind.ROW else ():
            for _, grid, at in each.lines:
                yield from grid.table.rows[at]
                yield grid.groups[at]


def lineups(question: Tagged, sides: Sequence[range], index: Cells) -> Iterator[Lineup]:
    """Yield the tables with a line for each alternative, those with most words of the names first."""
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
    """Yield the names of the lines for each axis that may hold them."""
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
    """Return the rows that have one of the words, by their text in a column."""
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
    """Return the lines with the name of an alternative; None if there are none, or if two names tie."""
    called = {name: found for name in names if (found := called_by(item, name)) is not None}
    best = max((found.rank for found in called.values()), default=None)
    alike = [name for name, found in called.items() if found.rank == best]
    if len(set(map(phrase, alike))) != 1:
        return None
    lines = tuple(line for name in alike for line in names[name])
    return Named(alike[0], called[alike[0]], lines)


def called_by(item: Sequence[tuple[int, str]], name: str) -> Called | None:
    """Return the longest run of words of an alternative that a name has, and the other words of the name; None if it
    has none.

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
    """Return the words of a name that the question has to have: not those in its bracket, nor one of two spellings."""
    plain = name.partition("(")[0].strip() or name
    free = {other for pair in _EITHER.findall(plain) for other in _other_of(pair, said)}
    return {word for word in phrase(plain) if word not in STOP_WORDS} - free


def _other_of(pair: Sequence[str], said: Collection[str]) -> Iterator[str]:
    """Yield the words of one spelling if all words of the other are in the question."""
    one, other = ({*phrase(text)} for text in pair)
    for own, left in ((one, other), (other, one)):
        if own and own <= set(said):
            yield from left


def _is_one_each(lineup: Lineup) -> bool:
    """True if each alternative has lines of its own, and only words that all names share are missing."""
    if len({frozenset(line[::2] for line in each.lines) for each in lineup.things}) < len(lineup.things):
        return False
    shared = set.intersection(*({*phrase(each.name)} for each in lineup.things))
    return all(each.called.left <= shared for each in lineup.things)


def _measure(label: str, places: Iterable[Iterable[tuple[int, Grid, int, int]]]) -> Measure:
    """Return the non-empty values under a label, at some places of each alternative."""
    values: list[tuple[Value, ...]] = []
    for some in places:
        there = (place for place in some if "".join(place[1].table.rows[place[2]][place[3] :][:1]).strip())
        values.append(tuple(Value.of(label, *place) for place in there))
    return Measure(label, tuple(values))


def _tables(items: Sequence[Sequence[tuple[int, str]]], index: Cells) -> Iterator[list[Piece]]:
    """Yield the tables with a word of each alternative, in pieces."""
    having = {word: _with(word, index) for item in items for _, word in item if word not in STOP_WORDS}
    counts = Counter(number for numbers in having.values() for number in numbers)
    tables: dict[str, list[Piece]] = defaultdict(list)
    for number, _ in islice(counts.most_common(), MOST_PIECES):
        grid = index.grid(number)
        tables[grid.table_id if not grid.table.is_record else f"{number}"].append((number, grid))
    for pieces in tables.values():
        numbers = {number for number, _ in pieces}
        if all(any(not numbers.isdisjoint(having.get(word, ())) for _, word in item) for item in items):
            yield sorted(pieces, key=lambda piece: piece[0])


def _with(word: str, index: Cells) -> frozenset[int]:
    """Return the tables with a word in a row key, a header, a label or a short value."""
    keys = index.names_with_words([word])
    rows = index.places(keys, (Kind.ROW,)) if len(keys) <= _MOST_KEYS else []
    heads = [place for name in index.heads_with([word]) for place in index.heads[name]]
    found = frozenset((*grids_of(rows), *grids_of(heads), *index.holding(word)))
    return found if len(found) <= _MOST_OF_WORD else frozenset()
