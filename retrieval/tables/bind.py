"""Bind what is asked of a name to cells: the name chooses tables and rows, numbers choose on axes, words choose labels.

Structure decides. The candidates are the cells that stand under the name, under every number that was given; of these
the words of the question choose the best label. A word that the collection uses as a measure and that no candidate has
contradicts; a word that nobody knows is left over and told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from retrieval.tables.asked import Asked, Key
from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.lines import Lines, may_choose, names_table
from retrieval.tables.match import Fit
from retrieval.tables.names import SHORT
from retrieval.tables.remembered import Remembered, once_a_collection
from retrieval.tables.row_names import column_of
from retrieval.tables.wording import NOTHING, LabelFit, Wording
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_OWNERS = (Kind.TITLE, Kind.SUBJECT, Kind.ROW, Kind.CAPTION, Kind.COLUMN, Kind.HEADING, Kind.ROLE)
"""What a name has to be for cells to be its own; a label is a measure of others."""
_NONE = frozenset[str]()
_NEARLY_ALL = 0.9
"""The share of a label from which it is what was asked for."""
_NUMBER_AND_NAME = 2
MOST_GRIDS = 120
"""Tables that one name may be looked for in."""


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

    def telling(self, label: Collection[str] = (), value: Collection[str] = (), share: float | None = None) -> Binding:
        """The same with words that its label, or its value, turned out to tell; `share` is that of the label."""
        fit = replace(
            self.fit,
            label=self.fit.label.union(label),
            value=self.fit.value.union(value),
            share=self.fit.share if share is None else share,
        )
        left = tuple(word for word in self.unheeded if word not in label and word not in value)
        return replace(self, fit=fit, unheeded=left)

    @cached_property
    def rank(self) -> tuple[float, ...]:
        """Larger is better: how well it fits, how near the name is."""
        return (*self.fit.quality, -float(self.place.kind), -float(self.place.depth))


_REMEMBERED = 20_000
"""Candidates of one collection that are remembered: each way to mean a question asks for much the same."""


def candidates(index: Cells, asked: Asked) -> list[Binding]:
    """Every cell under the name and the numbers, the best first."""
    return list(_known(index).found(asked.as_key, lambda: _candidates(index, asked)))


@once_a_collection(1)
def _known(index: Cells) -> Remembered[Binding]:
    return Remembered(_REMEMBERED)


def _candidates(index: Cells, asked: Asked) -> list[Binding]:
    places = _places(index, asked)
    keys = _keys_here(index, asked.keys, places)
    search = _Search(asked if keys == asked.keys else replace(asked, keys=keys), index)
    lines = [under for under in (search.lines(place, index) for place in places) if under is not None]
    found = [binding for under, rows in _telling(lines) for binding in search.at(under, rows)]
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
    *Damage vs L* beside the *Damage vs S or M*; for one of another row that has the same number; and under the head
    that is asked for, where each row is of something else, for one of a row whose name has the same words.
    """
    if max(binding.fit.share, top.fit.share) >= _NEARLY_ALL or not top.fit.label:
        return False
    is_same_key = _has_same_number(binding, top)
    if not is_same_key and binding.grid is not top.grid:
        return False
    is_any_row = is_same_key or top.grid.table.is_record or _is_head(top.place)
    if binding.row != top.row and not is_any_row:
        return False
    is_alike = binding.fit.label == top.fit.label and (binding.place == top.place or is_same_key)
    return is_alike and replace(binding.fit, share=0.0).quality == replace(top.fit, share=0.0).quality


def _has_same_number(binding: Binding, top: Binding) -> bool:
    """True for two cells of one column whose rows have one number before their names: both are chosen by it."""
    if binding.column != top.column or binding.place.kind != top.place.kind or binding.grid.whole != top.grid.whole:
        return False
    one, other = binding.grid.row_names(binding.row), top.grid.row_names(top.row)
    return len(one) == len(other) == _NUMBER_AND_NAME and one[0] == other[0]


def assumed(found: Sequence[Binding], label: str, words: Collection[str] | None = None) -> list[Binding]:
    """The candidates of a label that is taken for what is asked, the best first: it tells the words left over, or
    those of them that are given.

    Those that leave more words than the best of all did are about something else.
    """
    left = set(found[0].unheeded) if found else set()
    told = left if words is None else left.intersection(words)
    same = (each for each in found if each.label == label and left.issuperset(each.unheeded))
    taken = (each.telling(told.intersection(each.unheeded), share=1.0) for each in same)
    return sorted(taken, key=lambda binding: binding.rank, reverse=True)


def labels(found: Iterable[Binding]) -> list[str]:
    """The labels of all candidates, each once: what a question in other words may mean.

    Under the head of a column the rows are other things, and none is a measure of it.
    """
    measured = (binding.label for binding in found if binding.place.kind is not Kind.COLUMN)
    return list(dict.fromkeys(label for label in measured if label))


def _places(index: Cells, asked: Asked) -> list[Place]:
    """Where a name has cells; of very many places those first whose tables have a head for what is asked."""
    name = asked.name
    found = [place for place in index.places([name], _OWNERS) if place.grid is not None]
    if len(found) > MOST_GRIDS:
        words = {
            form
            for word in asked.words
            for said in (word, *asked.implied.get(word, ()))
            for form in index.measured_as(said)
        }
        headed = set(grids_of(place for head in index.heads_with(words) for place in index.heads[head]))
        found = sorted(found, key=lambda place: place.grid not in headed)[:MOST_GRIDS]
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
    told = any(grid.facts.forms.of(word) for grid in grids for word in key.words)
    told = told or any(names_table(key, grid) for grid in grids)
    return told or bool(key.words and index.measures(key.words))


class _Search:
    """What is asked of one name, compared once with each word, label and value that its tables have."""

    def __init__(self, asked: Asked, index: Cells) -> None:
        self._asked = asked
        self._wording = Wording(asked.words, asked.implied, asked.idle, asked.stretches, index.explained)
        self._fits: dict[_Told, tuple[Fit, tuple[str, ...]]] = {}
        self._keys_at = _keys_by_table(index, asked.keys)
        self._with_keys: dict[tuple[Key, ...], Asked] = {asked.keys: asked}

    def lines(self, place: Place, index: Cells) -> Lines | None:
        """The lines of the table at a place; None where what a number is one of is not said anywhere."""
        assert place.grid is not None
        grid = index.grid(place.grid)
        if place.grid not in self._keys_at:
            self._keys_at[place.grid] = _keys_of(self._asked.keys, grid)
        keys = self._keys_at[place.grid]
        return None if keys is None else Lines(grid, place, self._asked_by(keys))

    def _asked_by(self, keys: tuple[Key, ...]) -> Asked:
        """What is asked of a table that some of the numbers choose in."""
        if keys not in self._with_keys:
            self._with_keys[keys] = replace(self._asked, keys=keys)
        return self._with_keys[keys]

    def at(self, lines: Lines, rows: Iterable[int]) -> Iterator[Binding]:
        """The cells of some rows that stand under the name and under every number."""
        grid, place = lines.grid, lines.place
        names: tuple[frozenset[str], frozenset[str]] | None = None
        for row, column, labels in _cells(grid, place, lines.under(rows)):
            if lines.is_under(row, column):
                around, called = names = names or self._named(grid, place)
                own = _without_kind(self._wording.fit(*labels), called)
                if place.kind is Kind.ROW:
                    in_full = self._wording.fit(grid.full_labels[column])
                    own = in_full if in_full.words > own.words else own
                fit, unheeded = self._fitted(own, around, row, column, lines)
                yield Binding(grid, row, column, place, fit, " ".join(filter(None, labels)), unheeded)

    def _named(self, grid: Grid, place: Place) -> tuple[frozenset[str], frozenset[str]]:
        """The words of the question that all that names a table tells, and those that the name itself tells."""
        named = _own_column(place, grid) if place.kind is Kind.ROW else 0
        kinds, own = phrase(grid.column_labels[named]) if named else (), place.key.split()
        around = self._wording.named_by(grid.context.union(kinds).difference(own))
        return around, self._wording.named_by(frozenset(phrase(place.name)).difference(own))

    def _fitted(
        self, own: LabelFit, around: frozenset[str], row: int, column: int, lines: Lines
    ) -> tuple[Fit, tuple[str, ...]]:
        """How a cell fits the words, by its label, its value and the other cells of its line; and what is left."""
        value = beside = _NONE
        rest = lines.words - own.words
        if rest:
            value = rest & lines.in_value(row, column)
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


def _keys_of(keys: tuple[Key, ...], grid: Grid) -> tuple[Key, ...] | None:
    """The numbers that choose in a table, those that name it left out; None where one does neither."""
    own = tuple(key for key in keys if may_choose(key, grid))
    if len(own) == len(keys):
        return keys
    return own if all(key in own or names_table(key, grid) for key in keys) else None


@once_a_collection(32)
def _keys_by_table(index: Cells, keys: tuple[Key, ...]) -> dict[int, tuple[Key, ...] | None]:
    """By the numbers of tables what `_keys_of` tells of them, as far as it was asked; every word is asked of the same
    tables with the same few numbers.
    """
    return {}


def _without_kind(own: LabelFit, called: frozenset[str]) -> LabelFit:
    """What a label tells, but for words that things are called by here, where it has more: of *Boat date* no *boat*."""
    if own.share >= _NEARLY_ALL or own.words.isdisjoint(called):
        return own
    return own._replace(words=own.words - called) if own.words - called else NOTHING


class _Told(NamedTuple):
    """What tells words of the question of a cell: all that its fit depends on."""

    own: LabelFit
    around: frozenset[str]
    numbered: frozenset[str]
    value: frozenset[str]
    beside: frozenset[str]


def _telling(tables: Sequence[Lines]) -> Iterator[tuple[Lines, Iterable[int]]]:
    """The tables of a name with the rows that may be meant. Under a head each row is of something else, so where words
    of the question choose some rows, only those are asked about.
    """
    is_chosen = any(lines.told_beside for lines in tables if _is_head(lines.place))
    for lines in tables:
        every = range(len(lines.grid.table.rows))
        yield lines, sorted(lines.told_beside) if is_chosen and _is_head(lines.place) else every


def _is_head(place: Place) -> bool:
    """True for a name that is the head of a column of values; the first column has the names of rows."""
    return place.kind is Kind.COLUMN and bool(place.at)


def _own_column(place: Place, grid: Grid) -> int:
    """The column that has the name of a row; the first where none has it as it is."""
    return column_of(place.name, grid.table.rows[place.at or 0])


def _beside_name(place: Place, grid: Grid) -> Iterator[int]:
    """The columns of a row with a value, without the one that has its name: before it stands what it is numbered by."""
    own = _own_column(place, grid)
    if own:
        yield from (at for at, value in enumerate(grid.table.rows[place.at or 0]) if value.strip() and at != own)
    else:
        yield from (column for _, column in grid.places(place.at))


def _cells(grid: Grid, place: Place, rows: Iterable[int]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Where the values under a name stand, each with the label that is left to choose it by, in its parts."""
    if place.kind is Kind.ROW:
        assert place.at is not None
        for column in _beside_name(place, grid):
            yield place.at, column, (grid.column_labels[column],)
        return
    column_of_head = place.at if _is_head(place) else None
    for each in rows:
        for row, column in grid.places(each, column_of_head):
            if column_of_head is None:
                yield row, column, (grid.row_choices[row], grid.column_choices[column])
            else:
                yield row, column, (grid.row_path(row, column) or ("",))[-1:]
