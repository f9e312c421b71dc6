"""Bind what is asked of a name to cells: the name chooses tables and rows, numbers choose on axes, words choose labels.

Structure decides. The candidates are the cells that stand under the name, under every number that was given; of these
the words of the question choose the best label. A word that the collection uses as a measure and that no candidate has
contradicts; a word that nobody knows is left over and told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from operator import attrgetter
from typing import NamedTuple

from retrieval.spans import read_label
from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Kind, Place
from retrieval.tables.match import Fit, Wording, said_words, same_word
from retrieval.tables.names import SHORT
from retrieval.text import number, phrase

_OWNERS = (Kind.TITLE, Kind.SUBJECT, Kind.ROW, Kind.CAPTION, Kind.COLUMN, Kind.HEADING)
"""What a name has to be for cells to be its own; a label is a measure of others."""
MOST_GRIDS = 120
"""Tables that one name may be looked for in."""
_RANK = attrgetter("rank")
_NONE = frozenset[str]()


@dataclass(frozen=True, slots=True)
class Key:
    """A number that chooses a row or column: the words beside it, and its value as it was written."""

    words: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of one name: the words that say which value, and the numbers that choose it."""

    name: str
    words: tuple[str, ...]
    keys: tuple[Key, ...] = ()


class Binding(NamedTuple):
    """A cell that answers, how well its label fits, and the words and numbers that nothing about it tells.

    A larger rank is better: numbers heeded, words heeded, how much of the label was asked for, how near the name is.
    A tuple, for a question makes thousands of them; the cell itself is made for the few that are looked at.
    """

    rank: tuple[float, ...]
    grid: Grid
    row: int
    column: int
    place: Place
    fit: Fit
    label: str
    unheeded: tuple[str, ...]
    open_keys: tuple[Key, ...]

    @property
    def cell(self) -> Cell:
        """The cell with all that stands around it."""
        return self.grid.cell(self.row, self.column)

    @property
    def text(self) -> str:
        """What the cell says."""
        return self.grid.table.rows[self.row][self.column]


def candidates(index: Cells, asked: Asked) -> list[Binding]:
    """Every cell under the name and the numbers, the best first."""
    search = _Search(asked)
    found = [binding for grid, place in _places(index, asked.name) for binding in search.at(grid, place)]
    return sorted(found, key=_RANK, reverse=True)


def best(found: Sequence[Binding]) -> list[Binding]:
    """Of bindings in the order of their rank the first, with those that fit as well and say something else."""
    texts: dict[tuple[tuple[str, ...], str], Binding] = {}
    for binding in takewhile(lambda each: each.rank == found[0].rank, found):
        texts.setdefault((phrase(binding.label), binding.text), binding)
    return list(texts.values())


def assumed(found: Sequence[Binding], label: str) -> list[Binding]:
    """The candidates of a label that is taken for what is asked, the best first: it tells the words left over."""
    taken = [_taken(each) for each in found if each.label == label]
    return sorted(taken, key=_RANK, reverse=True)


def _taken(binding: Binding) -> Binding:
    fit = replace(binding.fit, label=binding.fit.label | set(binding.unheeded), share=1.0)
    return binding._replace(rank=_rank(fit, binding.place, binding.open_keys), fit=fit, unheeded=())


def _rank(fit: Fit, place: Place, open_keys: Sequence[Key]) -> tuple[float, ...]:
    return (-len(open_keys), *_quality(fit), -place.kind, -place.depth)


def _quality(fit: Fit) -> tuple[float, ...]:
    direct = len(fit.label) + len(fit.value)
    return len(fit.heeded), direct > 0, direct, fit.share


def labels(found: Iterable[Binding]) -> list[str]:
    """The labels of all candidates, each once: what a question in other words may mean.

    Under the head of a column the rows are other things, and none is a measure of it.
    """
    measured = (binding.label for binding in found if binding.place.kind is not Kind.COLUMN)
    return list(dict.fromkeys(label for label in measured if label))


def _places(index: Cells, name: str) -> list[tuple[Grid, Place]]:
    found = [(place.grid, place) for place in index.places([name], _OWNERS) if place.grid is not None][:MOST_GRIDS]
    if name.startswith(SHORT) and len({phrase(place.name) for _, place in found}) > 1:
        return []  # a short form of several names is none of them
    return [(index.grid(number), place) for number, place in found]


class _Search:
    """What is asked, compared once with each label, each value and each number that the cells have."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._wording = asked, Wording(asked.words)
        self._fits: dict[tuple[object, ...], tuple[Fit, tuple[str, ...], tuple[float, ...]]] = {}
        self._held: dict[tuple[tuple[str, ...], str], _Held] = {}
        self._open: dict[frozenset[int], tuple[Key, ...]] = {}

    def at(self, grid: Grid, place: Place) -> Iterator[Binding]:
        """The cells under a name."""
        context = self._wording.told_by(grid.context.difference(phrase(place.name)))
        nearness = (-place.kind, -place.depth)
        for row, column, label in _cells(grid, place):
            open_keys, told = self._numbers(grid, row, column) if self._asked.keys else ((), _NONE)
            fit, unheeded, quality = self._fitted(label, context, grid.table.rows[row][column], told)
            rank = (-len(open_keys), *quality, *nearness)
            yield Binding(rank, grid, row, column, place, fit, label, unheeded, open_keys)

    def _fitted(
        self, label: str, context: frozenset[str], text: str, told: frozenset[str]
    ) -> tuple[Fit, tuple[str, ...], tuple[float, ...]]:
        """How a cell fits, the words that it leaves over, and what that is worth."""
        own, share = self._wording.label(label)
        value = self._wording.value(text, own)
        key = (label, context, value, told)
        known = self._fits.get(key)
        if known is None:
            fit = Fit(own | told, context - own, value, share)
            heeded = fit.heeded
            unheeded = tuple(word for word in self._asked.words if word not in heeded)
            known = self._fits[key] = fit, unheeded, _quality(fit)
        return known

    def _numbers(self, grid: Grid, row: int, column: int) -> tuple[tuple[Key, ...], frozenset[str]]:
        """The numbers of the question that neither row nor column holds, and the words that are told with numbers."""
        head = grid.column_labels[0] if grid.column_labels else ""
        in_row = self._held_by(grid.row_path(row, column), head)
        in_column = self._held_by(grid.table.columns[column], "")
        held = in_row.keys | in_column.keys
        open_keys = self._open.get(held)
        if open_keys is None:
            open_keys = tuple(key for number, key in enumerate(self._asked.keys) if number not in held)
            self._open[held] = open_keys
        return open_keys, in_row.words | in_column.words

    def _held_by(self, path: tuple[str, ...], head: str) -> _Held:
        known = self._held.get((path, head))
        if known is None:
            known = self._held[path, head] = _Held.by(path, head, self._asked.keys)
        return known


@dataclass(frozen=True, slots=True)
class _Held:
    """Which numbers of a question a row or column holds, from 0, and the words that it has beside one of them."""

    keys: frozenset[int]
    words: frozenset[str]

    @classmethod
    def by(cls, path: tuple[str, ...], head: str, keys: Sequence[Key]) -> _Held:
        """What the labels of a path hold, under the head of the row's key."""
        told = [_told_with(key, path) for key in keys]
        held = [n for n, key in enumerate(keys) if told[n] or any(_holds(part, head, key) for part in path)]
        return cls(frozenset(held), _NONE.union(*told))


def _cells(grid: Grid, place: Place) -> Iterator[tuple[int, int, str]]:
    """Where the values under a name stand, each with the label that is left to choose it by."""
    if place.kind is Kind.ROW:
        for row, column in grid.places(row=place.at):
            yield row, column, grid.column_labels[column]
    elif place.kind is Kind.COLUMN:
        for row, column in grid.places(column=place.at):
            yield row, column, (grid.row_path(row, column) or ("",))[-1]
    else:
        rows, columns = _row_texts(grid), [_without_numbers((label,)) for label in grid.column_labels]
        for row, column in grid.places():
            yield row, column, " ".join(filter(None, (rows[row], columns[column])))


def _row_texts(grid: Grid) -> list[str]:
    """What chooses the rows of a whole table, the names of their groups aside."""
    if grid.is_single:
        return [""]
    if grid.table.is_record:
        return [_without_numbers(path[-1:]) for path in grid.row_paths]
    paths = zip(grid.row_paths, grid.groups, strict=True)
    return [_without_numbers(path[1 if group else 0 :]) for path, group in paths]


def _without_numbers(labels: Sequence[str]) -> str:
    """Labels in one line; numbers are chosen by, and say nothing."""
    return " ".join(label for label in labels if label and read_label(label).span is None)


def _told_with(key: Key, labels: Sequence[str]) -> frozenset[str]:
    """The words that labels have together with a number of the question: the *top* of *Top-1*."""
    return frozenset(word for word in key.words if any(_is_in(label, key, word) for label in labels))


def _is_in(label: str, key: Key, word: str) -> bool:
    """True for a label that has the number beside the word: *Top-1 accuracy*."""
    pairs = set(pairwise(phrase(label)))
    return (word, key.value) in pairs or (key.value, word) in pairs


def _holds(label: str, head: str, key: Key) -> bool:
    """True for a label that covers the number, on an axis that the words beside it name."""
    read = read_label(label)
    if read.span is None or number(key.value) not in read.span:
        return False
    axis = (*read.name, *said_words(head))
    return any(same_word(word, other) for word in key.words for other in axis)
