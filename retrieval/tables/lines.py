"""The lines of one table under a name: which of them the numbers of a question choose, and which words they match.

A line is a row of a table; a record is one line with all its labels and values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from retrieval.tables.asked import Key, NameRequest
from retrieval.tables.cells import Grid
from retrieval.tables.facts import NumberAxis
from retrieval.tables.index import Place
from retrieval.tables.match import (
    any_matches,
    beside_numbers,
    label_words,
    matches_any,
    matches_by_cell,
    same_word,
)
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import number, phrase

_NONE = frozenset[str]()
_NOWHERE = frozenset[int]()


class Lines:
    """The lines of one table, compared with a request; a record is one line.

    `words` are the question's words that occur somewhere in the table.
    """

    def __init__(self, grid: Grid, place: Place, asked: NameRequest) -> None:
        self.grid, self.place, self._asked = grid, place, asked
        facts = grid.facts
        self.words = frozenset([word for word in asked.words if word in facts.words])
        self._rows_with_words = facts.rows_with(self.words) if self.words else _NOWHERE
        self._matches_by_line: dict[int, dict[int, frozenset[str]]] = {}
        self._axes = [_axis(grid, key) for key in asked.keys]

    @cached_property
    def rows_chosen_beside(self) -> frozenset[int]:
        """The rows that a word of the question chooses, because it matches a cell beside the one under the name."""
        at = self.place.at
        return frozenset(row for row in self._rows_with_words if at is not None and self.beside(row, at))

    def in_value(self, row: int, column: int) -> frozenset[str]:
        """Return the question's words that stand beside a number in a cell."""
        if row not in self._rows_with_words:
            return _NONE
        return self.words & beside_numbers(self.grid.table.rows[row][column])

    def beside(self, row: int, column: int) -> frozenset[str]:
        """Return the words that the other cells of the line match, except the whole of which the cell is a part."""
        line, own = _in_line(self.grid, row, column)
        if line not in self._matches_by_line:
            self._matches_by_line[line] = self._line_matches(line)
        told = (
            said for at, said in self._matches_by_line[line].items() if at != own and not self._is_whole_of(at, own)
        )
        return _NONE.union(*told)

    def _is_whole_of(self, at: int, own: int) -> bool:
        """True if one line of a record is the whole of another: *Oar* of *Oar: reach*."""
        rows = self.grid.table.rows
        return self.grid.table.is_record and rows[own][0].startswith(f"{rows[at][0]}: ")

    def _line_matches(self, line: int) -> dict[int, frozenset[str]]:
        """Return the words that the cells of a line match, by position; cells that match none are left out."""
        is_record = self.grid.table.is_record
        if not self._rows_with_words or (line not in self._rows_with_words and not is_record):
            return {}
        cells = self.grid.label_value_pairs(line)
        places = sorted(self._rows_with_words) if is_record else range(len(cells))
        told = matches_by_cell(self._asked.words, [cells[at] for at in places])
        return {at: said for at, said in zip(places, told, strict=True) if said}

    def words_beside_numbers(self, row: int, column: int) -> frozenset[str]:
        """Return the words that stand beside a number of the question in a label of the cell: the *top* of *Top-1*."""
        if not self._asked.keys:
            return _NONE
        if row not in self.grid.facts.numbered_rows and column not in self.grid.facts.numbered_columns:
            return _NONE
        labels = (*self.grid.row_path(row, column), *self.grid.table.columns[column])
        return _NONE.union(*(_words_beside_key(key, labels) for key in self._asked.keys))

    def is_under(self, row: int, column: int) -> bool:
        """True if the cell's row, column or line holds each number of the question."""
        return not self._axes or all(column in axis.columns(row) for axis in self._axes)

    def rows_with_numbers(self, rows: Iterable[int]) -> Iterable[int]:
        """Return those of the rows in which each number of the question is held by some column."""
        return (row for row in rows if all(axis.columns(row) for axis in self._axes)) if self._axes else rows


class Axis:
    """A number of the question, compared once with each row, column and line of a table."""

    def __init__(self, grid: Grid, key: Key) -> None:
        self._grid, self._key = grid, key
        self._all = frozenset(range(len(grid.table.columns)))
        self._lines: dict[int, frozenset[int]] = {}
        self._columns: dict[int, frozenset[int]] = {}

    def columns(self, row: int) -> frozenset[int]:
        """Return the columns of a row whose cells stand under or beside the number."""
        if row not in self._columns:
            self._columns[row] = self._columns_of(row)
        return self._columns[row]

    def _columns_of(self, row: int) -> frozenset[int]:
        found = self._own_columns | self._beside(row)
        if len(found) < len(self._all) and self._holds_row(row):
            found |= self._all if self._grid.table.is_record else self._all - {0}
        return found

    @cached_property
    def _own_columns(self) -> frozenset[int]:
        """The columns whose heads hold the number."""
        facts = self._grid.facts
        if not facts.numbered_columns:
            return _NOWHERE
        return _columns_holding(
            self._key, self._grid.table.columns, facts.numbered_columns, self._grid.corner, facts.number_axis
        )

    def _holds_row(self, row: int) -> bool:
        grid = self._grid
        if row not in grid.facts.numbered_rows or (grid.is_single and not self._is_in_path(grid.table.rows[row][:2])):
            return False  # a single row has no other path, so there are no labels to look up
        return self._is_in_path(grid.row_paths[row])

    def _is_in_path(self, path: Sequence[str]) -> bool:
        labels = self._grid.column_labels
        if self._key.words:
            return _matches_key(self._key, path, labels[0] if labels else "")
        return self._grid.facts.number_axis == "rows" and _is_covered(path, self._key.value)

    def _beside(self, row: int) -> frozenset[int]:
        """Return the columns of a row beside a cell that is the number."""
        line, _ = _in_line(self._grid, row, 0)
        if line not in self._lines:
            self._lines[line] = self._choosing(line)
        chosen = self._lines[line]
        if self._grid.table.is_record:
            return self._all if chosen - {row} else _NOWHERE
        if len(chosen) == 1:
            return self._all - chosen  # a cell is not beside itself
        return self._all if chosen else _NOWHERE

    def _choosing(self, line: int) -> frozenset[int]:
        """Return the cells of a line that are the number, with its word in them or in their label."""
        is_said = line in self._rows_with_key_words or self._grid.table.is_record
        if not is_said and not self._columns_with_key_words:
            return _NOWHERE
        words, value = self._key.words, self._key.value
        pairs = [
            (at, each)
            for at, each in enumerate(self._grid.label_value_pairs(line))
            if is_said or at in self._columns_with_key_words
        ]
        return frozenset(at for at, (label, text) in pairs if _chooses(label, text, words, value))

    @cached_property
    def _rows_with_key_words(self) -> frozenset[int]:
        """The rows that contain a form of a word beside the number."""
        facts = self._grid.facts
        return _NOWHERE.union(*(facts.rows_with_form(word) for word in self._key.words))

    @cached_property
    def _columns_with_key_words(self) -> frozenset[int]:
        """The columns whose head has a word beside the number."""
        return _columns_with_words(self._key.words, self._grid.column_labels)


@lru_cache(maxsize=4096)
def _axis(grid: Grid, key: Key) -> Axis:
    """Return the cached axis of a number and a table: readings of a question compare the same few of them."""
    return Axis(grid, key)


@lru_cache(maxsize=4096)
def _columns_holding(
    key: Key, columns: tuple[tuple[str, ...], ...], numbered: frozenset[int], corner: str, axis: NumberAxis
) -> frozenset[int]:
    """Return the numbered columns whose heads hold the number; cached, since rows cut from one table share heads."""
    found = set[int]()
    for column in numbered:
        path = columns[column]
        if key.words:
            holds = _matches_key(key, path, " ".join(path[:-1]) or corner)
        else:
            holds = axis == "columns" and column > 0 and _is_covered(path, key.value)
        found |= {column} if holds else set()
    return frozenset(found)


@lru_cache(maxsize=4096)
def _columns_with_words(words: tuple[str, ...], labels: tuple[str, ...]) -> frozenset[int]:
    """Return the columns whose head has one of some words."""
    return frozenset(at for at, label in enumerate(labels) if any_matches(words, label_words(label)))


def _is_covered(path: Sequence[str], value: str) -> bool:
    return any(_covers(part, value) for part in path)


def _matches_key(key: Key, path: Sequence[str], axis: str) -> bool:
    return any(_holds(part, axis, key.words, key.value) for part in path) or bool(_words_beside_key(key, path))


def can_choose(key: Key, grid: Grid) -> bool:
    """True if the table has a word of the number's axis or, for a number that stands alone, exactly one number axis."""
    if key.is_unqualified and not key.words:
        return bool(grid.facts.number_axis)
    return any(grid.facts.forms.of(word) for word in key.words)


@lru_cache(maxsize=16384)
def names_table(key: Key, grid: Grid) -> bool:
    """True if the names of the table have the number beside its word, *CIFAR-10* in *Results on CIFAR-10*, or beside
    words whose initials that word is: *FY 2023* in *Fees, fiscal year 2023*.
    """
    said = [phrase(name) for name in grid.names]
    pairs = {pair for tokens in said for pair in pairwise(tokens)}
    if any((word, key.value) in pairs for word in key.words):
        return True
    before = [tokens[:at] for tokens in said for at, token in enumerate(tokens) if token == key.value]
    return any(_ends_in_initials(each, word) for each in before for word in key.words)


def _ends_in_initials(tokens: Sequence[str], word: str) -> bool:
    """True if the last tokens begin with the letters of the word."""
    return len(word) > 1 and "".join(token[0] for token in tokens[-len(word) :]) == word


def _in_line(grid: Grid, row: int, column: int) -> tuple[int, int]:
    """Return the line of a cell and the cell's position in it."""
    return (0, row) if grid.table.is_record else (row, column)


@lru_cache(maxsize=65536)
def _chooses(label: str, text: str, words: tuple[str, ...], value: str) -> bool:
    """True if a value is the number, with its word beside it (*3x*) or in its label (*Level* 3)."""
    read = read_label(text)
    if read.span is not None and number(value) not in read.span:
        return False
    if any(_is_in(text, value, word) for word in words):
        return True
    if read.span is None or _is_numbered(label):
        return False
    return any(matches_any(word, (*label_words(label), *read.name)) for word in words)


@lru_cache(maxsize=65536)
def _is_numbered(label: str) -> bool:
    """True for a label with a number on its axis, *Armor class 4*: the values under it measure something else."""
    read = read_label(label)
    return bool(read.name) and read.span is not None


def _words_beside_key(key: Key, labels: Sequence[str]) -> frozenset[str]:
    """Return the words that some label has beside the number."""
    return frozenset(word for word in key.words if any(_is_in(label, key.value, word) for label in labels))


@lru_cache(maxsize=65536)
def _is_in(label: str, value: str, word: str) -> bool:
    """True if the label has the number beside the word, as *Top-1 accuracy*; a band must cover the number."""
    span = read_label(label).span
    if span is not None and number(value) not in span:
        return False
    pairs = set(pairwise(phrase(label)))
    return (word, value) in pairs or (value, word) in pairs


@lru_cache(maxsize=65536)
def _covers(label: str, value: str) -> bool:
    """True if the label is the number or a band that holds it."""
    span = read_label(label).span
    return span is not None and number(value) in span


@lru_cache(maxsize=65536)
def _holds(label: str, head: str, words: tuple[str, ...], value: str) -> bool:
    """True if the label covers the number and one of the words names its axis."""
    read = read_label(label)
    if read.span is None or number(value) not in read.span:
        return False
    axis = (*read.name, *label_words(head))
    return any(same_word(word, other) for word in words for other in axis)
