"""Bind a name's words and numbers to cells: the name chooses tables and rows, numbers choose on axes, words choose
labels.

Structure decides. The candidates are the cells under the name and under every number given; among these the words of
the question choose the best label. A word that is a measure elsewhere in the collection and fits no candidate
contradicts them; a word that matches nothing is reported as unmatched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from retrieval.tables.asked import Key, NameRequest
from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.lines import Lines, can_choose, names_table
from retrieval.tables.match import Fit
from retrieval.tables.names import SHORT
from retrieval.tables.remembered import BoundedListCache, cached_by_collection
from retrieval.tables.row_names import column_of
from retrieval.tables.wording import NO_FIT, LabelFit, Wording
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_OWNERS = (Kind.TITLE, Kind.SUBJECT, Kind.ROW, Kind.CAPTION, Kind.COLUMN, Kind.HEADING, Kind.ROLE)
"""The kinds of name that own cells; a label is only a measure of something else."""
_NONE = frozenset[str]()
_NEARLY_ALL = 0.89
"""The share of matched words from which a label counts as fully matched, as do the later measures that a word implies
(`wording`).
"""
_NUMBER_AND_NAME = 2
MOST_GRIDS = 120
"""The most tables in which one name is looked up."""


@dataclass(frozen=True)
class Binding:
    """A candidate cell, the fit of its label, and the question's words that nothing about it matches.

    A question makes thousands of bindings; `cell` is built only when it is read.
    """

    grid: Grid
    row: int
    column: int
    place: Place
    fit: Fit
    label: str
    unmatched_words: tuple[str, ...]

    @cached_property
    def cell(self) -> Cell:
        """The full cell, with its row and column paths."""
        return self.grid.cell(self.row, self.column)

    @property
    def text(self) -> str:
        """The text of the cell."""
        return self.grid.table.rows[self.row][self.column]

    def with_matches(
        self, label: Collection[str] = (), value: Collection[str] = (), share: float | None = None
    ) -> Binding:
        """Return a copy in which the label and the value match more words; `share` replaces the label's share."""
        fit = replace(
            self.fit,
            label=self.fit.label.union(label),
            value=self.fit.value.union(value),
            share=self.fit.share if share is None else share,
        )
        left = tuple(word for word in self.unmatched_words if word not in label and word not in value)
        return replace(self, fit=fit, unmatched_words=left)

    @cached_property
    def rank(self) -> tuple[float, ...]:
        """The sort key, larger is better: the quality of the fit, then how near the name is."""
        return (*self.fit.quality, -float(self.place.kind), -float(self.place.depth))


_REMEMBERED = 20_000
"""The most candidates that the cache of one collection holds: readings of one question ask for much the same."""


def candidates(index: Cells, asked: NameRequest) -> list[Binding]:
    """Return every cell under the name and the numbers, best first."""
    return list(_known(index).get_or_find(asked.cache_key, lambda: _candidates(index, asked)))


@cached_by_collection(1)
def _known(index: Cells) -> BoundedListCache[Binding]:
    return BoundedListCache(_REMEMBERED)


def _candidates(index: Cells, asked: NameRequest) -> list[Binding]:
    places = _places(index, asked)
    keys = _without_unknown_words(index, asked.keys, places)
    search = _Search(asked if keys == asked.keys else replace(asked, keys=keys), index)
    lines = [under for under in (search.lines(place, index) for place in places) if under is not None]
    found = [binding for under, rows in _rows_by_table(lines) for binding in search.at(under, rows)]
    return sorted(found, key=lambda binding: binding.rank, reverse=True)


def best(found: Sequence[Binding]) -> list[Binding]:
    """Return the best binding and those that tie with it but differ in label or text."""
    if not found:
        return []
    equal = [each for each in found if each.rank == found[0].rank or _is_variant(each, found[0])]
    texts: dict[tuple[tuple[str, ...], str], Binding] = {}
    for binding in equal:
        texts.setdefault((phrase(binding.label), binding.text), binding)
    return list(texts.values())


def _is_variant(binding: Binding, top: Binding) -> bool:
    """True if a binding is a variant of the best one: neither label is fully matched and both match the same words.

    It is in the same line (*Damage vs L* beside *Damage vs S or M*), in a row with the same number, or, under a head
    that the question names, in another row whose name matches the same words.
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
    """True for two cells of one column whose rows have the same number before their names."""
    if (
        binding.column != top.column
        or binding.place.kind != top.place.kind
        or binding.grid.table_id != top.grid.table_id
    ):
        return False
    one, other = binding.grid.row_names(binding.row), top.grid.row_names(top.row)
    return len(one) == len(other) == _NUMBER_AND_NAME and one[0] == other[0]


def with_value_words(found: Iterable[Binding], words_of: Callable[[Binding], Collection[str]]) -> list[Binding]:
    """Return the candidates, best first, each with the words that its value is found to match besides."""
    told = ((each, words_of(each)) for each in found)
    matched = (each.with_matches(value=words) if words else each for each, words in told)
    return sorted(matched, key=lambda binding: binding.rank, reverse=True)


def assumed_bindings(found: Sequence[Binding], label: str, words: Collection[str] | None = None) -> list[Binding]:
    """Return the candidates with a label that is assumed to be the one meant, best first.

    The label then accounts for the unmatched words, or for the given ones among them. Candidates that leave more words
    unmatched than the best one does are dropped.
    """
    left = set(found[0].unmatched_words) if found else set()
    told = left if words is None else left.intersection(words)
    same = (each for each in found if each.label == label and left.issuperset(each.unmatched_words))
    taken = (each.with_matches(told.intersection(each.unmatched_words), share=1.0) for each in same)
    return sorted(taken, key=lambda binding: binding.rank, reverse=True)


def labels(found: Iterable[Binding]) -> list[str]:
    """Return the distinct labels of all candidates: what a question in other words may mean.

    Candidates under a column header are left out: their row labels are other things, not measures.
    """
    measured = (binding.label for binding in found if binding.place.kind is not Kind.COLUMN)
    return list(dict.fromkeys(label for label in measured if label))


def _places(index: Cells, asked: NameRequest) -> list[Place]:
    """Return the places where a name has cells; of very many, tables with a header for what is asked come first."""
    name = asked.name
    found = [place for place in index.places([name], _OWNERS) if place.grid is not None]
    if len(found) > MOST_GRIDS:
        words = {
            form
            for word in asked.words
            for said in (word, *asked.implied_measures.get(word, ()))
            for form in index.measure_forms(said)
        }
        headed = set(grids_of(place for head in index.heads_with(words) for place in index.heads[head]))
        found = sorted(found, key=lambda place: place.grid not in headed)[:MOST_GRIDS]
    if name.startswith(SHORT) and len({phrase(place.name) for place in found}) > 1:
        return []  # a short form that several names share is ambiguous
    return found


def _without_unknown_words(index: Cells, keys: Sequence[Key], places: Sequence[Place]) -> tuple[Key, ...]:
    """Return the keys; a lone number loses its words if no table of the name and no header has them."""
    if not any(key.is_unqualified for key in keys):
        return tuple(keys)
    grids = [index.grid(place.grid) for place in places if place.grid is not None]
    return tuple(
        replace(key, words=()) if key.is_unqualified and not _names_local_axis(key, grids, index) else key
        for key in keys
    )


def _names_local_axis(key: Key, grids: Sequence[Grid], index: Cells) -> bool:
    """True if some word beside a number names an axis, a table or a measure here."""
    told = any(grid.facts.forms.of(word) for grid in grids for word in key.words)
    told = told or any(names_table(key, grid) for grid in grids)
    return told or bool(key.words and index.measures(key.words))


class _Search:
    """What is asked of one name, compared once with each word, label and value of its tables."""

    def __init__(self, asked: NameRequest, index: Cells) -> None:
        self._asked = asked
        self._wording = Wording(
            asked.words,
            asked.implied_measures,
            asked.function_words,
            asked.stretches,
            index.explained_initials,
            asked.counting,
        )
        self._fits: dict[_Matches, tuple[Fit, tuple[str, ...]]] = {}
        self._keys_at = _keys_by_table(index, asked.keys)
        self._with_keys: dict[tuple[Key, ...], NameRequest] = {asked.keys: asked}

    def lines(self, place: Place, index: Cells) -> Lines | None:
        """Return the lines of the table at a place; None if nothing there names the axis of some number."""
        assert place.grid is not None
        grid = index.grid(place.grid)
        if place.grid not in self._keys_at:
            self._keys_at[place.grid] = _keys_of(self._asked.keys, grid)
        keys = self._keys_at[place.grid]
        return None if keys is None else Lines(grid, place, self._asked_by(keys))

    def _asked_by(self, keys: tuple[Key, ...]) -> NameRequest:
        """Return the request restricted to the numbers that choose in a table."""
        if keys not in self._with_keys:
            self._with_keys[keys] = replace(self._asked, keys=keys)
        return self._with_keys[keys]

    def at(self, lines: Lines, rows: Iterable[int]) -> Iterator[Binding]:
        """Yield a binding for each cell of some rows that stands under the name and under every number."""
        grid, place = lines.grid, lines.place
        names: tuple[frozenset[str], frozenset[str]] | None = None
        for row, column, labels in _cells(grid, place, lines.rows_with_numbers(rows)):
            if lines.is_under(row, column):
                around, called = names = names or self._named(grid, place)
                own = _without_kind(self._wording.fit(*labels), called)
                if place.kind is Kind.ROW:
                    in_full = self._wording.fit(grid.full_labels[column])
                    own = in_full if in_full.words > own.words else own
                fit, unmatched = self._fitted(own, around, row, column, lines)
                yield Binding(grid, row, column, place, fit, " ".join(filter(None, labels)), unmatched)

    def _named(self, grid: Grid, place: Place) -> tuple[frozenset[str], frozenset[str]]:
        """Return the question's words that the names around a table match, and those that the place's name matches."""
        named = _own_column(place, grid) if place.kind is Kind.ROW else 0
        kinds, own = phrase(grid.column_labels[named]) if named else (), place.key.split()
        around = self._wording.matched_by_name(grid.context.union(kinds).difference(own))
        return around, self._wording.matched_by_name(frozenset(phrase(place.name)).difference(own))

    def _fitted(
        self, own: LabelFit, around: frozenset[str], row: int, column: int, lines: Lines
    ) -> tuple[Fit, tuple[str, ...]]:
        """Return the fit of a cell by its label, its value and the other cells of its line, and the unmatched words."""
        value = beside = _NONE
        rest = lines.words - own.words
        if rest:
            value = rest & lines.in_value(row, column)
            beside = lines.beside(row, column)
        told = _Matches(own, around, lines.words_beside_numbers(row, column), value, beside)
        if told not in self._fits:
            self._fits[told] = self._fit(told)
        return self._fits[told]

    def _fit(self, told: _Matches) -> tuple[Fit, tuple[str, ...]]:
        label, context = told.own.words | told.numbered, told.around - told.own.words
        beside = told.beside - label - told.value - context
        fit = Fit(label, context, told.value, told.own.share, beside, told.own.indirect)
        return fit, tuple(word for word in self._asked.words if word not in fit.matched_words)


def _keys_of(keys: tuple[Key, ...], grid: Grid) -> tuple[Key, ...] | None:
    """Return the numbers that choose in a table, without those that name it; None if a number does neither."""
    own = tuple(key for key in keys if can_choose(key, grid))
    if len(own) == len(keys):
        return keys
    return own if all(key in own or names_table(key, grid) for key in keys) else None


@cached_by_collection(32)
def _keys_by_table(index: Cells, keys: tuple[Key, ...]) -> dict[int, tuple[Key, ...] | None]:
    """Cache `_keys_of` by table number for one tuple of numbers: every word asks the same tables and numbers."""
    return {}


def _without_kind(own: LabelFit, called: frozenset[str]) -> LabelFit:
    """Drop from a label's match the words that name a kind of thing here, unless it has no others: *boat* of *Boat
    date*.
    """
    if own.share >= _NEARLY_ALL or own.words.isdisjoint(called):
        return own
    return own._replace(words=own.words - called) if own.words - called else NO_FIT


class _Matches(NamedTuple):
    """The matched words of a cell by where they match: everything that its fit depends on."""

    own: LabelFit
    around: frozenset[str]
    numbered: frozenset[str]
    value: frozenset[str]
    beside: frozenset[str]


def _rows_by_table(tables: Sequence[Lines]) -> Iterator[tuple[Lines, Iterable[int]]]:
    """Yield the tables of a name with the rows that may be meant.

    Under a column header each row is a different thing. If words of the question choose some rows there, only those
    count.
    """
    is_chosen = any(lines.rows_chosen_beside for lines in tables if _is_head(lines.place))
    for lines in tables:
        every = range(len(lines.grid.table.rows))
        yield lines, sorted(lines.rows_chosen_beside) if is_chosen and _is_head(lines.place) else every


def _is_head(place: Place) -> bool:
    """True if the name is the head of a column of values; the first column holds row names."""
    return place.kind is Kind.COLUMN and bool(place.at)


def _own_column(place: Place, grid: Grid) -> int:
    """Return the column that holds the name of a row; the first if none holds it verbatim."""
    return column_of(place.name, grid.table.rows[place.at or 0])


def _beside_name(place: Place, grid: Grid) -> Iterator[int]:
    """Yield the columns of a row with a value, without that of its name; any cells before the name number the row."""
    own = _own_column(place, grid)
    if own:
        yield from (at for at, value in enumerate(grid.table.rows[place.at or 0]) if value.strip() and at != own)
    else:
        yield from (column for _, column in grid.places(place.at))


def _cells(grid: Grid, place: Place, rows: Iterable[int]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the row and column of each value under a name, with the parts of the label that chooses it."""
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
