"""Cells: one value with the labels of its row and column, and the place where it can be read.

A `Grid` is a table with its surroundings: the titles and headings that name it, and the groups that name its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import takewhile
from pathlib import PurePath
from typing import Any

import orjson

from retrieval.tables.axes import corner
from retrieval.tables.facts import Facts
from retrieval.tables.names import part_of
from retrieval.tables.row_names import RowKeys, group_rows
from retrieval.tabular import Box, SheetPlace
from retrieval.text.english import LISTS
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, phrase
from retrieval.types import Chunk, Table

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Cell:
    """A value by reference: `table` counts the tables of the chunk, `row` and `column` those of the table, from 0.

    `row_path` and `column_path` are the labels of its row and column, outermost first.
    """

    chunk_id: str
    title: str
    source: str
    page: int | None
    line: int | None
    table: int
    row: int
    column: int
    caption: str
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    text: str
    axis: str = ""
    """The head of the key column: the axis of a number at the head of its row."""
    address: str = ""
    """Its address in a spreadsheet."""
    is_inferred: bool = False
    """True if a reader inferred the rows and columns of its table."""
    page_label: str = ""
    """The label printed on its page, if it differs from the page number."""
    box: Box | None = None
    """Where its table stands on the page."""
    sentence: str = ""
    """The sentence that states the value, if it comes from prose and not from a label."""

    @property
    def row_label(self) -> str:
        """The key of its row."""
        return self.row_path[-1] if self.row_path else ""

    @property
    def column_label(self) -> str:
        """The head of its column, outermost first; empty in a record."""
        return " ".join(self.column_path)

    @property
    def quote(self) -> str:
        """The cell in one line: *Longsword / Cost = 15 gp*, *Hit Points = 59*; or its sentence."""
        if self.sentence:
            return self.sentence
        labels = [part for part in (" ".join(self.row_path), self.column_label) if part]
        return f"{' / '.join(labels)} = {self.text}"


@lru_cache(maxsize=4096)
def words_of_file(name: str) -> tuple[str, ...]:
    """Return the words of a file or folder name, with those of camel case split.

    A camel-case name with function words in it, *pilotsAndCrews*, is not split: it does not say what its contents are.

    >>> words_of_file("riverPilots"), words_of_file("river-pilots")
    (('riverpilot', 'river', 'pilot'), ('river', 'pilot'))
    """
    apart = phrase(_CAPITAL.sub(" ", name))
    return (*phrase(name), *(apart if apart != phrase(name) and STOP_WORDS.isdisjoint(apart) else ()))


@lru_cache(maxsize=4096)
def _file_of(source: str) -> PurePath:
    """Return the path of a source without the collection's name before it."""
    return PurePath(source.rpartition(":")[2])


@dataclass(frozen=True)
class Grid:
    """A table of a chunk with all that names it. `table_id` is the same for all pieces of one table of the book."""

    chunk_id: str
    number: int
    title: str
    source: str
    page: int | None
    line: int | None
    headings: tuple[str, ...]
    subjects: tuple[str, ...]
    table: Table
    page_sort: tuple[str, ...] = ()
    """The words for what the pages of its folder are: the *plugin* of *input plugin*."""
    enclosing_heading_count: int = 0
    """The number of headings that name a thing of which the table describes a part."""
    stored_facts: Facts | None = field(default=None, compare=False)
    """Facts read from an index; None if they have yet to be computed."""

    def __hash__(self) -> int:
        return self._hash  # a table has thousands of cells, and hashing all of them is slow

    @cached_property
    def _hash(self) -> int:
        return hash((self.chunk_id, self.number))

    @classmethod
    def from_chunk(
        cls, chunk: Chunk, sort: tuple[str, ...] = (), thing: str = "", enclosing_heading_count: int = 0
    ) -> Iterator[Grid]:
        """Yield the tables of a chunk. If its rule has several groups, the first one holds the subjects.

        `thing` is the owner of the records, for a chunk whose title is only a role.
        """
        rule = chunk.query_must
        subjects = rule.contain_one_of[0] if rule and len(rule.contain_one_of) > 1 else ()
        for number, table in enumerate(chunk.tables):
            title = thing if thing and table.is_record else chunk.title
            yield cls(
                chunk.id, number, title, chunk.source, chunk.page, chunk.line, chunk.headings, subjects,
                table, sort, enclosing_heading_count,
            )  # fmt: skip

    @cached_property
    def table_id(self) -> str:
        """An identifier shared by all pieces of one table."""
        return f"{self.source}\n{self.line}\n{self.table.caption}"

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """For each row the name of its group, a row with only one text; empty without a group."""
        if not self._group_rows:
            return ("",) * len(self.table.rows)
        group, found = "", []
        for at, row in enumerate(self.table.rows):
            group = row[0].strip(" *:") if at in self._group_rows else group
            found.append("" if at in self._group_rows else group)
        return tuple(found)

    @cached_property
    def _group_rows(self) -> frozenset[int]:
        return group_rows(self.table.rows)

    @cached_property
    def group_words(self) -> frozenset[str]:
        """The words of all group names."""
        return frozenset(word for group in self.groups for word in phrase(group))

    @cached_property
    def row_paths(self) -> tuple[tuple[str, ...], ...]:
        """For each row its labels: the name of its group, its key, and behind a numeric key its name."""
        return tuple(map(self._path_of, range(len(self.table.rows))))

    def _path_of(self, row: int) -> tuple[str, ...]:
        return tuple(part for part in (self.groups[row], *self.row_names(row)) if part)

    @cached_property
    def column_labels(self) -> tuple[str, ...]:
        """For each column its head in one line."""
        return tuple(" ".join(path) for path in self.table.columns)

    @property
    def own_name(self) -> str:
        """The name of the table in place: its caption, else its nearest heading."""
        return self.table.caption or (self.headings[-1] if self.headings else self.title)

    @cached_property
    def full_labels(self) -> tuple[str, ...]:
        """For each column its head, or the table's name if that spells the head out: under *Peat permits by county* the
        head *Permits* becomes that name, the head *Peat* stays.
        """
        name = self.own_name
        said = tuple(takewhile(lambda word: word not in STOP_WORDS, phrase(name)))
        ends = {said[at:] for at in range(1, len(said))}
        return tuple(name if phrase(label) in ends else label for label in self.column_labels)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The distinct labels of a record, or heads of a table."""
        every = (row[0] for row in self.table.rows) if self.table.is_record else self.column_labels
        return tuple(dict.fromkeys(label for label in every if label.strip()))

    @cached_property
    def row_choices(self) -> tuple[str, ...]:
        """For each row its label without numbers and group names; empty for a single row."""
        if self.is_single and not self.is_piece:
            return ("",)
        if self.table.is_record:
            return tuple(_without_numbers(path[-1:]) for path in self.row_paths)
        paths = zip(self.row_paths, self.groups, strict=True)
        return tuple(_without_numbers(path[1 if group else 0 :]) for path, group in paths)

    @cached_property
    def column_choices(self) -> tuple[str, ...]:
        """For each column its head in one line; empty for numeric heads, which keys choose by."""
        return tuple(_without_numbers((label,)) for label in self.column_labels)

    @cached_property
    def context(self) -> frozenset[str]:
        """The words of everything that names the table: titles, headings, caption, and the file and folders of its
        source.
        """
        said = map(phrase, (*self.names, *self.page_sort))
        return self.folder_words.union(words_of_file(self._file.stem), *said)

    @cached_property
    def facts(self) -> Facts:
        """The facts that ingestion computed, or else computed now."""
        if self.stored_facts is not None:
            return self.stored_facts
        chosen = (row for row in range(len(self.table.rows)) if row not in self._group_rows)
        return Facts.of(self.table, self.row_paths, chosen)

    @property
    def _file(self) -> PurePath:
        """Its file, without the collection's name before it."""
        return _file_of(self.source)

    @cached_property
    def folder_words(self) -> frozenset[str]:
        """The words of the folders that contain its file."""
        return frozenset(word for folder in self._file.parts[:-1] for word in words_of_file(folder))

    @cached_property
    def kind_named(self) -> tuple[str, ...]:
        """The words of the first label of a record, if its value is the record's name: *Dish: Walnut Cake*."""
        first = self.table.rows[0] if self.table.is_record and self.table.rows else ()
        is_name = len(first) > 1 and phrase(first[1]) in map(phrase, (self.title, *self.headings[-1:]))
        return phrase(first[0]) if is_name else ()

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The words for the kind of its things: from headings, caption, folders, file name and first head or label.

        A part of a thing does not inherit the kind of the thing, and a file of *boletes-and-caps* holds both.
        """
        folders = (*self._file.parts[:-1], self._file.stem, *self.page_sort)
        outer = () if self.enclosing_heading_count else folders
        first = [head for column in self._keys.columns for head in self.table.columns[column][-1:]]
        own = (*self.subjects, self.table.caption, self.title, *self.headings[self.enclosing_heading_count :])
        files = (word for name in outer if LISTS.isdisjoint(phrase(name)) for word in words_of_file(name))
        named = (word for name in (*own, *first) for word in phrase(name))
        return frozenset((*files, *named, *self.kind_named))

    @cached_property
    def enclosing_name_words(self) -> frozenset[str]:
        """The words of the names of the things of which the table describes a part."""
        return frozenset(word for name in self.headings[: self.enclosing_heading_count] for word in phrase(name))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the table, nearest first."""
        own = (self.table.caption, self.title) if self.table.caption else (self.title,)
        return tuple(dict.fromkeys((*self.subjects, *own, *reversed(self.headings))))

    @cached_property
    def corner(self) -> str:
        """The head of the first column if it names the axis across; else empty."""
        return corner(self.table)

    @cached_property
    def corner_words(self) -> frozenset[str]:
        """The words of the head of the first column, which names the rows or the axis across."""
        return frozenset() if self.table.is_record else frozenset(phrase(self.column_labels[0]))

    @property
    def is_single(self) -> bool:
        """True if the table has one row of values under heads: no row has to be chosen."""
        return not self.table.is_record and len(self.table.rows) == 1

    @property
    def is_cut_row(self) -> bool:
        """True for one row of a larger table that ingestion made its own chunk: its title ends with head and key."""
        key = self.table.rows[0][0] if self.is_single else ""
        return bool(key) and self.title.endswith(f" - {self.column_labels[0]} {key}")

    @property
    def is_piece(self) -> bool:
        """True for a part of a larger table: a row that is its own chunk, or rows whose title has the part's number."""
        return self.is_cut_row or part_of(self.title)[1] > 1

    @cached_property
    def _keys(self) -> RowKeys:
        return RowKeys(self.table, self.is_cut_row)

    def row_names(self, row: int) -> tuple[str, ...]:
        """Return the labels of a row: its key, and the name beside it if the key is only a number or a code, or shared
        by several rows.
        """
        return self._keys.names(row)

    @property
    def is_coded(self) -> bool:
        """True if the rows have codes as keys, and names beside them."""
        return self._keys.are_codes

    def is_on_axis(self, key: str) -> bool:
        """True if a row's key is a number on an axis. Among names *40 Winks* is one more name."""
        return self._keys.is_on_axis(key)

    def cell(self, row: int, column: int) -> Cell:
        """Return the cell at a place; `IndexError` outside the table."""
        table = self.table
        page = table.row_pages[row] if table.row_pages else self.page
        address = table.place.address(row, column) if table.place else ""
        return Cell(
            self.chunk_id, self.title, self.source, page, self.line, self.number, row, column, table.caption,
            self.row_path(row, column), table.columns[column], table.rows[row][column], self.column_labels[0], address,
            table.is_inferred, sentence=table.sentences[row] if table.sentences else "",
        )  # fmt: skip

    def row_path(self, row: int, column: int) -> tuple[str, ...]:
        """Return the labels of a cell's row; empty for the first column, unless the table is a record."""
        return self._path_of(row) if column or self.table.is_record else ()

    def label_value_pairs(self, row: int) -> list[tuple[str, str]]:
        """Return the labels and texts of a row; for a record those of all its lines, in order."""
        table = self.table
        if table.is_record:
            return [(cells[0], cells[-1]) for cells in table.rows]
        return list(zip(self.column_labels, table.rows[row], strict=False))

    def places(self, row: int | None = None, column: int | None = None) -> Iterator[tuple[int, int]]:
        """Yield the row and column of every cell with a value, or of those in one `row` or `column`; not of row
        keys.
        """
        is_key = not self.is_single or not self.table.columns[0] or self.is_piece
        first = 1 if is_key else 0
        for at in range(len(self.table.rows)) if row is None else (row,):
            values = self.table.rows[at]
            for place in range(first, len(values)) if column is None else (column,):
                if first <= place < len(values) and values[place].strip():
                    yield at, place

    def to_json(self) -> bytes:
        """Return the grid as JSON."""
        table = self.table
        around = (self.title, self.source, self.page, self.line, self.headings, self.subjects)
        own = (table.caption, table.columns, table.rows, table.notes, self.enclosing_heading_count)
        places = (table.row_pages, table.place, table.is_inferred, table.sentences)
        return orjson.dumps((*around, *own, self.page_sort, self.facts.to_json(), *(places if any(places) else ())))

    @classmethod
    def from_json(cls, chunk_id: str, number: int, data: bytes) -> Grid:
        """Return the grid that `to_json` wrote."""
        found = orjson.loads(data)
        title, source, page, line, headings, subjects, caption, columns, rows, notes, within, sort, facts = found[:13]
        row_pages, place, is_inferred, sentences = found[13:] or ((), None, False, ())
        sheet = place and SheetPlace(place["sheet"], tuple(place["rows"]), tuple(place["columns"]))
        table = Table(
            caption, _tuples(columns), _tuples(rows), tuple(notes), tuple(row_pages), sheet, is_inferred,
            sentences=tuple(sentences),
        )  # fmt: skip
        return cls(
            chunk_id, number, title, source, page, line, tuple(headings), tuple(subjects), table,
            tuple(sort), within, Facts.from_json(facts),
        )  # fmt: skip


def _without_numbers(labels: Sequence[str]) -> str:
    """Join labels in one line, leaving out the numeric ones."""
    return " ".join(label for label in labels if label and read_label(label).span is None)


def _tuples(rows: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(map(tuple, rows))
