"""Bind what is asked of a name to cells: the name chooses tables and rows, numbers choose on axes, words choose labels.

Structure decides. The candidates are the cells that stand under the name, under every number that was given; of these
the words of the question choose the best label. A word that the collection uses as a measure and that no candidate has
contradicts; a word that nobody knows is left over and told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from retrieval.spans import read_label
from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Place
from retrieval.tables.match import (
    Fit,
    beside_numbers,
    context_of,
    fit_label,
    is_told,
    said_words,
    same_word,
    told_by_cells,
)
from retrieval.tables.names import SHORT
from retrieval.tables.writing import Kind
from retrieval.text import number, phrase

_OWNERS = (Kind.TITLE, Kind.SUBJECT, Kind.ROW, Kind.CAPTION, Kind.COLUMN, Kind.HEADING)
"""What a name has to be for cells to be its own; a label is a measure of others."""
MOST_GRIDS = 120
"""Tables that one name may be looked for in."""


@dataclass(frozen=True, slots=True)
class Key:
    """A number that chooses a row or column: the words beside it, and its value as it was written."""

    words: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of one name: the words that say which value, and the numbers that choose it.

    `implied` are the measures that a word may mean: those of *how heavy*.
    """

    name: str
    words: tuple[str, ...]
    keys: tuple[Key, ...] = ()
    implied: Mapping[str, Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Binding:
    """A cell that answers, how well its label fits, and the words that nothing about it tells."""

    cell: Cell
    place: Place
    fit: Fit
    label: str
    unheeded: tuple[str, ...]

    @cached_property
    def rank(self) -> tuple[float, ...]:
        """Larger is better: words heeded, how much of the label was asked for, how near the name is."""
        direct = len(self.fit.label - self.fit.indirect)
        told = len(self.fit.label) + len(self.fit.value)
        return (
            len(self.fit.heeded), float(told > 0), direct, told, self.fit.share,
            -float(self.place.kind), -float(self.place.depth),
        )  # fmt: skip


def candidates(index: Cells, asked: Asked) -> list[Binding]:
    """Every cell under the name and the numbers, the best first."""
    found = [binding for place in _places(index, asked.name) for binding in _at(index, place, asked)]
    return sorted(found, key=lambda binding: binding.rank, reverse=True)


def best(found: Sequence[Binding]) -> list[Binding]:
    """The binding that fits best, with those that fit as well and say something else."""
    if not found:
        return []
    top = found[0].rank
    equal = [binding for binding in found if binding.rank == top]
    texts: dict[tuple[tuple[str, ...], str], Binding] = {}
    for binding in equal:
        texts.setdefault((phrase(binding.label), binding.cell.text), binding)
    return list(texts.values())


def assumed(found: Sequence[Binding], label: str) -> list[Binding]:
    """The candidates of a label that is taken for what is asked, the best first: it tells the words left over.

    Those that leave more words than the best of all did are about something else.
    """
    left = set(found[0].unheeded) if found else set()
    taken = [
        replace(each, fit=replace(each.fit, label=each.fit.label | set(each.unheeded), share=1.0), unheeded=())
        for each in found
        if each.label == label and set(each.unheeded) <= left
    ]
    return sorted(taken, key=lambda binding: binding.rank, reverse=True)


def labels(found: Iterable[Binding]) -> list[str]:
    """The labels of all candidates, each once: what a question in other words may mean.

    Under the head of a column the rows are other things, and none is a measure of it.
    """
    measured = (binding.label for binding in found if binding.place.kind is not Kind.COLUMN)
    return list(dict.fromkeys(label for label in measured if label))


def _places(index: Cells, name: str) -> list[Place]:
    found = [place for place in index.places([name], _OWNERS) if place.grid is not None][:MOST_GRIDS]
    if name.startswith(SHORT) and len({phrase(place.name) for place in found}) > 1:
        return []  # a short form of several names is none of them
    return found


def _at(index: Cells, place: Place, asked: Asked) -> Iterator[Binding]:
    assert place.grid is not None
    grid = index.grid(place.grid)
    matching = _Matching(grid, asked, context_of(grid, place.name))
    for cell, label in _cells(grid, place):
        if all(matching.is_under(cell, key) for key in asked.keys):
            found = matching.fit(cell, label)
            unheeded = tuple(word for word in asked.words if word not in found.heeded)
            yield Binding(cell, place, found, label, unheeded)


class _Matching:
    """What is asked, held against the cells of one table; each label and each line is looked at once."""

    def __init__(self, grid: Grid, asked: Asked, around: frozenset[str]) -> None:
        self._grid, self._asked, self._around = grid, asked, around
        self._labels: dict[str, Fit] = {}
        self._told: dict[int, list[frozenset[str]]] = {}
        self._chosen: dict[tuple[int, Key], frozenset[int]] = {}
        self._head = " ".join(grid.table.columns[0]) if grid.table.columns else ""

    def fit(self, cell: Cell, label: str) -> Fit:
        """How a cell fits the words, by its label, its value and the other cells of its line."""
        asked = self._asked
        if label not in self._labels:
            self._labels[label] = fit_label(asked.words, label, self._around, asked.implied)
        found = self._labels[label]
        rest = [word for word in asked.words if word not in found.label]
        told = found.label | _told_with_numbers(cell, asked.keys)
        value = frozenset(beside_numbers(rest, cell.text)) if rest else frozenset[str]()
        beside = self._beside(cell) - told - value - found.context if rest else frozenset[str]()
        return Fit(told, found.context, value, found.share, beside, found.indirect)

    def _place(self, cell: Cell) -> tuple[int, int]:
        """The line of a cell, all of a record being one, and its place in it."""
        return (0, cell.row) if self._grid.table.is_record else (cell.row, cell.column)

    def _beside(self, cell: Cell) -> frozenset[str]:
        line, own = self._place(cell)
        if line not in self._told:
            self._told[line] = told_by_cells(self._asked.words, self._grid.labelled(line))
        return frozenset[str]().union(*(told for at, told in enumerate(self._told[line]) if at != own))

    def is_under(self, cell: Cell, key: Key) -> bool:
        """True for a cell whose row, column or line holds a number of the question."""
        if any(_holds(part, self._head, key) for part in cell.row_path):
            return True
        if any(_holds(part, "", key) for part in cell.column_path) or _told_with_numbers(cell, (key,)):
            return True
        line, own = self._place(cell)
        if (line, key) not in self._chosen:
            pairs = enumerate(self._grid.labelled(line))
            self._chosen[line, key] = frozenset(at for at, (label, text) in pairs if _chooses(key, label, text))
        return bool(self._chosen[line, key] - {own})


def _cells(grid: Grid, place: Place) -> Iterator[tuple[Cell, str]]:
    """The cells that stand under a name, each with the label that is left to choose it by."""
    for cell in grid.cells():
        if place.kind is Kind.ROW:
            if cell.row == place.at:
                yield cell, cell.column_label
        elif place.kind is Kind.COLUMN:
            if cell.column == place.at:
                yield cell, cell.row_label
        else:
            yield cell, _both(cell, grid)


def _both(cell: Cell, grid: Grid) -> str:
    """What chooses a cell of a whole table: its row and column; numbers are chosen by, and say nothing."""
    rows = cell.row_path[-1:] if grid.table.is_record else cell.row_path[1 if grid.groups[cell.row] else 0 :]
    parts = (*(() if grid.is_single else rows), cell.column_label)
    return " ".join(part for part in parts if part and read_label(part).span is None)


def _chooses(key: Key, label: str, text: str) -> bool:
    """True for a value that is the number, with its word beside it (*3x*) or in its label (*Level* 3)."""
    if any(_is_in(text, key.value, word) for word in key.words):
        return True
    read = read_label(text)
    if read.span is None or number(key.value) not in read.span:
        return False
    return any(is_told(word, (*said_words(label), *read.name)) for word in key.words)


def _told_with_numbers(cell: Cell, keys: Sequence[Key]) -> frozenset[str]:
    """The words that a label has together with a number of the question: the *top* of *Top-1*."""
    if not keys:
        return frozenset()
    labels = (*cell.row_path, *cell.column_path)
    return frozenset(w for key in keys for w in key.words if any(_is_in(part, key.value, w) for part in labels))


@lru_cache(maxsize=65536)
def _is_in(label: str, value: str, word: str) -> bool:
    """True for a label that has the number beside the word: *Top-1 accuracy*."""
    pairs = set(pairwise(phrase(label)))
    return (word, value) in pairs or (value, word) in pairs


@lru_cache(maxsize=65536)
def _holds(label: str, head: str, key: Key) -> bool:
    """True for a label that covers the number, on an axis that the words beside it name."""
    read = read_label(label)
    if read.span is None or number(key.value) not in read.span:
        return False
    axis = (*read.name, *said_words(head))
    return any(same_word(word, other) for word in key.words for other in axis)
