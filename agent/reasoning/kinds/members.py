"""Find the members of a kind: table rows and records of one shape, from all places in the collection.

The collection defines a kind by a caption, a heading, the header of a first column, a folder, the name of a group of
rows, a word of many names, or a value that many entities have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import methodcaller
from pathlib import PurePath

from agent.languages.language import Language
from agent.reasoning.kinds.alike import Heads, Numbered, is_turned, joined, same_heads
from agent.reasoning.kinds.common import MOST_TABLES, of_same_shape
from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.reasoning.measures.dimensions import without_unit
from agent.reasoning.values.conditions import flag_of
from agent.reasoning.values.totals import is_total
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.match import label_words
from retrieval.tables.names import SHORT, name_keys, without_part
from retrieval.tables.remembered import cached_by_collection
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

MOST_MEASURES = 8
"""The most column headers that are tried as the measure."""
_FEW_TABLES = 60
"""The most tables of a kind that are searched without a matching header."""
_MANY = 10
"""The fewest records with a word in their names that make the word a kind."""
_MOSTLY = 0.5
"""The share of a header's words that a question must have."""


def kinds_of(question: Tagged, index: Cells) -> Iterator[list[Member]]:
    """Yield the members of each shape that may be asked for: those with headers, or of kinds, that the
    question names.
    """
    numbers = _asked_about(question, index)
    tables, whole = _looked_in(index, numbers)[0], _whole(index, numbers)
    limited = question.best or question.numbers
    owners = list(_owners(question, index)) if limited else []
    measures = {phrase(group[0].key) for group in owners} | question.language.sums
    shapes = (_rows_of(_with_rows(some), heads) for some, heads in tables)
    rows = (_without(measures, group) for group in (*shapes, list(map(_record, whole))))
    said = [name for i, word in question.words() for name in (word, *question.implied_of_kind(i))]
    keys = {mention.key for mention in question.names}.union(*(name_keys(name)[:1] for name in said))
    measured = grids_of(index.places(sorted(keys), (Kind.ROW,)))
    beside = _side_by_side(
        {*measured, *(number for some, _ in tables for number, _ in some)},
        measured if limited else (),
        index,
        question.language,
    )
    groups = (*rows, *beside, *owners, *map(list, _all_series(index, numbers)))
    named = methodcaller("named_for", question.tokens)
    for group in sorted((filter(None, groups)), key=len, reverse=True):
        yield list(map(named, group))


def rows_of(question: Tagged, index: Cells) -> Iterator[Member]:
    """Yield all table rows in which members of a kind are searched for, including rows that are measures of others."""
    for some, heads in _looked_in(index, _asked_about(question, index))[0]:
        yield from _rows_of(some, heads)


def _asked_about(question: Tagged, index: Cells) -> frozenset[int]:
    """Return the numbers of the tables with headers, or of kinds, that the question names."""
    words = [word for _, word in question.words()]
    implied = [said for i, _ in question.words() for said in question.implied_of_kind(i)]
    named = list(_measures([*words, *implied, *instead_of(question)], index, question.language))
    under = set(grids_of(place for name in named for place in index.heads[name]))
    called = list(map(index.of_kind, said_of_kinds(question)))
    if not named or not (question.best or question.numbers):
        under |= {each for numbers in called for each in numbers if len(numbers) <= MOST_TABLES}
        for word in words:
            under |= {*index.holding(word), *grids_of(_called(word, index))}
    for word in said_of_kinds(question):
        under |= of_same_shape(index, word)
    if question.best or question.numbers:  # the measure or limit may match only by a unit
        under |= {each for numbers in called for each in numbers if len(numbers) <= _FEW_TABLES}
    return frozenset(under)


_Records = tuple[tuple[int, Grid], ...]
"""The records of one entity."""
_Apart = tuple[Sequence[tuple[Numbered, Heads]], Mapping[tuple[str, str], Numbered]]


@cached_by_collection(64)
def _grids(index: Cells, numbers: frozenset[int]) -> Numbered:
    """Return the tables where members are searched for, with their numbers: these, and all pieces of them."""
    return tuple((each, index.grid(each)) for each in sorted(_with_pieces(numbers, index))[:MOST_TABLES])


@cached_by_collection(64)
def _looked_in(index: Cells, numbers: frozenset[int]) -> _Apart:
    """Return where members are searched for: the row tables of each kind with their shared headers, and the records by
    the home of their entity.
    """
    return _apart(_grids(index, numbers))


@cached_by_collection(64)
def _whole(index: Cells, numbers: frozenset[int]) -> Sequence[_Records]:
    """Return all records of each entity that has one of the tables."""
    return [_with_all(key, own, index) for key, own in _looked_in(index, numbers)[1].items()]


@cached_by_collection(64)
def _all_series(index: Cells, numbers: frozenset[int]) -> Sequence[Sequence[Member]]:
    """Return the records that are series of lines, each as its lines."""
    return list(filter(None, (_series(each, grid) for each, grid in _grids(index, numbers))))


def _apart(grids: Numbered) -> _Apart:
    """Return the row tables grouped by kind, and the records by the home of their entity.

    A table with a single row is a record, unless its first header is that of a table of rows.
    """
    tables: list[tuple[int, Grid]] = []
    records: dict[tuple[str, str], list[tuple[int, Grid]]] = {}
    of_rows = [grid for _, grid in grids if _is_table(grid)]
    whole_tables, heads = (
        {grid.table_id for grid in of_rows},
        {phrase(grid.column_labels[0]) for grid in of_rows} - {()},
    )
    for each, grid in grids:
        is_row = grid.is_cut_row or grid.table_id in whole_tables or phrase(grid.column_labels[0]) in heads
        if grid.table.is_record or (grid.is_single and not is_row):
            records.setdefault(_home(grid), []).append((each, grid))
        else:
            tables.append((each, grid))
    return joined(tables), records


@lru_cache(maxsize=8192)
def _record(grids: tuple[tuple[int, Grid], ...]) -> Member:
    """Return the entity of some records; cached, so that its name and values are computed once."""
    return Member(grids)


@lru_cache(maxsize=8192)
def _series(number: int, grid: Grid) -> tuple[Member, ...]:
    """Return the lines of a record that form a numbered series, like table rows: *Grade 8: 4%*, *Grade 9 - 10: 6%*."""
    said = [phrase(row[0]) for row in grid.table.rows]
    is_alike = len({words[:1] for words in said}) == 1 and all(
        map(is_number, (word for words in said for word in words[1:]))
    )
    is_series = grid.table.is_record and len(said) > FEWEST and all(words[1:] for words in said) and is_alike
    return tuple(Member(((number, grid),), at) for at in range(len(said))) if is_series else ()


def _without(measures: Collection[Label], members: Sequence[Member]) -> list[Member]:
    """Return the members without the rows that are a measure of others, or a sum."""
    return [member for member in members if phrase(member.name) not in measures]


def _with_pieces(numbers: Iterable[int], index: Cells) -> set[int]:
    """Return the tables with all pieces of those that were split: rows can be counted only if none is missing."""
    found = set(sorted(numbers)[:MOST_TABLES])
    cut = {grid.table_id: grid for grid in map(index.grid, found) if without_part(grid.title) != grid.title}
    for whole, grid in cut.items():
        places = index.places(name_keys(without_part(grid.title))[:1], (Kind.TITLE,))
        found |= {number for number in grids_of(places) if index.grid(number).table_id == whole}
    return found


def _side_by_side(
    numbers: Collection[int], measured: Collection[int], index: Cells, language: Language
) -> Iterator[list[Member]]:
    """Yield the columns of each transposed table, of each table of flags, and of each `measured` table without a header
    over its row names.
    """
    for number in sorted(numbers):
        grid = index.grid(number)
        is_open = number in measured and not grid.column_labels[0]
        if not grid.is_single and (is_turned(grid) or is_open or is_of_flags(grid, language)):
            yield [Member(((number, grid),), None, column) for column in range(1, len(grid.column_labels))]


@lru_cache(maxsize=4096)
def is_of_flags(grid: Grid, language: Language) -> bool:
    """True for a table whose cells all say yes or no: its columns have its rows, as its rows have its columns."""
    told = {flag_of(cell, language) for row in grid.table.rows for cell in row[1:] if cell.strip()}
    return not grid.table.is_record and len(grid.column_labels) > FEWEST and True in told and told <= {True, False}


def _owners(question: Tagged, index: Cells) -> Iterator[list[Member]]:
    """Yield the entities that each have a table with a row that the question names: the *port* of every output."""
    for key in (mention.key for mention in question.names if not mention.key.startswith(SHORT)):
        rows: list[tuple[int, Grid, int]] = []
        for place in index.places([key], (Kind.ROW,)):
            if not place.grid or place.at is None:
                continue
            grid = index.grid(place.grid)
            if grid.headings and not grid.table.is_record:
                rows.append((place.grid, grid, place.at))
        depth = _depth([(grid.source, *grid.headings) for _, grid, _ in rows])
        if depth is None:
            continue
        owned: dict[tuple[str, ...], list[Member]] = {}
        for number, grid, at in rows:
            if len(grid.headings) > depth:
                path = (grid.source, *grid.headings[: depth + 1])
                owned.setdefault(path, []).append(Member(((number, grid),), None, None, (at,), depth))
        if len(owned) >= FEWEST:
            members = [min(some, key=lambda each: len(each.grid.headings)) for some in owned.values()]  # the nearest
            heads = same_heads([member.grid for member in members])
            yield [replace(member, heads=heads) for member in members]


def _depth(paths: Sequence[tuple[str, ...]]) -> int | None:
    """Return the outermost heading level at which most tables have their own heading; None if there is none."""
    for depth in range(max(map(len, paths), default=1) - 1):
        own = {path[: depth + 2] for path in paths if len(path) > depth + 1}
        if FEWEST <= len(own) and len(own) >= _MOSTLY * len(paths):
            return depth
    return None


def _home(grid: Grid) -> tuple[str, str]:
    """Return the page that describes an entity, or the folder if the page is all about it; and its title."""
    title = without_part(grid.title)
    is_page = grid.headings[:1] == (title,)
    return _folder_of(grid.source) if is_page else grid.source, title


@lru_cache(maxsize=4096)
def _folder_of(source: str) -> str:
    return str(PurePath(source).parent)


def _with_all(key: tuple[str, str], grids: Sequence[tuple[int, Grid]], index: Cells) -> _Records:
    """Return the records of one entity: the found ones, and all others under its title."""
    found = dict(grids)
    places = index.places(name_keys(key[1])[:1], (Kind.TITLE,))
    for each in sorted({*grids_of(places)} - found.keys()):
        grid = index.grid(each)
        if _home(grid) == key and (grid.table.is_record or grid.is_single):
            found[each] = grid
    return tuple(sorted(found.items(), key=lambda each: each[0]))


def instead_of(question: Tagged) -> tuple[str, ...]:
    """Return the measures that rank a kind if it has no label for the adjective's own measure: the *Fee units a year*
    of the most expensive, the density of the heaviest.
    """
    adjective = question.adjective
    if adjective is None or not question.best:
        return ()
    return (*adjective.scale.measures, *adjective.scale.instead)


def said_of_kinds(question: Tagged) -> list[str]:
    """Return the words of a question that may name a kind, including some that are usually question words."""
    no_kind = question.language.function_words | question.language.adjectives.keys()
    said = enumerate(question.tokens)
    return [word for i, word in said if not (i in question.asking or word in no_kind) and word.isalpha()]


def _called(word: str, index: Cells) -> list[Place]:
    keys = index.names_with_words([word])
    return index.places(keys, (Kind.ROW, Kind.TITLE, Kind.SUBJECT)) if keys else []


def _measures(words: Sequence[str], index: Cells, language: Language) -> list[str]:
    """Return the column headers and labels that share most words with a question, the best first."""
    found = []
    meant = frozenset[str]().union(*map(index.measure_forms, words))
    for name in index.heads_with(meant):
        said = label_words(name)
        told = [word for word in said if word in meant]
        if told and len(told) >= _MOSTLY * len(label_words(without_unit(name, language)) or said):
            found.append((len(told), len(told) / len(said), name))
    return [name for _, _, name in sorted(found, reverse=True)[:MOST_MEASURES]]


def _with_rows(grids: Numbered) -> Numbered:
    """Return the tables of one kind whose rows are entities. If transposed ones are the minority, they are taken as
    rows.
    """
    rows = [each for each in grids if not is_turned(each[1])]
    return grids if len(rows) > _MOSTLY * len(grids) else rows


def _rows_of(grids: Numbered, heads: Heads) -> list[Member]:
    """Return the rows of tables of one kind, under their shared headers."""
    return [member for number, grid in grids for member in _rows(grid, number, heads)]


@lru_cache(maxsize=4096)
def _rows(grid: Grid, number: int, heads: tuple[tuple[str, str], ...]) -> tuple[Member, ...]:
    """Return the rows of a table that have a key and a value."""
    rows = list(enumerate(grid.table.rows))
    if is_total(grid.table.rows):
        rows.pop()
    return tuple(
        Member(((number, grid),), at, heads=heads) for at, row in rows if row and phrase(row[0]) and any(row[1:])
    )


def is_kind(word: str, index: Cells) -> bool:
    """True for a word that names the rows of a table, or many records, or is the label of the names of several."""
    tables = sorted(index.of_kind(word))
    if len(tables) >= _MANY:
        return True
    grids = list(map(index.grid, tables))
    is_of_rows = any(len(grid.table.rows) >= FEWEST for grid in grids if _is_table(grid))
    return is_of_rows or sum(word in grid.kind_named for grid in grids) >= FEWEST


def _is_table(grid: Grid) -> bool:
    return not (grid.table.is_record or grid.is_single)
