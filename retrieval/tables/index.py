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
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import orjson

from retrieval.errors import StoreError
from retrieval.tables.cells import Grid
from retrieval.tables.heads import Heads
from retrieval.tables.initials import EXPLAINS, by_initials, written_as_initials
from retrieval.tables.match import NamesByWord, WordForms
from retrieval.tables.writing import FORMAT, INDEXES, SCHEMA, Kind, rewrite, write
from retrieval.text.normal import phrase
from retrieval.types import Chunk

_MOST = 400
"""Places of one name that are read; a name of more is a word of the book."""
_KINDS = tuple(Kind)
_MEASURES = f"{int(Kind.COLUMN)}, {int(Kind.LABEL)}"
_ALL_KINDS = ",".join(str(int(kind)) for kind in Kind)
_NO_LABELS = ",".join(str(int(kind)) for kind in Kind if kind is not Kind.LABEL)


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


def grids_of(places: Iterable[Place]) -> list[int]:
    """The numbers of the tables that some places stand in, each once."""
    return list(dict.fromkeys(place.grid for place in places if place.grid is not None))


class Cells(Protocol):
    """The names and tables of one collection, or of several as one. All calls block."""

    def places(self, keys: Collection[str], kinds: Collection[Kind] = tuple(Kind)) -> list[Place]:
        """Where these names stand, the most telling places of each first."""
        ...

    def known(self, keys: Sequence[str], kinds: Collection[Kind] = tuple(Kind)) -> set[str]:
        """Those of the keys that are names, of these kinds."""
        ...

    def measures(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that are the whole head of a column or the whole label of a record."""
        ...

    def holders(self, words: Collection[str]) -> list[str]:
        """The keys of the names, heads and labels aside, that have all these words."""
        ...

    def of_kind(self, word: str) -> frozenset[int]:
        """The numbers of the tables whose names, groups or folders have a word."""
        ...

    def holding(self, word: str) -> frozenset[int]:
        """The numbers of the tables that have a word in a brief value."""
        ...

    @property
    def heads(self) -> Mapping[str, tuple[Place, ...]]:
        """Every head and label of a normal form, by one of its texts, with its places."""
        ...

    @property
    def measured(self) -> frozenset[str]:
        """The words of all heads and labels."""
        ...

    def heads_with(self, words: Collection[str]) -> list[str]:
        """The heads and labels with one of some words, as `heads` has them and in its order."""
        ...

    def measured_as(self, word: str) -> frozenset[str]:
        """The words of heads and labels that a word is a form of."""
        ...

    def spelled_out(self, initials: str) -> frozenset[str]:
        """The measures of heads, labels and captions that have these initials."""
        ...

    @property
    def short_heads(self) -> frozenset[str]:
        """The heads and labels that are nothing but initials."""
        ...

    @property
    def explained(self) -> Mapping[str, frozenset[str]]:
        """What the texts say that initials stand for, of those that are heads or labels."""
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
        self._read_places = lru_cache(maxsize=8192)(self._places)
        self._read_kind = lru_cache(maxsize=1024)(self._of_kind)
        self._read_held = lru_cache(maxsize=1024)(self._holding)
        self._read_known = lru_cache(maxsize=1024)(self._known)
        self._read_holders = lru_cache(maxsize=4096)(self._holders)
        self._read_measured = lru_cache(maxsize=4096)(self._measured_as)

    @classmethod
    def build(cls, chunks: Iterable[Chunk], path: Path | None = None) -> CellIndex:
        """Index the tables and names of chunks, in a file or, without a `path`, in memory."""
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
        """Bring the index in a file up to date, whose chunks have changed each from the one to the other.

        False, and nothing is changed, where other chunks would be read otherwise now, so that all has to be built anew.
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
        return [place for key in keys for place in self._places_of(key, kinds)]

    def _places_of(self, key: str, kinds: Collection[Kind]) -> Sequence[Place]:
        """The places of one name: a question asks for those of its few names again and again, of other kinds each time.

        Only labels are so many that they are read for those who want them.
        """
        if Kind.LABEL not in kinds:
            found = self._read_places(key, _NO_LABELS)
            if len(found) < _MOST:
                return [place for place in found if place.kind in kinds]
        return self._read_places(key, _listed(tuple(kinds)))

    def known(self, keys: Sequence[str], kinds: Collection[Kind] = tuple(Kind)) -> set[str]:
        """Those of the keys that are names here, of these kinds."""
        return set(self._read_known(tuple(keys), _listed(tuple(kinds))))

    def _known(self, keys: Sequence[str], kinds: str) -> frozenset[str]:
        of_kinds = "" if kinds == _ALL_KINDS else f"and kind in ({kinds})"  # each kind is looked up by itself
        own = f"select 1 from names where key = value {of_kinds}"
        asked = orjson.dumps(keys).decode()
        return frozenset(row[0] for row in self._rows(f"select value from json_each(?) where exists ({own})", (asked,)))

    def measures(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that are the whole head of a column or the whole label of a record."""
        return self.known(keys, (Kind.COLUMN, Kind.LABEL))

    def holders(self, words: Collection[str]) -> list[str]:
        """The keys of the names, heads and labels aside, that have all these words."""
        return list(self._read_holders(tuple(words)))

    def _holders(self, words: Sequence[str]) -> tuple[str, ...]:
        marks = ",".join("?" * len(words))
        having = f"group by key having count(distinct word) = ? limit {_MOST}"
        statement = f"select key from words where word in ({marks}) {having}"
        return tuple(row[0] for row in self._rows(statement, (*words, len(words))))

    def of_kind(self, word: str) -> frozenset[int]:
        """The numbers of the tables whose names, groups or folders have a word, in any of its forms."""
        return self._read_kind(word)

    def _of_kind(self, word: str) -> frozenset[int]:
        same = self._kind_words.of(word)
        marks = ",".join("?" * len(same))
        return frozenset(row[0] for row in self._rows(f"select distinct grid from kinds where word in ({marks})", same))

    def holding(self, word: str) -> frozenset[int]:
        """The numbers of the tables that have a word in a brief value."""
        return self._read_held(word)

    def _holding(self, word: str) -> frozenset[int]:
        return frozenset(row[0] for row in self._rows("select grid from held where word = ?", (word,)))

    @cached_property
    def _kind_words(self) -> WordForms:
        return WordForms(row[0] for row in self._rows("select distinct word from kinds", ()))

    @cached_property
    def heads(self) -> Heads[Place]:
        """Every head and label of a normal form, by one of its texts, with its places."""
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
        """The places of a head or label; of several in one place the first is told."""
        own = f"from names where key = ? and kind in ({_MEASURES}) and name = ? group by grid, at order by grid, at"
        for kind, *rest, _ in self._rows(f"select kind, chunk, grid, at, depth, name, min(id) {own}", (key, name)):
            yield Place(key, Kind(kind), *rest)

    @cached_property
    def measured(self) -> frozenset[str]:
        """The words of all heads and labels."""
        return frozenset(word for name in self.heads for word in phrase(name))

    def heads_with(self, words: Collection[str]) -> list[str]:
        """The heads and labels with one of some words, as `heads` has them and in its order."""
        return self._heads_by_word.having(words)

    @cached_property
    def _heads_by_word(self) -> NamesByWord:
        return NamesByWord(self.heads)

    def measured_as(self, word: str) -> frozenset[str]:
        """The words of heads and labels that a word is a form of."""
        return self._read_measured(word)

    def _measured_as(self, word: str) -> frozenset[str]:
        return frozenset(self._measured_forms.of(word))

    @cached_property
    def _measured_forms(self) -> WordForms:
        return WordForms(self.measured)

    def spelled_out(self, initials: str) -> frozenset[str]:
        """The measures of heads, labels and captions that have these initials: they have a word of some head."""
        said = self._initials.get(initials, frozenset())
        return frozenset(each for each in said if not self.measured.isdisjoint(each.split()))

    @cached_property
    def short_heads(self) -> frozenset[str]:
        """The heads and labels that are nothing but initials."""
        return written_as_initials(self.heads)

    @cached_property
    def explained(self) -> Mapping[str, frozenset[str]]:
        """What the texts say that initials stand for, of those that are heads or labels."""
        found: dict[str, set[str]] = {}
        for letters in sorted(self.short_heads):
            said = self._rows("select distinct name from names where key = ?", (EXPLAINS + letters,))
            found |= {letters: {row[0] for row in said}} if said else {}
        return {letters: frozenset(said) for letters, said in found.items()}

    @cached_property
    def _initials(self) -> Mapping[str, frozenset[str]]:
        return by_initials(row[0] for row in self._rows("select distinct name from heads", ()))

    def grid(self, number: int) -> Grid:
        """The table that a place has the number of."""
        return self._read_grid(number)

    def close(self) -> None:
        """Release the file; closing twice is no error."""
        with self._turn:
            self._db.close()

    def _places(self, key: str, kinds: str) -> tuple[Place, ...]:
        """The places of one name that are of some kinds."""
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
    """Kinds as a statement has them."""
    return ",".join(str(int(kind)) for kind in kinds)
