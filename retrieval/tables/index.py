"""The cells of a collection by name: which tables and records have a name, and where in them it stands.

One SQLite file beside the collection's index (or a database in memory, where chunks come from elsewhere): found by key
in well under a millisecond, and opened without reading it. What is asked of vectors is prose; what stands in a cell is
asked of this.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

from retrieval.errors import StoreError
from retrieval.tables.cells import Grid
from retrieval.tables.names import is_numbered, joined_keys, name_keys, short_keys
from retrieval.text import phrase
from retrieval.types import Chunk

FORMAT = 1
_SCHEMA = """
create table tables (id integer primary key, chunk text not null, number integer not null, body blob not null) strict;
create table names (key text not null, kind integer not null, chunk text not null, grid integer, at integer,
    depth integer not null, name text not null) strict;
"""
_INDEX = "create index names_by_key on names (key, kind)"
_MOST = 400
"""Places of one name that are read; a name of more is a word of the book."""
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


@dataclass(frozen=True, slots=True)
class Place:
    """A name where it stands: in `grid`, a table's number in the index (None for a title without tables), at a row or
    a column (`at`, where the kind has one); `depth` counts the headings between it and the table.
    """

    key: str
    kind: Kind
    chunk_id: str
    grid: int | None
    at: int | None
    depth: int
    name: str


class Cells(Protocol):
    """The names and tables of one collection, or of several as one. All calls block."""

    def places(self, keys: Collection[str], kinds: Collection[Kind] = tuple(Kind)) -> list[Place]:
        """Where these names stand, the most telling places of each first."""
        ...

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that are names."""
        ...

    def measures(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that are the whole head of a column or the whole label of a record."""
        ...

    @property
    def heads(self) -> Mapping[str, tuple[Place, ...]]:
        """Every head and label of a normal form, by one of its texts, with its places."""
        ...

    def grid(self, number: int) -> Grid:
        """The table that a place has the number of."""
        ...

    def close(self) -> None:
        """Release what is held; closing twice is no error."""
        ...


class CellIndex:
    """The cells of one collection; `build` makes it, `open` reads one that was made. See `Cells`.

    >>> from retrieval.types import Table
    >>> index = CellIndex.build([Chunk("c1", "", "Ogre", tables=(Table("", ((), ()), (("Hit Points", "59"),)),))])
    >>> [index.grid(place.grid).cell(0, 1).quote for place in index.places(["ogre"]) if place.grid]
    ['Hit Points = 59']
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db, self._turn = database, threading.Lock()
        self._read_grid = lru_cache(maxsize=4096)(self._grid)

    @classmethod
    def build(cls, chunks: Iterable[Chunk], path: Path | None = None) -> CellIndex:
        """Index the tables and names of chunks, in a file or, without a `path`, in memory."""
        database = sqlite3.connect(path or ":memory:", check_same_thread=False, isolation_level=None)
        database.execute("pragma synchronous = off")
        database.executescript(_SCHEMA)
        database.execute(f"pragma user_version = {FORMAT}")
        database.execute("begin")
        number = 0
        for chunk in chunks:
            grids = list(Grid.all_of(chunk))
            first = number
            for grid in grids:
                number += 1
                row = (number, chunk.id, grid.number, grid.to_json())
                database.execute("insert into tables values (?, ?, ?, ?)", row)
                database.executemany("insert into names values (?, ?, ?, ?, ?, ?, ?)", _places(grid, number))
            database.executemany("insert into names values (?, ?, ?, ?, ?, ?, ?)", _titles(chunk, len(grids), first))
        database.execute("commit")
        database.execute(_INDEX)
        return cls(database)

    @classmethod
    def open(cls, path: Path) -> CellIndex:
        """Open an index that was built into a file; `StoreError` when it is missing, damaged or of another format."""
        try:
            database = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            found = database.execute("pragma user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise StoreError(f"{path} can't be read ({error})") from error
        if found != FORMAT:
            database.close()
            raise StoreError(f"{path} has format {found}, this version of versus reads {FORMAT}")
        return cls(database)

    def places(self, keys: Collection[str], kinds: Collection[Kind] = tuple(Kind)) -> list[Place]:
        """Where these names stand, the most telling places of each first."""
        found: list[Place] = []
        wanted = ",".join(map(str, map(int, kinds)))
        for key in keys:
            rows = self._rows(
                f"select key, kind, chunk, grid, at, depth, name from names where key = ? and kind in ({wanted}) "
                f"order by kind, depth limit {_MOST}",
                (key,),
            )
            found += [Place(key, Kind(kind), *rest) for key, kind, *rest in rows]
        return found

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that are names here."""
        marks = ",".join("?" * len(keys))
        return {row[0] for row in self._rows(f"select distinct key from names where key in ({marks})", keys)}

    def measures(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that are the whole head of a column or the whole label of a record."""
        marks = ",".join("?" * len(keys))
        kinds = f"{int(Kind.COLUMN)}, {int(Kind.LABEL)}"
        return {
            row[0]
            for row in self._rows(f"select distinct key from names where key in ({marks}) and kind in ({kinds})", keys)
        }

    @cached_property
    def heads(self) -> Mapping[str, tuple[Place, ...]]:
        """Every head and label of a normal form, by one of its texts, with its places; read when first wanted."""
        kinds = f"{int(Kind.COLUMN)}, {int(Kind.LABEL)}"
        fields = "key, kind, chunk, grid, at, depth, name"
        rows = self._rows(f"select {fields} from names where kind in ({kinds}) group by name, grid, at", ())
        found: dict[tuple[str, ...], list[Place]] = {}
        for key, kind, *rest in rows:
            found.setdefault(phrase(rest[-1]), []).append(Place(key, Kind(kind), *rest))
        return {places[0].name: tuple(places) for places in found.values()}

    def grid(self, number: int) -> Grid:
        """The table that a place has the number of."""
        return self._read_grid(number)

    def close(self) -> None:
        """Release the file; closing twice is no error."""
        with self._turn:
            self._db.close()

    def _grid(self, number: int) -> Grid:
        chunk, own, body = self._rows("select chunk, number, body from tables where id = ?", (number,))[0]
        return Grid.from_json(chunk, own, body)

    def _rows(self, statement: str, values: Sequence[str | int]) -> list[Any]:
        with self._turn, closing(self._db.cursor()) as cursor:
            try:
                return cursor.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise StoreError(
                    f"the index of cells can't be read ({error}); versus doctor --repair builds it anew"
                ) from error


_Row = tuple[str, int, str, int | None, int | None, int, str]


def _titles(chunk: Chunk, tables: int, before: int) -> Iterator[_Row]:
    """The title of a chunk, for each of its tables or for its prose alone."""
    places: list[int | None] = [before + n + 1 for n in range(tables)] or [None]
    for key in _keys(chunk.title):
        for place in places:
            yield key, Kind.TITLE, chunk.id, place, None, 0, chunk.title


def _places(grid: Grid, number: int) -> Iterator[_Row]:
    for kind, name, at, depth in _named(grid):
        short = short_keys(name) if kind is Kind.ROW else ()
        for key in (*_keys(name), *short):
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
    for at, path in enumerate(table.columns):
        yield from ((Kind.COLUMN, name, at, 0) for name in dict.fromkeys((" ".join(path), *path[-1:])))
    if not grid.is_single or not table.columns[0]:
        for at in range(len(table.rows)):
            yield from ((Kind.ROW, name, at, 0) for name in grid.row_names(at) if not is_numbered(name))


def _keys(name: str) -> list[str]:
    own = name_keys(name)
    pairs = (joined for key in own for joined in joined_keys(tuple(key.split())))
    return list(dict.fromkeys((*own, *pairs)))
