"""What ingestion finds out about a table once, so that no question has to read its cells for it.

In which rows each word stands, and which rows and columns have a number at their head.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from retrieval.tables.match import WordForms, letters_of_codes
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, phrase
from retrieval.types import Table

NumberAxis = Literal["rows", "columns", ""]
_HEADS = -1
"""The row of the words that stand in the heads of columns."""
_MOSTLY = 0.5
"""The share of heads that are bare numbers from which columns are an axis of numbers, whatever the others are."""


@dataclass(frozen=True)
class Facts:
    """The words of a table with the rows that they stand in, its rows and columns with a number at their head, and the
    axis on which a number alone chooses: the only one whose labels are numbers or bands of them.

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
    _telling: dict[str, frozenset[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, table: Table, row_paths: Sequence[Sequence[str]], chosen: Iterable[int]) -> Facts:
        """The facts of a table, of which the rows that are `chosen` are no names of groups."""
        return cls(
            _rows_by_word(table),
            frozenset(row for row, path in enumerate(row_paths) if any(map(_says_number, path))),
            frozenset(column for column, path in enumerate(table.columns) if any(map(_says_number, path))),
            _number_axis(table, [row_paths[row] for row in chosen if row_paths[row]]),
        )

    @cached_property
    def forms(self) -> WordForms:
        """Every word of the table: its heads, keys and values."""
        return WordForms(self.words)

    def rows_with(self, words: Collection[str]) -> frozenset[int]:
        """The rows in which some of the words stand, just so."""
        return frozenset(row for word in words for row in self.words.get(word, ()) if row != _HEADS)

    def rows_telling(self, word: str) -> frozenset[int]:
        """The rows in which any form of a word stands."""
        if word not in self._telling:
            self._telling[word] = self.rows_with(self.forms.of(word))
        return self._telling[word]

    def to_json(self) -> tuple[Any, ...]:
        """The facts as JSON has them."""
        return (self.words, sorted(self.numbered_rows), sorted(self.numbered_columns), self.number_axis)

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Facts:
        """The facts that `to_json` wrote."""
        words, rows, columns, axis = data
        return cls(words, frozenset(rows), frozenset(columns), axis)


def _rows_by_word(table: Table) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    heads = [" ".join(path) for path in table.columns]
    for row, texts in ((_HEADS, heads), *enumerate(table.rows)):
        said = [word for text in texts for word in phrase(text)]
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
    """True for a head that is a number and nothing else: *2014*, beside *row total*."""
    return len(path) == 1 and is_number(path[0])


def _has_number(path: Sequence[str]) -> bool:
    """True for a label that is a number or a band of them, with or without a name: *65+*, *Adult (18-64)*."""
    return any(read_label(part).span is not None for part in path)


def _says_number(label: str) -> bool:
    """True for a label with a number somewhere: *Level 4-6*, *Top-1 accuracy*."""
    return read_label(label).span is not None or any(map(is_number, phrase(label)))
