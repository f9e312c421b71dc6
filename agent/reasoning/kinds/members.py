"""The members of a kind: rows of tables and records of one shape, from all the places where the collection has them.

A kind is what the collection says it is: a caption, a heading, the head of the first column, a folder, the name above a
group of rows, a word of many names, a value that many have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath

from agent.languages.language import Language
from agent.reasoning.kinds.alike import Heads, Numbered, is_turned, joined, same_heads
from agent.reasoning.kinds.common import MOST_TABLES, of_same_shape
from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.reasoning.measures.dimensions import without_unit
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.match import said_words, same_word
from retrieval.tables.names import SHORT, is_model, is_numbered, name_keys, without_part
from retrieval.tables.remembered import once_a_collection
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

MOST_MEASURES = 8
"""Heads that are tried as what is asked."""
_FEW_TABLES = 60
"""Tables of a kind that are looked at for what no head of the question leads to."""
_MANY = 10
"""Records that the collection calls by one word for it to be a kind."""
_MOSTLY = 0.5
"""The share of a head that a question has to hold."""


def kinds_of(question: Tagged, index: Cells) -> Iterator[list[Member]]:
    """The members of each shape that may be asked for: under the heads, or of the kinds, that the question names."""
    tables, whole, series = _looked_in(index, _asked_about(question, index))
    limited = question.best or question.numbers
    owners = list(_owners(question, index)) if limited else []
    measures = {phrase(group[0].key) for group in owners} | question.language.sums
    shapes = (_rows_of(_with_rows(some), heads, question.tokens) for some, heads in tables)
    rows = (_without(measures, group) for group in (*shapes, list(map(_record, whole))))
    said = [name for i, word in question.words() for name in (word, *question.implied_of_kind(i))]
    keys = {mention.key for mention in question.names}.union(*(name_keys(name)[:1] for name in said))
    measured = grids_of(index.places(sorted(keys), (Kind.ROW,)))
    beside = _side_by_side(
        {*measured, *(number for some, _ in tables for number, _ in some)}, measured if limited else (), index
    )
    groups = (*rows, *beside, *owners, *map(list, series))
    yield from sorted((filter(None, groups)), key=len, reverse=True)


def rows_of(question: Tagged, index: Cells) -> Iterator[Member]:
    """The rows of all tables in which members of a kind are looked for, those that are a measure of others included."""
    for some, heads in _looked_in(index, _asked_about(question, index))[0]:
        yield from _rows_of(some, heads, question.tokens)


def _asked_about(question: Tagged, index: Cells) -> frozenset[int]:
    """The numbers of the tables under the heads, or of the kinds, that a question names."""
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
    if question.best or question.numbers:  # what ranks or limits them may be told by a unit only
        under |= {each for numbers in called for each in numbers if len(numbers) <= _FEW_TABLES}
    return frozenset(under)


_Records = tuple[tuple[int, Grid], ...]
"""Those of one thing."""
_LookedIn = tuple[Sequence[tuple[Numbered, Heads]], Sequence[_Records], Sequence[Sequence[Member]]]


@once_a_collection(64)
def _looked_in(index: Cells, numbers: frozenset[int]) -> _LookedIn:
    """Where members are looked for: the tables of rows of each kind, with the heads that all of them share, the records
    of each thing, and records that are series of lines.
    """
    grids = tuple((each, index.grid(each)) for each in sorted(_with_pieces(numbers, index))[:MOST_TABLES])
    tables, records = _apart(grids)
    whole = [_with_all(key, own, index) for key, own in records.items()]
    return tables, whole, list(filter(None, (_series(each, grid) for each, grid in grids)))


def _apart(
    grids: tuple[tuple[int, Grid], ...],
) -> tuple[Sequence[tuple[Numbered, Heads]], Mapping[tuple[str, str], Numbered]]:
    """The tables of rows, those of one kind together, and the records by where each thing is at home.

    A table of a single row is a record, unless its key stands under the head that has the keys of others.
    """
    tables: list[tuple[int, Grid]] = []
    records: dict[tuple[str, str], list[tuple[int, Grid]]] = {}
    of_rows = [grid for _, grid in grids if _is_table(grid)]
    whole_tables, heads = {grid.whole for grid in of_rows}, {phrase(grid.column_labels[0]) for grid in of_rows} - {()}
    for each, grid in grids:
        if grid.is_cut_row and is_numbered(grid.table.rows[0][0]):
            continue  # a row of a table that is looked up by a number: nobody's
        is_row = grid.is_cut_row or grid.whole in whole_tables or phrase(grid.column_labels[0]) in heads
        if grid.table.is_record or (grid.is_single and not is_row):
            records.setdefault(_home(grid), []).append((each, grid))
        else:
            tables.append((each, grid))
    return joined(tables), records


@lru_cache(maxsize=8192)
def _record(grids: tuple[tuple[int, Grid], ...]) -> Member:
    """The thing that some records are of; what it is called and has is found once for a collection."""
    return Member(grids)


@lru_cache(maxsize=8192)
def _series(number: int, grid: Grid) -> tuple[Member, ...]:
    """The lines of a record that are numbered alike, as the rows of a table are: *Grade 8: 4%*, *Grade 9 - 10: 6%*."""
    said = [phrase(row[0]) for row in grid.table.rows]
    is_alike = len({words[:1] for words in said}) == 1 and all(
        map(is_number, (word for words in said for word in words[1:]))
    )
    is_series = grid.table.is_record and len(said) > FEWEST and all(words[1:] for words in said) and is_alike
    return tuple(Member(((number, grid),), at) for at in range(len(said))) if is_series else ()


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


def _side_by_side(numbers: Collection[int], measured: Collection[int], index: Cells) -> Iterator[list[Member]]:
    """The columns of each table that is turned, and of those `measured` in a row that have no name for their rows."""
    for number in sorted(numbers):
        grid = index.grid(number)
        if not grid.is_single and (is_turned(grid) or (number in measured and not grid.column_labels[0])):
            yield [Member(((number, grid),), None, column) for column in range(1, len(grid.column_labels))]


def _owners(question: Tagged, index: Cells) -> Iterator[list[Member]]:
    """The things that have a table each with a row that the question names: the *port* of every output."""
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
    """The outermost heading of which most tables have one of their own; None where none is."""
    for depth in range(max(map(len, paths), default=1) - 1):
        own = {path[: depth + 2] for path in paths if len(path) > depth + 1}
        if FEWEST <= len(own) and len(own) >= _MOSTLY * len(paths):
            return depth
    return None


def _home(grid: Grid) -> tuple[str, str]:
    """The page where one thing is described, or the folder where several pages are about it; and its title."""
    title = without_part(grid.title)
    is_page = grid.headings[:1] == (title,)
    return _folder_of(grid.source) if is_page else grid.source, title


@lru_cache(maxsize=4096)
def _folder_of(source: str) -> str:
    return str(PurePath(source).parent)


def _with_all(key: tuple[str, str], grids: Sequence[tuple[int, Grid]], index: Cells) -> _Records:
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
    adjective = question.adjective
    if adjective is None or not question.best:
        return ()
    return (*adjective.scale.measures, *adjective.scale.instead)


def said_of_kinds(question: Tagged) -> list[str]:
    """The words of a question that may name a kind, those among them that usually ask included."""
    no_kind = question.language.small | question.language.adjectives.keys()
    said = enumerate(question.tokens)
    return [word for i, word in said if not (i in question.asking or word in no_kind) and word.isalpha()]


def _called(word: str, index: Cells) -> list[Place]:
    keys = index.holders([word])
    return index.places(keys, (Kind.ROW, Kind.TITLE, Kind.SUBJECT)) if keys else []


def _measures(words: Sequence[str], index: Cells, language: Language) -> list[str]:
    """The heads and labels that share most words with a question, the best first."""
    found = []
    meant = frozenset[str]().union(*map(index.measured_as, words))
    for name in index.heads_with(meant):
        said = said_words(name)
        told = [word for word in said if word in meant]
        if told and len(told) >= _MOSTLY * len(said_words(without_unit(name, language)) or said):
            found.append((len(told), len(told) / len(said), name))
    return [name for _, _, name in sorted(found, reverse=True)[:MOST_MEASURES]]


def _with_rows(grids: Numbered) -> Numbered:
    """The tables of one kind whose rows are things; of many with the same heads one is no other than most."""
    rows = [each for each in grids if not is_turned(each[1])]
    return grids if len(rows) > _MOSTLY * len(grids) else rows


def _rows_of(grids: Numbered, heads: Heads, tokens: Collection[str]) -> list[Member]:
    """The rows of tables of one kind, under the heads that all of them share."""
    return [member for number, grid in grids for member in _rows(grid, number, _is_asked(grid, tokens), heads)]


def _is_asked(grid: Grid, tokens: Collection[str]) -> bool:
    """True where a word of the question is the head above the keys of a table."""
    return any(same_word(token, head) for head in phrase(" ".join(grid.table.columns[0])) for token in tokens)


@lru_cache(maxsize=4096)
def _rows(grid: Grid, number: int, is_asked: bool, heads: tuple[tuple[str, str], ...]) -> tuple[Member, ...]:
    """The rows of a table that name something, behind a number too: *3 | Reed*; a number alone names what the head
    above it says, where that is asked for. Among names *40 Winks* is one more, and no place on an axis.
    """
    rows = enumerate(grid.table.rows)
    head = grid.column_labels[0]
    told = [(at, grid.row_names(at)[-1]) for at, row in rows if row and phrase(row[0]) and any(row[1:])]
    named = [at for at, name in told if is_asked or not grid.is_on_axis(name) or is_model(name, head)]
    return tuple(Member(((number, grid),), at, heads=heads) for at in named)


def is_kind(word: str, index: Cells) -> bool:
    """True for a word by which the collection calls the rows of a table, or many records."""
    tables = sorted(index.of_kind(word))
    grids = map(index.grid, tables)
    return len(tables) >= _MANY or any(len(grid.table.rows) >= FEWEST for grid in grids if _is_table(grid))


def _is_table(grid: Grid) -> bool:
    return not (grid.table.is_record or grid.is_single)
