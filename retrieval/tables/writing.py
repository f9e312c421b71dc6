"""How the tables and names of chunks are written into a database, for `retrieval.tables.index` to read.

`names` has each name where it stands, `words` the names that a word is part of, `kinds` the words for what the things
of a table are, and `held` the words of its values.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

from retrieval.tables.cells import Grid
from retrieval.tables.folders import sorts_of
from retrieval.tables.frames import Frames
from retrieval.tables.initials import EXPLAINS, explained_in
from retrieval.tables.names import (
    is_brief_name,
    is_model,
    joined_keys,
    key_of,
    name_keys,
    short_keys,
    without_part,
    words_in,
)
from retrieval.tables.row_names import other_names
from retrieval.tables.things import Things
from retrieval.text.normal import STOP_WORDS, is_number, phrase
from retrieval.types import Chunk

FORMAT = 21
SCHEMA = """
create table tables (id integer primary key, chunk text not null, number integer not null, body blob not null) strict;
create table names (key text not null, kind integer not null, chunk text not null, grid integer, at integer,
    depth integer not null, name text not null) strict;
create table words (word text not null, key text not null) strict;
create table kinds (word text not null, grid integer not null) strict;
create table held (word text not null, grid integer not null) strict;
"""
INDEXES = (
    "create index names_by_key on names (key, kind)",
    "create index keys_by_word on words (word, key)",
    "create index grids_by_kind on kinds (word, grid)",
    "create index grids_by_value on held (word, grid)",
)
_LONGEST_VALUE = 60
"""Characters of a value that may choose a row; more are prose."""
_MOST_HELD = 400
"""Words of one table's values that are noted."""
_DEPTH = 3
"""Headings above a table by which it is found."""


class Kind(IntEnum):
    """What a name is at a place: the more it says whose the cells are, the smaller."""

    TITLE = 0
    SUBJECT = 1
    ROW = 2
    CAPTION = 3
    GROUP = 4
    COLUMN = 5
    LABEL = 6
    HEADING = 7
    ROLE = 8


_MEASURES = (Kind.COLUMN, Kind.LABEL)
_Row = tuple[str, int, str, int | None, int | None, int, str]


def write(chunks: Sequence[Chunk], database: sqlite3.Connection) -> None:
    """Write the tables and names of chunks; tables are numbered from 1."""
    called: set[str] = set()
    sorts, things = sorts_of(chunks), Things.of(chunks)
    titles = {name for chunk in chunks for name in (chunk.title, *chunk.headings)}
    frames = Frames.of(titles, {chunk.headings[0] for chunk in chunks if chunk.headings})
    number = 0
    for chunk in chunks:
        thing = things.name(chunk)
        grids = list(Grid.all_of(chunk, sorts.of(chunk), thing, things.within(chunk)))
        rows = list(_titles(chunk, thing, len(grids), number, frames))
        for grid in grids:
            number += 1
            row = (number, chunk.id, grid.number, grid.to_json())
            database.execute("insert into tables values (?, ?, ?, ?)", row)
            database.executemany("insert into kinds values (?, ?)", ((word, number) for word in _kinds(grid)))
            database.executemany("insert into held values (?, ?)", ((word, number) for word in _held(grid)))
            rows += _places(grid, number, frames)
        rows += _explained(chunk)
        database.executemany("insert into names values (?, ?, ?, ?, ?, ?, ?)", rows)
        database.executemany("insert into words values (?, ?)", _words(rows, called))


def _kinds(grid: Grid) -> set[str]:
    """The words for what the things of a table are; those of its groups are said of some of them."""
    return {word for word in (*grid.kinds, *phrase(" ".join(grid.groups))) if word not in STOP_WORDS}


def _held(grid: Grid) -> set[str]:
    """The words of the brief values of a table, by which its rows may be chosen."""
    texts = {text for row in grid.table.rows for text in row[1:] if 0 < len(text) <= _LONGEST_VALUE}
    said = {word for text in texts for word in phrase(text) if word not in STOP_WORDS and not is_number(word)}
    return set(sorted(said)[:_MOST_HELD])


def _words(rows: Iterable[_Row], called: set[str]) -> Iterator[tuple[str, str]]:
    """The words of each name, once a name: by the key that all of it has."""
    for key, kind, *_, name in rows:
        if kind not in _MEASURES and name not in called and key == key_of(phrase(without_part(name))):
            called.add(name)
            yield from ((word, key) for word in words_in(name))


def _titles(chunk: Chunk, thing: str, tables: int, before: int, frames: Frames) -> Iterator[_Row]:
    """What a chunk is about, for each of its tables or for its prose alone; a title that is no name is a role."""
    places: list[int | None] = [before + n + 1 for n in range(tables)] or [None]
    names = {chunk.title: Kind.ROLE, thing: Kind.TITLE}
    for name, kind in names.items():
        for key in _with_bare(name, frames):
            for place in places:
                yield key, kind, chunk.id, place, None, 0, name


def _explained(chunk: Chunk) -> Iterator[_Row]:
    """The letters that a chunk explains, under a key that no question holds."""
    for letters, words in dict.fromkeys(explained_in(chunk.text)):
        yield EXPLAINS + letters, Kind.ROLE, chunk.id, None, None, 0, words


def _places(grid: Grid, number: int, frames: Frames) -> Iterator[_Row]:
    for kind, name, at, depth in _named(grid):
        short = short_keys(name) if kind is Kind.ROW else ()
        own = _with_bare(name, frames) if kind is Kind.HEADING else _keys(name)
        for key in (*own, *short):
            yield key, kind, grid.chunk_id, number, at, depth, name


def _named(grid: Grid) -> Iterator[tuple[Kind, str, int | None, int]]:
    table = grid.table
    yield Kind.CAPTION, table.caption, None, 0
    yield from ((Kind.SUBJECT, subject, None, 0) for subject in grid.subjects)
    above = [heading for heading in reversed(grid.headings) if heading != grid.title]
    yield from ((Kind.HEADING, heading, None, depth) for depth, heading in enumerate(above[:_DEPTH]))
    yield from ((Kind.GROUP, group, None, 0) for group in dict.fromkeys(grid.groups) if group)
    if table.is_record:
        yield from ((Kind.LABEL, row[0], at, 0) for at, row in enumerate(table.rows))
        return
    is_caption = " ".join(table.columns[0]) == table.caption  # it says of what the table is, and is no measure
    for at, path in enumerate(table.columns[is_caption:], start=is_caption):
        yield from ((Kind.COLUMN, name, at, 0) for name in dict.fromkeys((" ".join(path), *path[-1:])))
    for at, row in enumerate(table.rows):
        if not grid.is_single or not table.columns[0] or is_brief_name(row[0]):
            head = grid.column_labels[0]
            named = (name for name in grid.row_names(at) if not grid.is_on_axis(name) or is_model(name, head))
            yield from ((Kind.ROW, name, at, 0) for name in named)
    yield from ((Kind.ROW, name, at, 1) for at, name in other_names(table, is_cut=grid.is_cut_row))


def _with_bare(title: str, frames: Frames) -> list[str]:
    """The keys of a title, and of the name in it."""
    return list(dict.fromkeys((*_keys(title), *_keys(frames.bare(title)))))


def _keys(name: str) -> list[str]:
    own = name_keys(name)
    pairs = (joined for key in own for joined in joined_keys(tuple(key.split())))
    return list(dict.fromkeys((*own, *pairs)))
