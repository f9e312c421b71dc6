"""The directory of an index: for each chunk's row its vector, its rule, and the fields that searches filter by.

Chunks without a rule come first, then those with one. That split makes noisy collections fast: the look-alikes, which
crowd the neighborhood of queries about them, never compete with the others in the approximate index. The eligible ones
are known from the rules alone, and few enough to be compared exactly, one by one.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Self

import numpy as np
import orjson
from numpy.typing import NDArray

from retrieval.collections.local.integrity import read_sound
from retrieval.collections.local.manifest import graph_of, unreadable
from retrieval.collections.local.row_vectors import VECTORS, Rows, RowVectors, stacked
from retrieval.collections.local.vault import StoredChunk
from retrieval.errors import Damaged
from retrieval.filters.bank import RuleBank
from retrieval.stores.metadata import Where, listed, slots
from retrieval.stores.store import Vectors
from retrieval.text.normal import Words
from retrieval.types import QueryMust

UNRULED, RULED = "unruled", "ruled"
"""The parts of an index: chunks without a rule, and those with one."""
Ranked = list[tuple[int, float]]
"""Rows with their cosine distances."""

_INDEXED = ("chunk_type", "source", "title_key", *slots("tags"))
COMPARED = 20_000
"""The most chunks without a rule that are compared one by one, in half the time of a search of the graph."""
_CLOSE = 1e-5
"""The largest error of 32-bit products of unit vectors."""
_BLOCK = 256
"""Rows that stay in the processor's cache while they are compared with one query after another."""
_ROWS, _DIGESTS, _COLUMNS, _RULES = "rows.json", "digests.npy", "columns.npy", "rules"
_DIGITS = 32
"""The length of a digest in hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class Row:
    """The directory's data about one chunk."""

    id: str
    digest: str
    rule: QueryMust | None
    flat: Mapping[str, object]
    vector: Vectors

    @classmethod
    def of(cls, stored: StoredChunk, rule: QueryMust | None) -> Self:
        """Return the row of a chunk with this rule."""
        flat = {name: stored.flat[name] for name in _INDEXED if name in stored.flat}
        return cls(stored.id, digest(stored), rule, flat, np.frombuffer(stored.vector, dtype=np.float32))


def digest(stored: StoredChunk) -> str:
    """Return a digest of a chunk's text, metadata and vector."""
    body = orjson.dumps([stored.text, stored.flat], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(body + stored.vector).hexdigest()[:_DIGITS]


@dataclass(frozen=True, eq=False)
class Column:
    """The values of the rows in one field: each row has the number of one of its values, or -1."""

    values: list[str]
    numbers: NDArray[np.int32]

    @classmethod
    def of(cls, values: Iterable[object | None]) -> Self:
        """Return the column of these values, row by row."""
        known: dict[str, int] = {}
        numbers = [-1 if value is None else known.setdefault(str(value), len(known)) for value in values]
        return cls(list(known), np.array(numbers, dtype=np.int32))

    def rows_with(self, wanted: Collection[str]) -> set[int]:
        """Return the rows that have any of some values."""
        asked = [self._number_of[value] for value in wanted if value in self._number_of]
        return {row for number in asked for row in np.flatnonzero(self.numbers == number).tolist()}

    @cached_property
    def _number_of(self) -> dict[str, int]:
        return {value: number for number, value in enumerate(self.values)}

    def changed(self, taken: Rows, values: Iterable[object | None]) -> Column:
        """Return the column of rows taken over from this one and, where `taken` is -1, of these values in order."""
        known = self._number_of.copy()
        new = [-1 if value is None else known.setdefault(str(value), len(known)) for value in values]
        numbers = np.full(len(taken), -1, dtype=np.int32)
        numbers[taken >= 0] = self.numbers[taken[taken >= 0]]
        numbers[taken < 0] = new
        return Column(list(known), numbers)


class RuleIndex:
    """All rows of an index; immutable."""

    def __init__(
        self,
        ids: Sequence[str],
        digests: NDArray[np.bytes_],
        unruled: int,
        columns: Mapping[str, Column],
        vectors: RowVectors,
        bank: RuleBank,
    ) -> None:
        """`ids` ascend separately for rows without and with a rule."""
        self.ids, self.unruled, self.vectors, self.bank = ids, unruled, vectors, bank
        self._digests, self._columns = digests, columns

    @classmethod
    def build(cls, rows: Iterable[Row]) -> RuleIndex:
        """Return the directory of these chunks, in any order."""
        ordered = sorted(rows, key=lambda row: (row.rule is not None, row.id))
        return cls(
            [row.id for row in ordered],
            _digests([row.digest for row in ordered]),
            sum(row.rule is None for row in ordered),
            {name: Column.of(row.flat.get(name) for row in ordered) for name in _INDEXED},
            RowVectors(stacked([row.vector for row in ordered])),
            RuleBank.compile([row.rule for row in ordered if row.rule is not None]),
        )

    def changed(self, removed: Collection[str], rows: Sequence[Row], bank: RuleBank) -> RuleIndex:
        """Return the directory of other chunks: without the `removed`, and with these rows, whose ids may be known or
        new.

        `bank` has all rules, ordered by chunk id.
        """
        gone = self.rows_of({*removed, *(row.id for row in rows)})
        unruled = [row for row in rows if row.rule is None]
        ruled = [row for row in rows if row.rule is not None]
        more = [*sorted(unruled, key=_id_of), *sorted(ruled, key=_id_of)]
        stay = np.delete(np.arange(len(self.ids), dtype=np.intp), gone)
        ids = [self.ids[row] for row in stay.tolist()]
        start = len(ids) - int((stay >= self.unruled).sum())
        places = [bisect_left(ids, row.id, 0, start) for row in more[: len(unruled)]]
        places += [bisect_left(ids, row.id, start) for row in more[len(unruled) :]]
        taken = np.insert(stay, np.array(places, dtype=np.intp), -1)
        digests = self._digests[taken]
        digests[taken < 0] = _digests([row.digest for row in more])
        return RuleIndex(
            [*sorted([*ids[:start], *map(_id_of, unruled)]), *sorted([*ids[start:], *map(_id_of, ruled)])],
            digests,
            start + len(unruled),
            {
                name: column.changed(taken, [row.flat.get(name) for row in more])
                for name, column in self._columns.items()
            },
            self.vectors.changed(taken, stacked([row.vector for row in more])),
            bank,
        )

    def save(self, folder: Path) -> None:
        """Write everything into an existing folder."""
        columns = {name: each.values for name, each in self._columns.items() if each.values}
        numbers = [self._columns[name].numbers for name in columns]
        (folder / _ROWS).write_bytes(orjson.dumps({"ids": self.ids, "unruled": self.unruled, "columns": columns}))
        np.save(folder / _COLUMNS, np.stack(numbers) if numbers else np.zeros((0, len(self.ids)), np.int32))
        np.save(folder / _DIGESTS, self._digests)
        self.vectors.save(folder)
        (folder / _RULES).mkdir()
        self.bank.save(folder / _RULES)

    @classmethod
    def load(cls, folder: Path) -> RuleIndex:
        """Read what `save` wrote in an index published since; the vectors are mapped from disk.

        `Damaged` if it is not as written.
        """
        try:
            parts = orjson.loads(read_sound(folder, _ROWS))
            digests, numbers = (np.load(BytesIO(read_sound(folder, name))) for name in (_DIGESTS, _COLUMNS))
            named = zip(parts["columns"].items(), numbers, strict=True)
            own = {name: Column(values, own_numbers) for (name, values), own_numbers in named}
            missing = np.full(len(parts["ids"]), -1, dtype=np.int32)
            columns = {name: own.get(name) or Column([], missing) for name in _INDEXED}
            vectors, bank = RowVectors.load(folder, graph_of(folder)), RuleBank.load(folder / _RULES)
            return cls(parts["ids"], digests, parts["unruled"], columns, vectors, bank)
        except OSError as error:
            raise unreadable(graph_of(folder) / VECTORS, error) from error
        except (ValueError, KeyError, TypeError) as error:
            raise Damaged(f"the index {folder} is damaged: {error}") from error

    @property
    def digests(self) -> list[str]:
        """The digest of each row."""
        return [digest.decode() for digest in self._digests.tolist()]

    def digest_of(self, row: int) -> str:
        """Return the digest of one row."""
        return bytes(self._digests[row]).decode()

    @property
    def is_large(self) -> bool:
        """True if the chunks without a rule are too many to be compared one by one, so that a graph finds them."""
        return self.unruled > COMPARED

    def part_of_row(self, row: int) -> str:
        """Return the part of the index that a row belongs to."""
        return UNRULED if row < self.unruled else RULED

    def parts_of(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the part of each of these ids that exists."""
        rows = {id_: self._row_of(id_) for id_ in ids}
        return {id_: self.part_of_row(row) for id_, row in rows.items() if row is not None}

    def rows_of(self, ids: Iterable[str]) -> Rows:
        """Return the rows of these ids; those that do not exist are left out."""
        return _rows([row for row in map(self._row_of, ids) if row is not None])

    def _row_of(self, id_: str) -> int | None:
        """Return the row of an id; `None` if there is none."""
        for start, end in ((0, self.unruled), (self.unruled, len(self.ids))):
            row = bisect_left(self.ids, id_, start, end)
            if row < end and self.ids[row] == id_:
                return row
        return None

    def rows_where(self, where: Where) -> Rows | None:
        """Return the rows that meet a condition, ascending; `None` if one of its fields is unknown here."""
        found: set[int] | None = None
        for field, value in where.items():
            wanted = [str(each) for each in listed(value)]
            if field == "id":
                here = set(self.rows_of(wanted).tolist())
            elif set(slots(field)) <= set(_INDEXED):
                here = {row for slot in slots(field) for row in self._columns[slot].rows_with(wanted)}
            else:
                return None
            found = here if found is None else found & here
        return _rows(sorted(found or ()))

    def allowed(self, query: Words) -> NDArray[np.bool_]:
        """Return for every row whether its rule allows this query, shape (rows,)."""
        unruled = np.ones(self.unruled, dtype=np.bool_)
        return np.concatenate([unruled, self.bank.eligible(query)])

    def nearest(self, vector: Vectors, rows: Rows, n_results: int) -> Ranked:
        """Return the nearest of these rows with their cosine distances, nearest first, ties by id. Exact."""
        # If all rows will be chosen, rough distances are not needed.
        rough = np.zeros(len(rows), np.float32) if len(rows) <= n_results else self.rough([vector], rows)[0]
        return self._best(vector, rows, rough, n_results)

    def split(
        self, vector: Vectors, rows: Rows, rough: Vectors, allowed: NDArray[np.bool_], n_results: int
    ) -> tuple[Ranked, Ranked]:
        """Return the nearest of the allowed rows and the nearest of the others, preselected by their `rough`
        distances.
        """
        may = allowed[rows]
        return (
            self._best(vector, rows[may], rough[may], n_results),
            self._best(vector, rows[~may], rough[~may], n_results),
        )

    def rough(self, vectors: Sequence[Vectors], rows: Rows) -> Vectors:
        """Return 32-bit distances for preselection, shape (vectors, rows)."""
        found = np.empty((len(vectors), len(rows)), dtype=np.float32)
        asked = np.asarray(vectors)[:, None] if len(vectors) else np.empty((0, 1, self.vectors.shape[1]), np.float32)
        for start in range(0, len(rows), _BLOCK):
            end = start + _BLOCK
            # Not `@`: BLAS would start a thread for each core, and these wait for each other under concurrent queries.
            found[:, start:end] = 1 - np.vecdot(self.vectors.of(rows[start:end]), asked)
        return found

    def _best(self, vector: Vectors, rows: Rows, rough: Vectors, n_results: int) -> Ranked:
        if not len(rows) or n_results < 1:
            return []
        if n_results < len(rows):
            limit = np.partition(rough, n_results - 1)[n_results - 1] + _CLOSE
            rows = rows[rough <= limit]
        distances = self.distances(vector, rows)
        ranked = sorted(zip(rows.tolist(), distances.tolist(), strict=True), key=self.order)
        return ranked[:n_results]

    def order(self, pair: tuple[int, float]) -> tuple[float, str]:
        """Return the sort key of a row at a distance: nearest first, ties by id."""
        return pair[1], self.ids[pair[0]]

    def distances(self, vector: Vectors, rows: Rows) -> NDArray[np.float64]:
        """Return exact cosine distances; equal vectors have equal ones, wherever they are stored."""
        found = np.asarray(self.vectors.of(rows), dtype=np.float64)
        query = np.asarray(vector, dtype=np.float64)
        norms = np.linalg.norm(found, axis=1) * np.linalg.norm(query)
        return np.asarray(1 - (found * query).sum(axis=1) / np.maximum(norms, 1e-30))

    def without(self, rows: Rows, ids: Collection[str]) -> Rows:
        """Return the rows without those of some ids."""
        return rows if not ids else np.setdiff1d(rows, self.rows_of(ids), assume_unique=True)


def _digests(digests: Sequence[str]) -> NDArray[np.bytes_]:
    return np.array(digests, dtype=f"S{_DIGITS}")


def _id_of(row: Row) -> str:
    return row.id


def _rows(numbers: Sequence[int]) -> Rows:
    return np.asarray(numbers, dtype=np.intp)
