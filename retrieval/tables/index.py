"""An index of a collection's cells by name: which tables and records have a name, and where in them it stands.

It is one SQLite file beside the collection's index, or a database in memory for chunks from elsewhere. A look-up by key
takes well under a millisecond, and opening does not read the file. Prose is searched by vectors; cells are looked up
here.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import orjson

from retrieval.errors import StoreError
from retrieval.tables.cells import Grid
from retrieval.tables.heads import Heads
from retrieval.tables.initials import EXPLAINS, by_initials, written_as_initials
from retrieval.tables.match import NamesByWord, WordForms
from retrieval.tables.writing import FORMAT, INDEXES, SCHEMA, Kind, numbers_of, rewrite, write
from retrieval.text.calendar import words_and_days
from retrieval.text.normal import phrase
from retrieval.types import Chunk

_MOST = 400
"""The most places that are read for one name; a name with more is an ordinary word of the book."""
_KINDS = tuple(Kind)
_MEASURES = f"{int(Kind.COLUMN)}, {int(Kind.LABEL)}"
_ALL_KINDS = ",".join(str(int(kind)) for kind in Kind)
_OF_PLACE = "select id from tables where id > ? and id < ?"
_NO_LABELS = ",".join(str(int(kind)) for kind in Kind if kind is not Kind.LABEL)


@dataclass(frozen=True, slots=True)
class Place:
    """One occurrence of a name: its kind and position.

    `grid` is a table's number in the index, None for a title without tables. `at` is a row or column, if the kind has
    one. `depth` counts the headings between the name and the table.
    """

    key: str
    kind: Kind
    chunk_id: str
    grid: int | None
    at: int | None
    depth: int
    name: str


def grids_of(places: Iterable[Place]) -> list[int]:
    """Return the distinct numbers of the tables of some places."""
    return list(dict.fromkeys(place.grid for place in places if place.grid is not None))


class Cells(Protocol):
    """The names and tables of one collection, or of several as one. All calls block."""

    def places(self, keys: Collection[str], kinds: Collection[Kind] = tuple(Kind)) -> list[Place]:
        """Return the places of these names; for each name the most specific kinds first."""
        ...

    def known_names(self, keys: Sequence[str], kinds: Collection[Kind] = tuple(Kind)) -> set[str]:
        """Return the keys that are names of these kinds."""
        ...

    def measures(self, keys: Sequence[str]) -> set[str]:
        """Return the keys that are the whole head of a column or the whole label of a record."""
        ...

    def names_with_words(self, words: Collection[str]) -> list[str]:
        """Return the keys of the names that have all these words; heads and labels are left out."""
        ...

    def of_kind(self, word: str) -> frozenset[int]:
        """Return the numbers of the tables whose names, groups or folders have a word."""
        ...

    def holding(self, word: str) -> frozenset[int]:
        """Return the numbers of the tables that have a word in a brief value."""
        ...

    @property
    def heads(self) -> Mapping[str, tuple[Place, ...]]:
        """Every head and label with its places; those with one normal form are one entry, under one of their texts."""
        ...

    @property
    def measure_words(self) -> frozenset[str]:
        """The words of all heads and labels."""
        ...

    def heads_with(self, words: Collection[str]) -> list[str]:
        """Return the heads and labels, as in `heads` and in its order, with any of the words."""
        ...

    def measure_forms(self, word: str) -> frozenset[str]:
        """Return the words of heads and labels that a word is a form of."""
        ...

    def measures_by_initials(self, initials: str) -> frozenset[str]:
        """Return the measures in heads, labels and captions with these initials."""
        ...

    @property
    def short_heads(self) -> frozenset[str]:
        """The heads and labels that are nothing but initials."""
        ...

    @property
    def explained_initials(self) -> Mapping[str, frozenset[str]]:
        """For initials that are heads or labels: what the texts say they stand for."""
        ...

    def grid(self, number: int) -> Grid:
        """Return the table with this number."""
        ...

    def close(self) -> None:
        """Release resources; closing twice is no error."""
        ...


class CellIndex:
    """The cells of one collection; `build` makes the index, `open` reads an existing one. See `Cells`.

    >>> from retrieval.types import Table
    >>> index = CellIndex.build([Chunk("c1", "", "Ogre", tables=(Table("", ((), ()), (("Hit Points", "59"),)),))])
    >>> [index.grid(place.grid).cell(0, 1).quote for place in index.places(["ogre"]) if place.grid]
    ['Hit Points = 59']
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db, self._turn = database, threading.Lock()
        self._read_grid = lru_cache(maxsize=4096)(self._grid)
        self._read_places = lru_cache(maxsize=8192)(self._places)
        self._read_kind = lru_cache(maxsize=1024)(self._of_kind)
        self._read_held = lru_cache(maxsize=1024)(self._holding)
        self._read_known = lru_cache(maxsize=1024)(self._known)
        self._read_holders = lru_cache(maxsize=4096)(self._holders)
        self._read_measured = lru_cache(maxsize=4096)(self._measured_as)

    @classmethod
    def build(cls, chunks: Iterable[Chunk], path: Path | None = None) -> CellIndex:
        """Index the tables and names of chunks in a file or, without a `path`, in memory."""
        database = sqlite3.connect(path or ":memory:", check_same_thread=False, isolation_level=None)
        database.execute("pragma synchronous = off")
        database.executescript(SCHEMA)
        database.execute(f"pragma user_version = {FORMAT}")
        database.execute("begin")
        write(list(chunks), database)
        database.execute("commit")
        for statement in INDEXES:
            database.execute(statement)
        return cls(database)

    @staticmethod
    def rewrite(path: Path, changes: Iterable[tuple[Chunk, Chunk]]) -> bool:
        """Update an index file for chunks that have changed, given as pairs of old and new.

        Return False and change nothing if the changes affect how other chunks are read, so that a full build is needed.
        """
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("pragma synchronous = off")
            database.execute("pragma journal_mode = memory")
            database.execute("begin")
            is_done = rewrite(changes, database)
            database.execute("commit")
        return is_done

    @classmethod
    def open(cls, path: Path) -> CellIndex:
        """Open an existing index file; `StoreError` if it is missing, damaged or of another format."""
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

    def grids_in(self, chunk_ids: Iterable[str]) -> Iterator[Grid]:
        """Yield the tables of some chunks."""
        for id_ in chunk_ids:
            found = self._rows("select place from chunks where id = ?", (id_,))
            for number in (row[0] for (place,) in found for row in self._rows(_OF_PLACE, numbers_of(place))):
                yield self._grid(number)

    def places(self, keys: Collection[str], kinds: Collection[Kind] = tuple(Kind)) -> list[Place]:
        """Return the places of these names; for each name the most specific kinds first."""
        return [place for key in keys for place in self._places_of(key, kinds)]

    def _places_of(self, key: str, kinds: Collection[Kind]) -> Sequence[Place]:
        """Return the places of one name from a cache: a question asks for its few names again and again, with other
        kinds.

        Labels are so many that they are read only when asked for.
        """
        if Kind.LABEL not in kinds:
            found = self._read_places(key, _NO_LABELS)
            if len(found) < _MOST:
                return [place for place in found if place.kind in kinds]
        return self._read_places(key, _listed(tuple(kinds)))

    def known_names(self, keys: Sequence[str], kinds: Collection[Kind] = tuple(Kind)) -> set[str]:
        """Return the keys that are names of these kinds here."""
        return set(self._read_known(tuple(keys), _listed(tuple(kinds))))

    def _known(self, keys: Sequence[str], kinds: str) -> frozenset[str]:
        of_kinds = "" if kinds == _ALL_KINDS else f"and kind in ({kinds})"  # costs one index look-up for each kind
        own = f"select 1 from names where key = value {of_kinds}"
        asked = orjson.dumps(keys).decode()
        return frozenset(row[0] for row in self._rows(f"select value from json_each(?) where exists ({own})", (asked,)))

    def measures(self, keys: Sequence[str]) -> set[str]:
        """Return the keys that are the whole head of a column or the whole label of a record."""
        return self.known_names(keys, (Kind.COLUMN, Kind.LABEL))

    def names_with_words(self, words: Collection[str]) -> list[str]:
        """Return the keys of the names that have all these words; heads and labels are left out."""
        return list(self._read_holders(tuple(words)))

    def _holders(self, words: Sequence[str]) -> tuple[str, ...]:
        marks = ",".join("?" * len(words))
        having = f"group by key having count(distinct word) = ? limit {_MOST}"
        statement = f"select key from words where word in ({marks}) {having}"
        return tuple(row[0] for row in self._rows(statement, (*words, len(words))))

    def of_kind(self, word: str) -> frozenset[int]:
        """Return the numbers of the tables whose names, groups or folders have a word in any of its forms."""
        return self._read_kind(word)

    def _of_kind(self, word: str) -> frozenset[int]:
        same = self._kind_words.of(word)
        marks = ",".join("?" * len(same))
        return frozenset(row[0] for row in self._rows(f"select distinct grid from kinds where word in ({marks})", same))

    def holding(self, word: str) -> frozenset[int]:
        """Return the numbers of the tables that have a word in a brief value."""
        return self._read_held(word)

    def _holding(self, word: str) -> frozenset[int]:
        return frozenset(row[0] for row in self._rows("select grid from held where word = ?", (word,)))

    @cached_property
    def _kind_words(self) -> WordForms:
        return WordForms(row[0] for row in self._rows("select distinct word from kinds", ()))

    @cached_property
    def heads(self) -> Heads[Place]:
        """Every head and label with its places; those with one normal form are one entry, under one of their texts."""
        alike: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for name, key in self._rows(
            f"select distinct name, key from heads where kind in ({_MEASURES}) order by name", ()
        ):
            alike.setdefault(phrase(name), []).append((name, key))
        by_name = {same[0][0]: same for same in alike.values()}
        return Heads(
            by_name, lambda name: tuple(place for each in by_name[name] for place in self._places_headed(*each))
        )

    def _places_headed(self, name: str, key: str) -> Iterator[Place]:
        """Yield the places of a head or label, the first one for each position."""
        own = f"from names where key = ? and kind in ({_MEASURES}) and name = ? group by grid, at order by grid, at"
        for kind, *rest, _ in self._rows(f"select kind, chunk, grid, at, depth, name, min(id) {own}", (key, name)):
            yield Place(key, Kind(kind), *rest)

    @cached_property
    def measure_words(self) -> frozenset[str]:
        """The words of all heads and labels."""
        return frozenset(word for name in self.heads for word in words_and_days(name))

    def heads_with(self, words: Collection[str]) -> list[str]:
        """Return the heads and labels, as in `heads` and in its order, with any of the words."""
        return self._heads_by_word.having(words)

    @cached_property
    def _heads_by_word(self) -> NamesByWord:
        return NamesByWord(self.heads)

    def measure_forms(self, word: str) -> frozenset[str]:
        """Return the words of heads and labels that a word is a form of."""
        return self._read_measured(word)

    def _measured_as(self, word: str) -> frozenset[str]:
        return frozenset(self._measured_forms.of(word))

    @cached_property
    def _measured_forms(self) -> WordForms:
        return WordForms(self.measure_words)

    def measures_by_initials(self, initials: str) -> frozenset[str]:
        """Return the measures with these initials in heads, labels and captions that share a word with a head or
        label.
        """
        said = self._initials.get(initials, frozenset())
        return frozenset(each for each in said if not self.measure_words.isdisjoint(each.split()))

    @cached_property
    def short_heads(self) -> frozenset[str]:
        """The heads and labels that are nothing but initials."""
        return written_as_initials(self.heads)

    @cached_property
    def explained_initials(self) -> Mapping[str, frozenset[str]]:
        """For initials that are heads or labels: what the texts say they stand for."""
        found: dict[str, set[str]] = {}
        for letters in sorted(self.short_heads):
            said = self._rows("select distinct name from names where key = ?", (EXPLAINS + letters,))
            found |= {letters: {row[0] for row in said}} if said else {}
        return {letters: frozenset(said) for letters, said in found.items()}

    @cached_property
    def _initials(self) -> Mapping[str, frozenset[str]]:
        return by_initials(row[0] for row in self._rows("select distinct name from heads", ()))

    def grid(self, number: int) -> Grid:
        """Return the table with this number."""
        return self._read_grid(number)

    def close(self) -> None:
        """Release the file; closing twice is no error."""
        with self._turn:
            self._db.close()

    def _places(self, key: str, kinds: str) -> tuple[Place, ...]:
        """Return the places of one name that have one of some kinds."""
        fields = "kind, chunk, grid, at, depth, name"
        order = f"order by kind, depth, id limit {_MOST}"
        rows = self._rows(f"select {fields} from names where key = ? and kind in ({kinds}) {order}", (key,))
        return tuple(Place(key, _KINDS[kind], *rest) for kind, *rest in rows)

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


@lru_cache(maxsize=64)
def _listed(kinds: tuple[Kind, ...]) -> str:
    """Return kinds as a list for an SQL statement."""
    return ",".join(str(int(kind)) for kind in kinds)
