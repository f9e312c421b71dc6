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
from typing import NamedTuple

from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Place
from retrieval.tables.match import Fit, beside_numbers, is_told, said_words, same_word, told_by_cells
from retrieval.tables.names import SHORT
from retrieval.tables.wording import LabelFit, Wording
from retrieval.tables.writing import Kind
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import number, phrase

_OWNERS = (Kind.TITLE, Kind.SUBJECT, Kind.ROW, Kind.CAPTION, Kind.COLUMN, Kind.HEADING, Kind.ROLE)
"""What a name has to be for cells to be its own; a label is a measure of others."""
_NONE = frozenset[str]()
_NOWHERE = frozenset[int]()
_NEARLY_ALL = 0.9
"""The share of a label from which it is what was asked for."""
MOST_GRIDS = 120
"""Tables that one name may be looked for in."""


@dataclass(frozen=True, slots=True)
class Key:
    """A number that chooses a row or column: the words beside it, and its value as it was written.

    With `alone` nothing behind it says what it is one of, so that it may choose on the only axis of numbers that there
    is; one without words does.
    """

    words: tuple[str, ...]
    value: str
    alone: bool = False


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
    """A cell that answers, how well its label fits, and the words that nothing about it tells.

    A question makes thousands of them; the cell itself is made for the few that are looked at.
    """

    grid: Grid
    row: int
    column: int
    place: Place
    fit: Fit
    label: str
    unheeded: tuple[str, ...]

    @cached_property
    def cell(self) -> Cell:
        """The cell with all that stands around it."""
        return self.grid.cell(self.row, self.column)

    @property
    def text(self) -> str:
        """What the cell says."""
        return self.grid.table.rows[self.row][self.column]

    @cached_property
    def rank(self) -> tuple[float, ...]:
        """Larger is better: how well it fits, how near the name is."""
        return (*self.fit.quality, -float(self.place.kind), -float(self.place.depth))


def candidates(index: Cells, asked: Asked) -> list[Binding]:
    """Every cell under the name and the numbers, the best first."""
    places = _places(index, asked.name)
    search = _Search(replace(asked, keys=_keys_here(index, asked.keys, places)))
    found = [binding for place in places for binding in search.at(place, index)]
    return sorted(found, key=lambda binding: binding.rank, reverse=True)


def best(found: Sequence[Binding]) -> list[Binding]:
    """The binding that fits best, with those that fit as well and say something else."""
    if not found:
        return []
    equal = [each for each in found if each.rank == found[0].rank or _is_variant(each, found[0])]
    texts: dict[tuple[tuple[str, ...], str], Binding] = {}
    for binding in equal:
        texts.setdefault((phrase(binding.label), binding.text), binding)
    return list(texts.values())


def _is_variant(binding: Binding, top: Binding) -> bool:
    """True for a cell of the same line whose label tells the same words, where both labels have more than these: the
    *Damage vs L* beside the *Damage vs S or M*.
    """
    if binding.grid is not top.grid or max(binding.fit.share, top.fit.share) >= _NEARLY_ALL or not top.fit.label:
        return False
    if binding.row != top.row and not top.grid.table.is_record:
        return False
    is_alike = binding.fit.label == top.fit.label and binding.place == top.place
    return is_alike and replace(binding.fit, share=0.0).quality == replace(top.fit, share=0.0).quality


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


def _keys_here(index: Cells, keys: Sequence[Key], places: Sequence[Place]) -> tuple[Key, ...]:
    """The numbers, without words that say nothing here: those that neither the tables of the name nor any head know."""
    if not any(key.alone for key in keys):
        return tuple(keys)
    grids = [index.grid(place.grid) for place in places if place.grid is not None]
    return tuple(replace(key, words=()) if key.alone and not _is_told_here(key, grids, index) else key for key in keys)


def _is_told_here(key: Key, grids: Sequence[Grid], index: Cells) -> bool:
    """True where some word beside a number says here what it is one of."""
    told = any(grid.forms.of(word) for grid in grids for word in key.words)
    told = told or any(_names_table(key, grid) for grid in grids)
    return told or bool(key.words and index.measures(key.words))


class _Search:
    """What is asked of one name, compared once with each word, label and value that its tables have."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._wording = asked, Wording(asked.words, asked.implied)
        self._fits: dict[_Told, tuple[Fit, tuple[str, ...]]] = {}

    def at(self, place: Place, index: Cells) -> Iterator[Binding]:
        """The cells under the name at a place that stand under every number."""
        assert place.grid is not None
        grid = index.grid(place.grid)
        keys = tuple(key for key in self._asked.keys if _may_choose(key, grid))
        if not all(key in keys or _names_table(key, grid) for key in self._asked.keys):
            return  # what a number is one of is not said anywhere
        lines = _Lines(grid, replace(self._asked, keys=keys))
        around = self._wording.told_by(grid.context.difference(phrase(place.name)))
        for row, column, labels in _cells(grid, place):
            if lines.is_under(row, column):
                fit, unheeded = self._fitted(self._wording.fit(*labels), around, row, column, lines)
                yield Binding(grid, row, column, place, fit, " ".join(filter(None, labels)), unheeded)

    def _fitted(
        self, own: LabelFit, around: frozenset[str], row: int, column: int, lines: _Lines
    ) -> tuple[Fit, tuple[str, ...]]:
        """How a cell fits the words, by its label, its value and the other cells of its line; and what is left."""
        value = beside = _NONE
        rest = lines.words - own.words
        if rest:
            value = rest & beside_numbers(lines.text(row, column))
            beside = lines.beside(row, column)
        told = _Told(own, around, lines.told_with_numbers(row, column), value, beside)
        if told not in self._fits:
            self._fits[told] = self._fit(told)
        return self._fits[told]

    def _fit(self, told: _Told) -> tuple[Fit, tuple[str, ...]]:
        label, context = told.own.words | told.numbered, told.around - told.own.words
        beside = told.beside - label - told.value - context
        fit = Fit(label, context, told.value, told.own.share, beside, told.own.indirect)
        return fit, tuple(word for word in self._asked.words if word not in fit.heeded)


class _Told(NamedTuple):
    """What tells words of the question of a cell: all that its fit depends on."""

    own: LabelFit
    around: frozenset[str]
    numbered: frozenset[str]
    value: frozenset[str]
    beside: frozenset[str]


class _Lines:
    """The lines of one table, held against what is asked: rows of a table, all of a record being one.

    `words` are those of the question that the table has somewhere.
    """

    def __init__(self, grid: Grid, asked: Asked) -> None:
        self._grid, self._asked = grid, asked
        self.words = frozenset(word for word in asked.words if word in grid.forms)
        self._told: dict[int, list[frozenset[str]]] = {}
        self._axes = [_Axis(grid, key) for key in asked.keys]
        self._under: dict[int, frozenset[int]] = {}

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        return self._grid.table.rows[row][column]

    def beside(self, row: int, column: int) -> frozenset[str]:
        """The words that the other cells of its line tell."""
        line, own = _in_line(self._grid, row, column)
        if line not in self._told:
            told = told_by_cells(self._asked.words, self._grid.labelled(line))
            self._told[line] = told if any(told) else []
        others = self._told[line]
        return _NONE.union(*(told for at, told in enumerate(others) if at != own)) if others else _NONE

    def told_with_numbers(self, row: int, column: int) -> frozenset[str]:
        """The words that a label of a cell has together with a number of the question: the *top* of *Top-1*."""
        is_numbered = row in self._grid.numbered_rows or column in self._grid.numbered_columns
        if not is_numbered or not self._asked.keys:
            return _NONE
        labels = (*self._grid.row_path(row, column), *self._grid.table.columns[column])
        return _NONE.union(*(_told_with(key, labels) for key in self._asked.keys))

    def is_under(self, row: int, column: int) -> bool:
        """True for a cell whose row, column or line holds each number of the question."""
        if not self._axes:
            return True
        if row not in self._under:
            self._under[row] = frozenset.intersection(*(axis.columns(row) for axis in self._axes))
        return column in self._under[row]


class _Axis:
    """A number of the question, compared once with each row, column and line of a table."""

    def __init__(self, grid: Grid, key: Key) -> None:
        self._grid, self._key = grid, key
        self._all = frozenset(range(len(grid.table.columns)))
        self._lines: dict[int, frozenset[int]] = {}

    def columns(self, row: int) -> frozenset[int]:
        """The columns of a row whose cells stand under the number, or beside it."""
        found = self._own_columns | self._beside(row)
        if len(found) < len(self._all) and self._holds_row(row):
            found |= self._all if self._grid.table.is_record else self._all - {0}
        return found

    @cached_property
    def _own_columns(self) -> frozenset[int]:
        """The columns whose heads hold the number."""
        return frozenset(column for column in self._grid.numbered_columns if self._holds_column(column))

    def _holds_row(self, row: int) -> bool:
        if row not in self._grid.numbered_rows:
            return False
        path, labels = self._grid.row_paths[row], self._grid.column_labels
        if self._key.words:
            return self._tells(path, labels[0] if labels else "")
        return self._grid.number_axis == "rows" and self._covered(path)

    def _holds_column(self, column: int) -> bool:
        path = self._grid.table.columns[column]
        if self._key.words:
            return self._tells(path, " ".join(path[:-1]) or self._grid.corner)
        return self._grid.number_axis == "columns" and column > 0 and self._covered(path)

    def _covered(self, path: Sequence[str]) -> bool:
        return any(_covers(part, self._key.value) for part in path)

    def _tells(self, path: Sequence[str], axis: str) -> bool:
        words, value = self._key.words, self._key.value
        return any(_holds(part, axis, words, value) for part in path) or bool(_told_with(self._key, path))

    def _beside(self, row: int) -> frozenset[int]:
        """The columns of a row that stand beside a cell which is the number."""
        line, _ = _in_line(self._grid, row, 0)
        if line not in self._lines:
            pairs, words, value = enumerate(self._grid.labelled(line)), self._key.words, self._key.value
            self._lines[line] = frozenset(at for at, (label, text) in pairs if _chooses(label, text, words, value))
        chosen = self._lines[line]
        if self._grid.table.is_record:
            return self._all if chosen - {row} else _NOWHERE
        if len(chosen) == 1:
            return self._all - chosen  # nothing stands beside itself
        return self._all if chosen else _NOWHERE


def _may_choose(key: Key, grid: Grid) -> bool:
    """True where a table says what a number is one of, or has one axis of numbers for one that stands alone."""
    if key.alone and not key.words:
        return bool(grid.number_axis)
    return any(grid.forms.of(word) for word in key.words)


def _names_table(key: Key, grid: Grid) -> bool:
    """True for a number that what names a table has beside its word: *CIFAR-10*, of *Results on CIFAR-10*."""
    pairs = {pair for name in grid.names for pair in pairwise(phrase(name))}
    return any((word, key.value) in pairs for word in key.words)


def _in_line(grid: Grid, row: int, column: int) -> tuple[int, int]:
    """The line of a cell, and its place in it."""
    return (0, row) if grid.table.is_record else (row, column)


def _cells(grid: Grid, place: Place) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Where the values under a name stand, each with the label that is left to choose it by, in its parts."""
    if place.kind is Kind.ROW:
        for row, column in grid.places(row=place.at):
            yield row, column, (grid.column_labels[column],)
    elif place.kind is Kind.COLUMN and place.at:
        for row, column in grid.places(column=place.at):
            yield row, column, (grid.row_path(row, column) or ("",))[-1:]
    else:
        for row, column in grid.places():
            yield row, column, (grid.row_choices[row], grid.column_choices[column])


@lru_cache(maxsize=65536)
def _chooses(label: str, text: str, words: tuple[str, ...], value: str) -> bool:
    """True for a value that is the number, with its word beside it (*3x*) or in its label (*Level* 3)."""
    if any(_is_in(text, value, word) for word in words):
        return True
    read = read_label(text)
    if read.span is None or number(value) not in read.span or _is_numbered(label):
        return False
    return any(is_told(word, (*said_words(label), *read.name)) for word in words)


@lru_cache(maxsize=65536)
def _is_numbered(label: str) -> bool:
    """True for a label that has a number of its axis, *Armor class 4*: the values under it are of something else."""
    read = read_label(label)
    return bool(read.name) and read.span is not None


def _told_with(key: Key, labels: Sequence[str]) -> frozenset[str]:
    """The words that labels have together with a number of the question."""
    return frozenset(word for word in key.words if any(_is_in(label, key.value, word) for label in labels))


@lru_cache(maxsize=65536)
def _is_in(label: str, value: str, word: str) -> bool:
    """True for a label that has the number beside the word: *Top-1 accuracy*; a band has only what it covers."""
    span = read_label(label).span
    if span is not None and number(value) not in span:
        return False
    pairs = set(pairwise(phrase(label)))
    return (word, value) in pairs or (value, word) in pairs


@lru_cache(maxsize=65536)
def _covers(label: str, value: str) -> bool:
    """True for a label that is the number, or a band that holds it."""
    span = read_label(label).span
    return span is not None and number(value) in span


@lru_cache(maxsize=65536)
def _holds(label: str, head: str, words: tuple[str, ...], value: str) -> bool:
    """True for a label that covers the number, on an axis that the words beside it name."""
    read = read_label(label)
    if read.span is None or number(value) not in read.span:
        return False
    axis = (*read.name, *said_words(head))
    return any(same_word(word, other) for word in words for other in axis)
