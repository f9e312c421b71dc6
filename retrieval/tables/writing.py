"""Write the tables and names of chunks into a database, for `retrieval.tables.index` to read.

`names` has each name with its place, `words` the names that contain a word, `kinds` the words for the kind of a table's
things, and `held` the words of its values.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import starmap

from retrieval.tables.cells import Grid
from retrieval.tables.frames import Frames
from retrieval.tables.initials import EXPLAINS, explained_initials_in
from retrieval.tables.learnt import CollectionKnowledge, has_same_knowledge
from retrieval.tables.names import (
    is_brief_name,
    is_model,
    joined_keys,
    key_of,
    name_keys,
    parts_in,
    short_keys,
    without_part,
)
from retrieval.tables.row_names import other_names
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import STOP_WORDS, is_number, phrase
from retrieval.types import Chunk

FORMAT = 31
SCHEMA = """
create table tables (id integer primary key, chunk text not null, number integer not null, body blob not null) strict;
create table names (id integer primary key, key text not null, kind integer not null, chunk text not null,
    grid integer, at integer, depth integer not null, name text not null) strict;
create table heads (name text not null, kind integer not null, key text not null, primary key (name, kind))
    strict, without rowid;
create table chunks (id text primary key, place integer not null, source text not null, line integer)
    strict, without rowid;
create table words (word text not null, key text not null, primary key (word, key)) strict, without rowid;
create table kinds (word text not null, grid integer not null, primary key (word, grid)) strict, without rowid;
create table held (word text not null, grid integer not null, primary key (word, grid)) strict, without rowid;
create table learnt (body blob not null) strict;
"""
INDEXES = ("create index names_by_key on names (key, kind, depth)",)
GAP, ROOM = 1 << 12, 1 << 20
"""The place numbers between two chunks, left for later ones, and the row numbers that each place reserves for its
tables and its names. So a later write gets the numbers that a full write would give it.
"""
_STAGED = {"words": "key", "kinds": "grid", "held": "grid"}
"""Tables whose rows are sorted before they are written, with the column that a word leads to."""
_LONGEST_VALUE = 60
"""The most characters of a value that may choose a row; longer ones are prose."""
_MOST_HELD = 400
"""The most words of one table's values that are stored."""
_DEPTH = 3
"""The headings above a table by which it is found."""


class Kind(IntEnum):
    """The role of a name at a place; smaller kinds are more specific about the owner of the cells."""

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
_HEADS = (*_MEASURES, Kind.CAPTION)
_Row = tuple[str, int, str, int | None, int | None, int, str]


def write(chunks: Sequence[Chunk], database: sqlite3.Connection) -> None:
    """Write the tables and names of chunks, numbered in their order."""
    learnt = CollectionKnowledge.of(chunks)
    database.execute("insert into learnt values (?)", (learnt.to_json(),))
    for table, second in _STAGED.items():
        database.execute(f"create temp table new_{table} (word, {second})")
    for number, chunk in enumerate(chunks, start=1):
        told = ChunkRows.from_chunk(chunk, learnt, number * GAP)
        told.write(database)
        for table, pairs in told.pairs().items():
            database.executemany(f"insert into new_{table} values (?, ?)", pairs)
    kinds = ", ".join(str(int(kind)) for kind in _HEADS)
    first = f"select name, kind, key, min(id) from names where kind in ({kinds}) group by name, kind"
    database.execute(f"insert into heads select name, kind, key from ({first})")
    for table, second in _STAGED.items():
        database.execute(f"insert into {table} select distinct * from new_{table} order by word, {second}")
        database.execute(f"drop table new_{table}")


def rewrite(changes: Iterable[tuple[Chunk, Chunk]], database: sqlite3.Connection) -> bool:
    """Replace chunks by their new versions, if the result equals a full write.

    Return False and change nothing if other chunks would then be read differently.
    """
    pairs = list(changes)
    if not all(starmap(has_same_knowledge, pairs)) or not _stay_in_order(pairs, database):
        return False
    learnt = CollectionKnowledge.from_json(database.execute("select body from learnt").fetchone()[0])
    for before, after in pairs:
        _replace(before, after, learnt, database)
    return True


def _stay_in_order(pairs: Iterable[tuple[Chunk, Chunk]], database: sqlite3.Connection) -> bool:
    """True if the chunks of each source keep their order: the first of them define what the source is."""
    moved: dict[str, dict[str, int]] = {}
    for before, after in pairs:
        if before.line != after.line:
            moved.setdefault(after.source, {})[after.id] = after.line or 0
    for source, lines in moved.items():
        rows = "select id, ifnull(line, 0) from chunks where source = ? order by place"
        old = dict(database.execute(rows, (source,)).fetchall())
        new = old | lines
        if sorted(old, key=old.__getitem__) != sorted(old, key=new.__getitem__):
            return False
    return True


def _replace(before: Chunk, after: Chunk, learnt: CollectionKnowledge, database: sqlite3.Connection) -> None:
    (place,) = database.execute("select place from chunks where id = ?", (before.id,)).fetchone()
    old, new = ChunkRows.from_chunk(before, learnt, place), ChunkRows.from_chunk(after, learnt, place)
    old.erase(database)
    new.write(database)
    had, has = old.pairs(), new.pairs()
    for table, second in _STAGED.items():
        gone, come = set(had[table]).difference(has[table]), set(has[table]).difference(had[table])
        database.executemany(f"delete from {table} where word = ? and {second} = ?", gone)
        database.executemany(f"insert or ignore into {table} values (?, ?)", come)
    _keep_words({key for _, key in set(had["words"]).difference(has["words"])}, database)
    heads, before_ = new.heads(), old.heads()
    database.executemany("insert or ignore into heads values (?, ?, ?)", [(*each, key) for each, key in heads.items()])
    others = "not exists (select 1 from names where key = ? and kind = ? and name = ?)"
    gone_heads = [(name, kind, key, kind, name) for (name, kind), key in before_.items() if (name, kind) not in heads]
    database.executemany(f"delete from heads where name = ? and kind = ? and {others}", gone_heads)


def _keep_words(keys: Iterable[str | int], database: sqlite3.Connection) -> None:
    """Restore the words of the names that other chunks still have under some keys."""
    for key in keys:
        rows = database.execute("select distinct key, kind, name from names where key = ?", (key,)).fetchall()
        database.executemany("insert or ignore into words values (?, ?)", _words(rows))


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """The rows to write for the chunk at a place: its tables and its names."""

    chunk: Chunk
    place: int
    grids: list[Grid]
    rows: list[_Row]

    @classmethod
    def from_chunk(cls, chunk: Chunk, learnt: CollectionKnowledge, place: int) -> ChunkRows:
        """Read a chunk with what was learnt from all chunks."""
        grids, first = learnt.grids(chunk), place * ROOM
        rows = list(_titles(chunk, learnt.things.name(chunk), len(grids), first, learnt.frames))
        for number, grid in enumerate(grids, start=first + 1):
            rows += _places(grid, number, learnt.frames)
        rows += _explained(chunk)
        return cls(chunk, place, grids, rows)

    def write(self, database: sqlite3.Connection) -> None:
        """Write everything but the pairs."""
        own = self.chunk
        database.execute("insert into chunks values (?, ?, ?, ?)", (own.id, self.place, own.source, own.line))
        tables = ((number, own.id, grid.number, grid.to_json()) for number, grid in self._numbered())
        database.executemany("insert into tables values (?, ?, ?, ?)", tables)
        names = ((number, *row) for number, row in enumerate(self.rows, start=self.place * ROOM + 1))
        database.executemany("insert into names values (?, ?, ?, ?, ?, ?, ?, ?)", names)

    def erase(self, database: sqlite3.Connection) -> None:
        """Delete everything but the pairs."""
        numbers = numbers_of(self.place)
        database.execute("delete from tables where id > ? and id < ?", numbers)
        database.execute("delete from names where id > ? and id < ?", numbers)
        database.execute("delete from chunks where id = ?", (self.chunk.id,))

    def pairs(self) -> dict[str, list[tuple[str, str | int]]]:
        """Return the pairs from a word to a key or table, by database table."""
        return {
            "words": list(_words((key, kind, name) for key, kind, *_, name in self.rows)),
            "kinds": [(word, number) for number, grid in self._numbered() for word in _kinds(grid)],
            "held": [(word, number) for number, grid in self._numbered() for word in _value_words(grid)],
        }

    def heads(self) -> dict[tuple[str, int], str]:
        """Return the first key of each head, label and caption, by name and kind."""
        found: dict[tuple[str, int], str] = {}
        for key, kind, *_, name in self.rows:
            if kind in _HEADS:
                found.setdefault((name, int(kind)), key)
        return found

    def _numbered(self) -> Iterator[tuple[int, Grid]]:
        return enumerate(self.grids, start=self.place * ROOM + 1)


def numbers_of(place: int) -> tuple[int, int]:
    """Return the bounds, themselves not included, of the numbers of a place's tables and of its names."""
    return place * ROOM, (place + 1) * ROOM


def _kinds(grid: Grid) -> set[str]:
    """Return the words for the kind of a table's things, those of its groups included."""
    return {word for word in (*grid.kinds, *phrase(" ".join(grid.groups))) if word not in STOP_WORDS}


def _value_words(grid: Grid) -> set[str]:
    """Return the words of a table's brief values, by which its rows may be chosen."""
    texts = {text for row in grid.table.rows for text in row[1:] if 0 < len(text) <= _LONGEST_VALUE}
    said = {word for text in texts for word in phrase(text) if word not in STOP_WORDS and not is_number(word)}
    return set(sorted(said)[:_MOST_HELD])


def _words(rows: Iterable[tuple[str, int, str]]) -> Iterator[tuple[str, str]]:
    """Yield the words of each name with its full key; of heads only identifiers, which may name a thing: *CR5*."""
    for key, kind, name in rows:
        is_coined = kind == Kind.COLUMN and is_identifier(key)
        if (kind not in _MEASURES or is_coined) and key == key_of(phrase(without_part(name))):
            yield from ((word, key) for word in parts_in(name))


def _titles(chunk: Chunk, thing: str, tables: int, before: int, frames: Frames) -> Iterator[_Row]:
    """Yield the subject of a chunk for each of its tables, or for its prose alone; a title that is a role is so
    marked.
    """
    places: list[int | None] = [before + n + 1 for n in range(tables)] or [None]
    names = {chunk.title: Kind.ROLE, thing: Kind.TITLE}
    for name, kind in names.items():
        for key in _with_bare(name, frames):
            for place in places:
                yield key, kind, chunk.id, place, None, 0, name


def _explained(chunk: Chunk) -> Iterator[_Row]:
    """Yield the initials that a chunk explains, under a key that no question can contain."""
    for letters, words in dict.fromkeys(explained_initials_in(chunk.text)):
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
    is_caption = " ".join(table.columns[0]) == table.caption  # it names the things, not a measure
    for at, path in enumerate(table.columns[is_caption:], start=is_caption):
        yield from ((Kind.COLUMN, name, at, 0) for name in dict.fromkeys((" ".join(path), *path[-1:])))
    for at, row in enumerate(table.rows):
        if not grid.is_single or not table.columns[0] or is_brief_name(row[0]):
            head = grid.column_labels[0]
            named = (name for name in grid.row_names(at) if not grid.is_on_axis(name) or is_model(name, head))
            yield from ((Kind.ROW, name, at, 0) for name in named)
    yield from ((Kind.ROW, name, at, 1) for at, name in other_names(table, is_cut=grid.is_cut_row))


def _with_bare(title: str, frames: Frames) -> list[str]:
    """Return the keys of a title and of the name in its frame."""
    return list(dict.fromkeys((*_keys(title), *_keys(frames.without_frame(title)))))


def _keys(name: str) -> list[str]:
    own = name_keys(name)
    pairs = (joined for key in own for joined in joined_keys(tuple(key.split())))
    return list(dict.fromkeys((*own, *pairs)))
