"""One member of a kind, which is an entity: its name, the words that match it, and its values by label.

The members of a collection don't change: each is made once and used for all questions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from retrieval.tables.cells import Grid
from retrieval.tables.match import begins, label_words, same_word
from retrieval.tables.names import short_key, short_keys, without_part, words_in
from retrieval.text.identifiers import is_identifier
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase

FEWEST = 2
"""The fewest members of a kind; one alone has no superlative."""
_FEW = 4
"""The most words of a value in an entity's table; longer texts are prose."""
_LONGEST_LIST = 200
"""The most characters of a value that may be a list of an entity's types."""
_BRIEF = 8
"""The most words of a value that may be a condition; longer texts are prose."""
_ITEM = 5
"""The most words of an item in a list of such values."""
Label = tuple[str, ...]
"""The words of a column header or label."""


class Value(NamedTuple):
    """A value by reference: its label with the label's words, its text, and its cell in a numbered table."""

    label: str
    words: Label
    text: str
    number: int
    grid: Grid
    row: int
    column: int

    @classmethod
    def of(cls, label: str, number: int, grid: Grid, row: int, column: int) -> Value:
        """Return the value of a cell, under a label."""
        return cls(label, phrase(label), grid.table.rows[row][column], number, grid, row, column)

    @property
    def own_label(self) -> str:
        """The label without the headers above it."""
        heads = () if self.grid.table.is_record else self.grid.table.columns[self.column]
        return heads[-1] if len(heads) > 1 and self.label == " ".join(heads) else self.label

    def holds(self, word: str) -> bool:
        """True for a short value, or a list of short items, that has a word."""
        if not is_identifier(word) and self.row not in self.grid.facts.rows_with_form(word):
            return False
        return word in self.said or (len(word) > 3 and any(same_word(word, other) for other in self.said))

    @property
    def said(self) -> Collection[str]:
        """The words of a short value, or of a list of short items."""
        return brief_words(self.text)


@dataclass(frozen=True, eq=False)
class Member:
    """One member of a kind, which a collection may write in four ways.

    A row of a table: `at` is the row. A record, with all records of the same entity: `at` is None. A column of a table
    with entities side by side: `across` is the column. A table of its own: `rows` are its measures, `depth` counts the
    headings above its own, and `heads` renames its columns as in the tables of other members. `number_at` is the
    column of the number that names a row instead of its first column: *stage 3*.
    """

    grids: tuple[tuple[int, Grid], ...]
    at: int | None = None
    across: int | None = None
    rows: tuple[int, ...] = ()
    depth: int = 0
    heads: tuple[tuple[str, str], ...] = ()
    number_at: int = 0

    @property
    def grid(self) -> Grid:
        """The first of its tables."""
        return self.grids[0][1]

    @cached_property
    def name(self) -> str:
        """The name of the entity."""
        if self.rows:
            return self.grid.headings[self.depth]
        if self.across is not None:
            return self.grid.column_labels[self.across].strip(" *")
        if self.at is not None:
            *code, name = self.grid.row_names(self.at)
            if self.number_at:
                return f"{self.grid.column_labels[self.number_at]} {self.grid.table.rows[self.at][self.number_at]}"
            return f"{name} ({code[0]})" if code and self.grid.is_coded else name.strip(" *")
        headings = self.grid.headings
        return without_part(self.grid.title if self.grid.title in headings or not headings else headings[-1])

    @cached_property
    def is_numbered(self) -> bool:
        """True for a row that only a number on an axis names, or a band of numbers, *up to 5 km*."""
        return self._is_row and (self.grid.is_on_axis(self.name) or is_band(self.name))

    @property
    def key_head(self) -> str:
        """The header over the names of rows."""
        return self.grid.column_labels[self.number_at or len(self.grid.row_names(self.at or 0)) - 1]

    def named_for(self, words: Collection[str]) -> Member:
        """Return the member named by its number, if these words have the header of the numbers and not that of the
        names beside them: a *stage* is none of the places in *From*.
        """
        if self.at is None or not self._is_row or set(phrase(self.grid.column_labels[0])).issubset(words):
            return self
        counted = next((at for at in _counting(self.grid) if set(phrase(self.grid.column_labels[at])) <= set(words)), 0)
        return replace(self, number_at=counted) if counted else self

    @property
    def key(self) -> str:
        """The key of the row with its measures."""
        return self.grid.table.rows[self.rows[0]][0].strip(" *") if self.rows else ""

    @cached_property
    def values(self) -> list[Value]:
        """Its values with their labels."""
        if self.rows:
            heads = dict(self.heads)
            return [each for n, grid in self.grids for row in self.rows for each in _values_in(n, grid, row, heads)]
        if self.across is not None:
            return list(_values_across(*self.grids[0], self.across))
        if self.at is not None and self.grid.table.is_record:
            return [_value_in_series(*self.grids[0], self.at)]
        heads = dict(self.heads)
        return [value for number, grid in self.grids for value in _values(number, grid, self.at, heads)]

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words that it has alone in its table: those of its name, and of its group of rows."""
        group = self.grid.groups[self.at] if self.at is not None else ""
        return words_in(self.name) | frozenset(phrase(group))

    @cached_property
    def _initials(self) -> frozenset[str]:
        """The first letters of the own words: a quick check before matching."""
        return frozenset(word[:1] for word in self.own_words)

    @property
    def names(self) -> frozenset[str]:
        """The words that match it, without the names of its table."""
        return self.own_words | self._above if self.rows else self.own_words

    def is_called(self, word: str) -> bool:
        """True if a word matches its name, its table's names or its group. For records made from sentences the word has
        to match exactly: they cover very many entities, and *data* begins some of the names of *datasets*.
        """
        if self._is_told_by_sentences:
            return self.is_called_just(word)
        if (word[:1] in self._initials and _calls(self.own_words, word)) or self._is_of_family(word):
            return True
        if self.rows:
            return _calls(self._above, word)
        return _are_called(self.grid.kinds, self.grid.group_words, word)

    @cached_property
    def _is_told_by_sentences(self) -> bool:
        return any(grid.table.sentences for _, grid in self.grids)

    def is_called_just(self, word: str) -> bool:
        """True if a word matches exactly, and not as the beginning of another: *light* does not match a *lightship*."""
        return word in self.names or (not self.rows and word in self.grid.kinds) or self._is_of_family(word)

    def is_of_sort(self, word: str) -> bool:
        """True for the last word of its name, *No-knead Bread*, and for a one-word item of a short value, such as a
        tag.
        """
        return word in self._sorts

    @cached_property
    def _sorts(self) -> frozenset[str]:
        items = (item for value in self.values if len(value.text) <= _LONGEST_LIST for item in value.text.split(","))
        told = (said[0] for said in map(phrase, items) if len(said) == 1)
        return frozenset((*phrase(self.name)[-1:], *told))

    @cached_property
    def texts(self) -> dict[Label, str]:
        """The text under each label."""
        return {value.words: value.text for value in self.values}

    @cached_property
    def _above(self) -> frozenset[str]:
        """The words of its types from folders and the headings above it, without those of its table."""
        names = (*self.grid.headings[: self.depth], *self.grid.page_sort)
        return self.grid.folder_words.union(*map(phrase, names))

    def _is_of_family(self, word: str) -> bool:
        """True for an identifier that is the first part of its own: the *m5* of *m5.large*."""
        return is_identifier(word) and short_key((word,)) in short_keys(self.name)

    def columns_with(self, word: str, *, just: bool = False) -> list[Label]:
        """Return the labels of its cells that have a word; with `just`, only in exactly this form."""
        if not self.may_hold(word):
            return []
        return [each.words for each in self.values if each.holds(word) and not (just and word not in each.said)]

    def may_hold(self, word: str) -> bool:
        """False if no form of a word is in its rows; an identifier may be a part of another word."""
        if is_identifier(word):
            return True
        if self._is_row:
            return self.at in self.grid.facts.rows_with_form(word)
        return any(grid.facts.rows_with_form(word) for _, grid in self.grids)

    @cached_property
    def _is_row(self) -> bool:
        """True for a row of a table."""
        return self.at is not None and not self.grid.table.is_record


@lru_cache(maxsize=65536)
def is_band(name: str) -> bool:
    """True for a name that is a range of numbers, with no more than a unit.

    >>> is_band("up to 5 km"), is_band("Over 40"), is_band("Tower 3"), is_band("40 Winks")
    (True, True, False, False)
    """
    label = read_label(name)
    return label.span is not None and label.span.width > 0 and len(label.name) <= 1


def _values(number: int, grid: Grid, at: int | None, heads: Mapping[str, str]) -> Iterator[Value]:
    """Yield the values of a row, or of a whole record, with their labels."""
    table = grid.table
    if table.is_record:
        for n, line in enumerate(table.rows):
            if line[1:2] and line[1].strip():
                yield Value.of(line[0], number, grid, n, 1)
        return
    row, values = at or 0, table.rows[at or 0]
    names = () if at is None else grid.row_names(row)
    name = None if not names or grid.is_on_axis(names[-1]) else len(names) - 1  # a number is a value, also as a name
    for column in range(min(len(table.columns), len(values))):
        if column != name and values[column].strip():
            label = heads.get(grid.column_labels[column], grid.column_labels[column])
            yield Value.of(label, number, grid, row, column)


def _value_in_series(number: int, grid: Grid, at: int) -> Value:
    """Return the value of a line in a series. Its own label is no measure, so the title of the record is its label."""
    return Value.of(grid.title, number, grid, at, 1)


def _values_in(number: int, grid: Grid, row: int, heads: Mapping[str, str]) -> Iterator[Value]:
    """Yield the values of a row, each labelled by its key and column header, without prose."""
    cells = grid.table.rows[row]
    for column in range(1, min(len(cells), len(grid.column_labels))):
        if 0 < len(cells[column].split()) <= _FEW and not cells[column].endswith("."):
            head = grid.column_labels[column]
            label = f"{cells[0].strip(' *')} {heads.get(head, head)}"
            yield Value.of(label, number, grid, row, column)


def _values_across(number: int, grid: Grid, column: int) -> Iterator[Value]:
    """Yield the values of a column, with their labels."""
    for n, line in enumerate(grid.table.rows):
        if line[column : column + 1] and line[column].strip():
            yield Value.of(line[0], number, grid, n, column)


def _calls(names: Collection[str], word: str) -> bool:
    return word in names or any(name[:1] == word[:1] and begins(word, name) for name in names)


@lru_cache(maxsize=65536)
def _are_called(kinds: frozenset[str], groups: frozenset[str], word: str) -> bool:
    """True if a word matches the entities of a table, and not just a group of them."""
    return not _calls(groups, word) and _calls(kinds, word)


_BETWEEN = re.compile(r"[,;]")


@lru_cache(maxsize=65536)
def brief_words(text: str) -> frozenset[str]:
    """Return the words of a short value, or of a list of short items. Longer texts are prose: they mention many words
    that are not properties of their subject.

    >>> sorted(brief_words("Oak; red beech")), brief_words("A tall tree that we all know well, and love")
    (['beech', 'oak', 'red'], frozenset())
    """
    items = _BETWEEN.split(text)
    longest = _ITEM if len(items) > 1 else _BRIEF
    if any(len(item.split()) > longest for item in items):
        return frozenset()
    return frozenset(word for item in items for word in label_words(item))


@lru_cache(maxsize=1024)
def _counting(grid: Grid) -> tuple[int, ...]:
    """Return the columns, but for the first, that count the rows: 1, 2, 3."""
    rows = grid.table.rows
    texts = [["".join(row[at : at + 1]) for row in rows] for at in range(1, len(grid.column_labels))]
    wanted = [str(number) for number in range(1, len(rows) + 1)]
    return tuple(at for at, column in enumerate(texts, start=1) if len(rows) > 1 and column == wanted)
