"""The members of a kind: rows of tables and records of one shape, from all the places where the collection has them.

A kind is what the collection says it is: a caption, a heading, the head of the first column, a folder, the name above a
group of rows, a word of many names, a value that many have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import PurePath
from typing import NamedTuple

from agent.languages.language import Language
from agent.reasoning.structure.alike import joined, same_heads
from agent.reasoning.structure.brief import brief_words
from agent.reasoning.structure.dimensions import without_unit
from agent.understanding.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.match import begins, said_words, same_word
from retrieval.tables.names import SHORT, is_numbered, name_keys, short_key, short_keys, without_part, words_in
from retrieval.tables.writing import Kind
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import is_number, phrase

FEWEST = 2
"""Members of a kind; of one there is no best."""
MOST_MEASURES = 8
"""Heads that are tried as what is asked."""
MOST_TABLES = 4000
"""Tables and records that the members of a kind are looked for in."""
_MANY = 10
"""Records that the collection calls by one word for it to be a kind."""
_MOSTLY = 0.5
"""The share of a head that a question has to hold."""
_FEW = 4
"""Words of a value in a row that somebody has; more describe it."""
_LONGEST_LIST = 200
"""Characters of a value that may be a list of what somebody is."""
Label = tuple[str, ...]
"""A head or label by its words."""


class Value(NamedTuple):
    """What stands under a label, by reference: the label with its words, the text, and the cell of a numbered table."""

    label: str
    words: Label
    text: str
    number: int
    grid: Grid
    row: int
    column: int

    def holds(self, word: str) -> bool:
        """True for a brief value that has a word, or for a list of which an item has it."""
        if not is_identifier(word) and self.row not in self.grid.facts.rows_telling(word):
            return False
        said = brief_words(self.text)
        return word in said or (len(word) > 3 and any(same_word(word, other) for other in said))


@dataclass(frozen=True)
class Member:
    """One member of a kind, which a collection may write in four ways.

    A row of a table: `at` is the row. A record, with all records of the same thing: `at` is None. A column, where
    things stand side by side: `across` is the column. A table of its own: `rows` are its measures, `depth` counts the
    headings above its own, and `heads` are what the tables of other members call its columns.
    """

    grids: tuple[tuple[int, Grid], ...]
    at: int | None = None
    across: int | None = None
    rows: tuple[int, ...] = ()
    depth: int = 0
    heads: tuple[tuple[str, str], ...] = ()

    @property
    def grid(self) -> Grid:
        """The first of its tables."""
        return self.grids[0][1]

    @property
    def name(self) -> str:
        """Who it is."""
        if self.rows:
            return self.grid.headings[self.depth]
        if self.across is not None:
            return self.grid.column_labels[self.across].strip(" *")
        if self.at is not None:
            return self.grid.row_names(self.at)[-1].strip(" *")
        if self.grid.is_single and _is_titled(self.grid):
            return self.grid.table.rows[0][0].strip(" *")
        headings = self.grid.headings
        return without_part(self.grid.title if self.grid.title in headings or not headings else headings[-1])

    @property
    def key(self) -> str:
        """The key of the row that it has its measures in."""
        return self.grid.table.rows[self.rows[0]][0].strip(" *") if self.rows else ""

    @cached_property
    def values(self) -> list[Value]:
        """Its labels with what stands under them."""
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
        """The words that it alone of its table has: those of its name, and of the group that it stands in."""
        group = self.grid.groups[self.at] if self.at is not None else ""
        return words_in(self.name) | frozenset(phrase(group))

    def is_called(self, word: str) -> bool:
        """True for a word that its name, its table's names or the group that it stands in have."""
        if _calls(self.own_words, word) or self._is_of_family(word):
            return True
        if self.rows:
            return _calls(self._above, word)
        return _are_called(self.grid.kinds, self.grid.group_words, word)

    def is_called_just(self, word: str) -> bool:
        """True for a word that they have so, and not as the beginning of another: no *light* is a *lightship*."""
        return word in self.own_words | (self._above if self.rows else self.grid.kinds) or self._is_of_family(word)

    def is_of_sort(self, word: str) -> bool:
        """True for the last word of its name, *No-knead Bread*, and for all that an item of a brief value says, as one
        of its tags does.
        """
        if phrase(self.name)[-1:] == (word,):
            return True
        items = (item for value in self.values if len(value.text) <= _LONGEST_LIST for item in value.text.split(","))
        return any(phrase(item) == (word,) for item in items)

    @cached_property
    def _above(self) -> frozenset[str]:
        """The words for what it is, without those of its table: of its folders, and the headings above it."""
        grid = self.grid
        folders = PurePath(grid.source.rpartition(":")[2]).parts[:-1]
        return frozenset(word for name in (*folders, *grid.headings[: self.depth], *grid.sort) for word in phrase(name))

    def _is_of_family(self, word: str) -> bool:
        """True for an identifier that is the first part of its own: the *m5* of *m5.large*."""
        return is_identifier(word) and short_key((word,)) in short_keys(self.name)

    def columns_with(self, word: str) -> list[Label]:
        """The labels of its cells that hold a word."""
        return [value.words for value in self.values if value.holds(word)] if self._may_hold(word) else []

    def _may_hold(self, word: str) -> bool:
        """False where no form of a word stands in its rows; an identifier may be a part of another word."""
        return is_identifier(word) or any(self._is_in(grid, word) for _, grid in self.grids)

    def _is_in(self, grid: Grid, word: str) -> bool:
        rows = grid.facts.rows_telling(word)
        return self.at in rows if self.at is not None and not grid.table.is_record else bool(rows)


def _is_titled(grid: Grid) -> bool:
    """True for a row that was made a chunk of its own, and whose key stands in the title."""
    key = phrase(grid.table.rows[0][0])
    return bool(key) and set(key) <= set(phrase(grid.title))


def _values(number: int, grid: Grid, at: int | None, heads: Mapping[str, str]) -> Iterator[Value]:
    """The labels and values of a row, or of a whole record."""
    table = grid.table
    if table.is_record:
        for n, line in enumerate(table.rows):
            if line[1:2] and line[1].strip():
                yield Value(line[0], phrase(line[0]), line[1], number, grid, n, 1)
        return
    row, values = at or 0, table.rows[at or 0]
    for column in range(0 if at is None else 1, min(len(table.columns), len(values))):
        if values[column].strip():
            label = heads.get(grid.column_labels[column], grid.column_labels[column])
            yield Value(label, phrase(label), values[column], number, grid, row, column)


def _value_in_series(number: int, grid: Grid, at: int) -> Value:
    """What a line of a series says: its label is no measure, so what is told of is what the record is called."""
    return Value(grid.title, phrase(grid.title), grid.table.rows[at][1], number, grid, at, 1)


def _values_in(number: int, grid: Grid, row: int, heads: Mapping[str, str]) -> Iterator[Value]:
    """The values of a row, each under its key and the head of its column; prose is none."""
    cells = grid.table.rows[row]
    for column in range(1, min(len(cells), len(grid.column_labels))):
        if 0 < len(cells[column].split()) <= _FEW and not cells[column].endswith("."):
            head = grid.column_labels[column]
            label = f"{cells[0].strip(' *')} {heads.get(head, head)}"
            yield Value(label, phrase(label), cells[column], number, grid, row, column)


def _values_across(number: int, grid: Grid, column: int) -> Iterator[Value]:
    """The labels and values of a column."""
    for n, line in enumerate(grid.table.rows):
        if line[column : column + 1] and line[column].strip():
            yield Value(line[0], phrase(line[0]), line[column], number, grid, n, column)


def _calls(names: Collection[str], word: str) -> bool:
    return word in names or any(name[:1] == word[:1] and begins(word, name) for name in names)


@lru_cache(maxsize=65536)
def _are_called(kinds: frozenset[str], groups: frozenset[str], word: str) -> bool:
    """True for a word of what the things of a table are, unless it names a group of them."""
    return not _calls(groups, word) and _calls(kinds, word)


def kinds_of(question: Tagged, index: Cells) -> Iterator[list[Member]]:
    """The members of each shape that may be asked for: under the heads, or of the kinds, that the question names."""
    words = [word for _, word in question.words()]
    implied = [said for i, _ in question.words() for said in question.implied_of_kind(i)]
    named = list(_measures([*words, *implied, *instead_of(question)], index, question.language))
    under = set(grids_of(place for name in named for place in index.heads[name]))
    called = [index.of_kind(word) for word in said_of_kinds(question)]
    if not (named or question.numbers) or not (question.best or question.numbers):
        under |= {each for numbers in called for each in numbers if len(numbers) <= MOST_TABLES}
        for word in words:
            under |= {*index.holding(word), *grids_of(_called(word, index))}
    tables: list[tuple[int, Grid]] = []
    records: dict[tuple[str, str], list[tuple[int, Grid]]] = {}
    grids = [(each, index.grid(each)) for each in sorted(_with_pieces(under, index))[:MOST_TABLES]]
    whole_tables = {grid.whole for _, grid in grids if _is_table(grid)}
    for each, grid in grids:
        if grid.is_cut_row and is_numbered(grid.table.rows[0][0]):
            continue  # a row of a table that is looked up by a number: nobody's
        if grid.table.is_record or (grid.is_single and grid.whole not in whole_tables and not grid.is_cut_row):
            records.setdefault(_home(grid), []).append((each, grid))
        else:
            tables.append((each, grid))
    whole = (_with_all(key, grids, index) for key, grids in records.items())
    limited = question.best or question.numbers
    owners = list(_owners(question, index)) if limited else []
    measures = {phrase(group[0].key) for group in owners} | question.language.sums
    shapes = (_rows_of(some, question.tokens) for some in joined(tables))
    rows = (_without(measures, group) for group in (*shapes, list(map(Member, whole))))
    beside = _side_by_side([*words, *implied], index) if limited else ()
    series = (list(_series(each, grid)) for each, grid in grids)
    yield from sorted((group for group in (*rows, *beside, *owners, *series) if group), key=len, reverse=True)


def _series(number: int, grid: Grid) -> Iterator[Member]:
    """The lines of a record that are numbered alike, as the rows of a table are: *Grade 8: 4%*, *Grade 9 - 10: 6%*."""
    said = [phrase(row[0]) for row in grid.table.rows]
    is_alike = len({words[:1] for words in said}) == 1 and all(
        map(is_number, (word for words in said for word in words[1:]))
    )
    if grid.table.is_record and len(said) > FEWEST and all(words[1:] for words in said) and is_alike:
        yield from (Member(((number, grid),), at) for at in range(len(said)))


def _without(measures: Collection[Label], members: Sequence[Member]) -> list[Member]:
    """The members but for the rows that are a measure of others, or the sum of all."""
    return [member for member in members if phrase(member.name) not in measures]


def _with_pieces(numbers: Iterable[int], index: Cells) -> set[int]:
    """The tables, and all other pieces of those that were cut: rows can be counted only where none is lacking."""
    found = set(numbers)
    cut = {grid.whole: grid for grid in map(index.grid, found) if without_part(grid.title) != grid.title}
    for whole, grid in cut.items():
        places = index.places(name_keys(without_part(grid.title))[:1], (Kind.TITLE,))
        found |= {number for number in grids_of(places) if index.grid(number).whole == whole}
    return found


def _side_by_side(words: Sequence[str], index: Cells) -> Iterator[list[Member]]:
    """The columns of each table that has a measure in a row, and no name for what its rows are."""
    keys = {key for word in words for key in name_keys(word)[:1]}
    for number in sorted(grids_of(index.places(sorted(keys), (Kind.ROW,)))):
        grid = index.grid(number)
        if not grid.is_single and not grid.column_labels[0]:
            yield [Member(((number, grid),), None, column) for column in range(1, len(grid.column_labels))]


def _owners(question: Tagged, index: Cells) -> Iterator[list[Member]]:
    """The things that have a table each with a row that the question names: the *port* of every output."""
    for key in (mention.key for mention in question.names if not mention.key.startswith(SHORT)):
        places = [place for place in index.places([key], (Kind.ROW,)) if place.grid and place.at is not None]
        rows = [
            (place.grid, index.grid(place.grid), place.at) for place in places if place.grid and place.at is not None
        ]
        rows = [(number, grid, at) for number, grid, at in rows if grid.headings and not grid.table.is_record]
        depth = _depth([(grid.source, *grid.headings) for _, grid, _ in rows])
        if depth is None:
            continue
        owned: dict[tuple[str, ...], list[Member]] = {}
        for number, grid, at in rows:
            if len(grid.headings) > depth:
                path = (grid.source, *grid.headings[: depth + 1])
                owned.setdefault(path, []).append(Member(((number, grid),), None, None, (at,), depth))
        if len(owned) >= FEWEST:
            members = [_nearest(some) for some in owned.values()]
            heads = same_heads([member.grid for member in members])
            yield [replace(member, heads=heads) for member in members]


def _depth(paths: Sequence[tuple[str, ...]]) -> int | None:
    """The outermost heading of which most tables have one of their own; None where none is."""
    for depth in range(max(map(len, paths), default=1) - 1):
        own = {path[: depth + 2] for path in paths if len(path) > depth + 1}
        if FEWEST <= len(own) and len(own) >= _MOSTLY * len(paths):
            return depth
    return None


def _nearest(members: Sequence[Member]) -> Member:
    """Of several tables of one thing that which stands nearest to its name."""
    return min(members, key=lambda member: len(member.grid.headings))


def _home(grid: Grid) -> tuple[str, str]:
    """The page where one thing is described, or the folder where several pages are about it; and its title."""
    title = without_part(grid.title)
    is_page = grid.headings[:1] == (title,)
    return str(PurePath(grid.source).parent) if is_page else grid.source, title


def _with_all(key: tuple[str, str], grids: Sequence[tuple[int, Grid]], index: Cells) -> tuple[tuple[int, Grid], ...]:
    """The records of one thing: those that were found, and what else stands under its title."""
    found = dict(grids)
    places = index.places(name_keys(key[1])[:1], (Kind.TITLE,))
    for each in sorted({*grids_of(places)} - found.keys()):
        grid = index.grid(each)
        if _home(grid) == key and (grid.table.is_record or grid.is_single):
            found[each] = grid
    return tuple(sorted(found.items(), key=lambda each: each[0]))


def instead_of(question: Tagged) -> tuple[str, ...]:
    """The measures by which the best is told where no label of its kind is no more than one that the adjective speaks
    of: the *Fee units a year* of the most expensive, the density of the heaviest.
    """
    adjective = question.scales.get(question.end) if question.end is not None else None
    if adjective is None or not question.best:
        return ()
    return (*adjective.scale.measures, *adjective.scale.instead)


def said_of_kinds(question: Tagged) -> list[str]:
    """The words of a question that may name a kind, those among them that usually ask included."""
    no_kind = question.language.small | question.language.adjectives.keys()
    said = (word for i, word in enumerate(question.tokens) if i not in question.asking)
    return [word for word in said if word not in no_kind and word.isalpha()]


def _called(word: str, index: Cells) -> list[Place]:
    keys = index.holders([word])
    return index.places(keys, (Kind.ROW, Kind.TITLE, Kind.SUBJECT)) if keys else []


def _measures(words: Sequence[str], index: Cells, language: Language) -> list[str]:
    """The heads and labels that share most words with a question, the best first."""
    found = []
    meant = frozenset[str]().union(*map(index.measured_as, words))
    for name in index.heads:
        said = said_words(name)
        told = [word for word in said if word in meant]
        if told and len(told) >= _MOSTLY * len(said_words(without_unit(name, language)) or said):
            found.append((len(told), len(told) / len(said), name))
    return [name for _, _, name in sorted(found, reverse=True)[:MOST_MEASURES]]


def _rows_of(grids: Sequence[tuple[int, Grid]], tokens: Collection[str]) -> list[Member]:
    """The rows of tables of one kind, under the heads that all of them share."""
    heads = same_heads([grid for _, grid in grids])
    return [replace(member, heads=heads) for number, grid in grids for member in _rows(grid, number, tokens)]


def _rows(grid: Grid, number: int, tokens: Collection[str]) -> Iterator[Member]:
    """The rows of a table that name something; a number names what the head above it says, where that is asked for."""
    heads = phrase(" ".join(grid.table.columns[0]))
    is_asked = any(same_word(token, head) for head in heads for token in tokens)
    for at, row in enumerate(grid.table.rows):
        if row and phrase(row[0]) and any(row[1:]) and (is_asked or not is_numbered(row[0])):
            yield Member(((number, grid),), at)


def is_kind(word: str, index: Cells) -> bool:
    """True for a word by which the collection calls the rows of a table, or many records."""
    tables = sorted(index.of_kind(word))
    grids = map(index.grid, tables)
    return len(tables) >= _MANY or any(len(grid.table.rows) >= FEWEST for grid in grids if _is_table(grid))


def _is_table(grid: Grid) -> bool:
    return not (grid.table.is_record or grid.is_single)
