"""Facts about a table, computed once at ingestion so that a question need not read its cells.

They are the rows of each word, and the rows and columns with a number in their label.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from retrieval.tables.match import WordForms, letters_of_codes
from retrieval.text.calendar import words_and_days
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, phrase
from retrieval.types import Table

NumberAxis = Literal["rows", "columns", ""]
_HEADS = -1
"""The row number that stands for the heads of columns."""
_MOSTLY = 0.5
"""The share of bare numeric heads from which the columns are an axis of numbers, whatever the other heads are."""


@dataclass(frozen=True)
class Facts:
    """The words of a table with their rows, its rows and columns with a number in their label, and its number axis.

    The number axis is the only axis whose labels are numbers or bands; a number without words chooses on it.

    >>> from retrieval.types import Table
    >>> table = Table("", (("Level",), ("Feature",)), (("1", "Sneak attack"), ("2-3", "Evasion")))
    >>> facts = Facts.of(table, [("1",), ("2-3",)], [0, 1])
    >>> sorted(facts.rows_with(["attack", "feature"])), sorted(facts.numbered_rows), facts.number_axis
    ([0], [0, 1], 'rows')
    """

    words: Mapping[str, Sequence[int]]
    numbered_rows: frozenset[int]
    numbered_columns: frozenset[int]
    number_axis: NumberAxis
    _rows_by_form: dict[str, frozenset[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, table: Table, row_paths: Sequence[Sequence[str]], chosen: Iterable[int]) -> Facts:
        """Compute the facts of a table; `chosen` are its rows that are not group names."""
        return cls(
            _rows_by_word(table),
            frozenset(row for row, path in enumerate(row_paths) if any(map(_contains_number, path))),
            frozenset(column for column, path in enumerate(table.columns) if any(map(_contains_number, path))),
            _number_axis(table, [row_paths[row] for row in chosen if row_paths[row]]),
        )

    @cached_property
    def forms(self) -> WordForms:
        """Every word of the table: heads, keys and values."""
        return WordForms(self.words)

    def rows_with(self, words: Collection[str]) -> frozenset[int]:
        """Return the rows that contain any of the words in exactly this form."""
        return frozenset(row for word in words for row in self.words.get(word, ()) if row != _HEADS)

    def rows_with_form(self, word: str) -> frozenset[int]:
        """Return the rows that contain any form of a word."""
        if word not in self._rows_by_form:
            self._rows_by_form[word] = self.rows_with(self.forms.of(word))
        return self._rows_by_form[word]

    def to_json(self) -> tuple[Any, ...]:
        """Return the facts as JSON-ready values."""
        return (self.words, sorted(self.numbered_rows), sorted(self.numbered_columns), self.number_axis)

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Facts:
        """Return the facts that `to_json` wrote."""
        words, rows, columns, axis = data
        return cls(words, frozenset(rows), frozenset(columns), axis)


def _rows_by_word(table: Table) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    heads = [" ".join(path) for path in table.columns]
    for row, texts in ((_HEADS, heads), *enumerate(table.rows)):
        said = [word for text in texts for word in words_and_days(text)]
        for word in dict.fromkeys((*said, *letters_of_codes(said))):
            found.setdefault(word, []).append(row)
    return found


def _number_axis(table: Table, row_paths: Sequence[Sequence[str]]) -> NumberAxis:
    columns = table.columns[1:]
    plain = sum(map(_is_number, columns))
    by_rows = not table.is_record and len(row_paths) > 1 and all(map(_has_number, row_paths))
    by_columns = not table.is_record and len(columns) > 1 and all(map(_has_number, columns))
    by_columns = by_columns or (not table.is_record and plain > 1 and plain >= _MOSTLY * len(columns))
    if by_rows == by_columns:
        return ""
    return "rows" if by_rows else "columns"


def _is_number(path: Sequence[str]) -> bool:
    """True for a head that is only a number: *2014*, unlike *row total*."""
    return len(path) == 1 and is_number(path[0])


def _has_number(path: Sequence[str]) -> bool:
    """True for a label that is a number or a band, with or without a name: *65+*, *Adult (18-64)*."""
    return any(read_label(part).span is not None for part in path)


def _contains_number(label: str) -> bool:
    """True for a label that contains a number: *Level 4-6*, *Top-1 accuracy*."""
    return read_label(label).span is not None or any(map(is_number, phrase(label)))
