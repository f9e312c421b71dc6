"""Every chunk of an index by its row: its vector, its rule, and the few fields that searches narrow by.

Chunks without a rule come first, then those with one. That split is what makes noisy collections quick: the
look-alikes, which crowd the neighbourhood of every query about them, never compete with the others for the attention of
the approximate index. Those a query may have are known from the rules alone, and few enough to be compared one by
one, exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from retrieval.collections.local.integrity import read_sound
from retrieval.collections.local.manifest import unreadable
from retrieval.errors import Damaged
from retrieval.filters.bank import RuleBank
from retrieval.stores.metadata import Where, listed, slots
from retrieval.stores.store import Vectors
from retrieval.text.normal import Words
from retrieval.types import QueryMust

Rows = NDArray[np.intp]
Ranked = list[tuple[int, float]]
"""Rows with their cosine distances."""

_INDEXED = ("chunk_type", "source", "title_key", *slots("tags"))
_CLOSE = 1e-5
"""More than 32-bit products of unit vectors can be wrong by."""
_BLOCK = 256
"""Rows that stay near the processor while they are compared with one query after the other."""
_FILES = ("rows.json", "vectors.npy", "rules")


@dataclass(frozen=True, slots=True)
class Row:
    """What the directory keeps of one chunk."""

    id: str
    digest: str
    rule: QueryMust | None
    flat: Mapping[str, object]
    vector: Vectors


class RuleIndex:
    """All rows of an index; nothing in it ever changes."""

    def __init__(
        self,
        ids: Sequence[str],
        digests: Sequence[str],
        unruled: int,
        fields: Mapping[str, Mapping[str, Sequence[int]]],
        vectors: Vectors,
        bank: RuleBank,
    ) -> None:
        self.ids, self.digests, self.unruled, self.vectors = ids, digests, unruled, vectors
        self._fields, self._bank = fields, bank
        self._row_of = {id_: row for row, id_ in enumerate(ids)}

    @classmethod
    def build(cls, rows: Iterable[Row]) -> RuleIndex:
        """Return the directory of these chunks, whatever their order."""
        ordered = sorted(rows, key=lambda row: (row.rule is not None, row.id))
        fields: dict[str, dict[str, list[int]]] = {name: {} for name in _INDEXED}
        for number, row in enumerate(ordered):
            for name in _INDEXED:
                if (value := row.flat.get(name)) is not None:
                    fields[name].setdefault(str(value), []).append(number)
        return cls(
            [row.id for row in ordered],
            [row.digest for row in ordered],
            sum(row.rule is None for row in ordered),
            fields,
            np.stack([row.vector for row in ordered]) if ordered else np.zeros((0, 0), dtype=np.float32),
            RuleBank.compile([row.rule for row in ordered if row.rule is not None]),
        )

    def save(self, folder: Path) -> None:
        """Write everything into a folder, which has to exist."""
        parts = {"ids": self.ids, "digests": self.digests, "unruled": self.unruled, "fields": self._fields}
        (folder / _FILES[0]).write_bytes(orjson.dumps(parts))
        np.save(folder / _FILES[1], self.vectors)
        (folder / _FILES[2]).mkdir()
        self._bank.save(folder / _FILES[2])

    @classmethod
    def load(cls, folder: Path) -> RuleIndex:
        """Read what `save` wrote in an index since published; the vectors stay on disk until they are looked at.

        `Damaged` when it is not what was written.
        """
        try:
            parts = orjson.loads(read_sound(folder, _FILES[0]))
            vectors = np.asarray(np.load(folder / _FILES[1], mmap_mode="r" if parts["ids"] else None))
            return cls(**parts, vectors=vectors, bank=RuleBank.load(folder / _FILES[2]))
        except OSError as error:
            raise unreadable(folder / _FILES[1], error) from error
        except (ValueError, KeyError, TypeError) as error:
            raise Damaged(f"the index {folder} is damaged: {error}") from error

    def rows_of(self, ids: Iterable[str]) -> Rows:
        """Return the rows of these ids; those that do not exist are left out."""
        return _rows([self._row_of[id_] for id_ in ids if id_ in self._row_of])

    def rows_where(self, where: Where) -> Rows | None:
        """Return the rows that meet a condition, ascending; `None` when a field of it is not known here."""
        found: set[int] | None = None
        for field, value in where.items():
            wanted = [str(each) for each in listed(value)]
            if field == "id":
                here = {self._row_of[id_] for id_ in wanted if id_ in self._row_of}
            elif set(slots(field)) <= set(_INDEXED):
                here = {row for slot in slots(field) for one in wanted for row in self._fields[slot].get(one, ())}
            else:
                return None
            found = here if found is None else found & here
        return _rows(sorted(found or ()))

    def allowed(self, query: Words) -> NDArray[np.bool_]:
        """Say of every row whether its rule lets this query have it, shape (rows,)."""
        unruled = np.ones(self.unruled, dtype=np.bool_)
        return np.concatenate([unruled, self._bank.eligible(query)])

    def nearest(self, vector: Vectors, rows: Rows, n_results: int) -> Ranked:
        """Return the nearest of these rows with their cosine distances, nearest first, equal ones by id. Exact."""
        # Where all rows will be chosen, there is nothing to choose by.
        rough = np.zeros(len(rows), np.float32) if len(rows) <= n_results else self.rough([vector], rows)[0]
        return self._best(vector, rows, rough, n_results)

    def split(
        self, vector: Vectors, rows: Rows, rough: Vectors, allowed: NDArray[np.bool_], n_results: int
    ) -> tuple[Ranked, Ranked]:
        """Return the nearest of those rows that are allowed, and the nearest of those that are not, by their `rough`
        distances; `nearest` twice.
        """
        may = allowed[rows]
        return (
            self._best(vector, rows[may], rough[may], n_results),
            self._best(vector, rows[~may], rough[~may], n_results),
        )

    def rough(self, vectors: Sequence[Vectors], rows: Rows) -> Vectors:
        """Distances in 32 bits, for choosing by, shape (vectors, rows)."""
        found, here = np.empty((len(vectors), len(rows)), dtype=np.float32), _vectors_of(self.vectors, rows)
        asked = np.asarray(vectors)[:, None] if len(vectors) else np.empty((0, 1, here.shape[-1]), dtype=np.float32)
        for start in range(0, len(rows), _BLOCK):
            end = start + _BLOCK
            # Not `@`: BLAS would start a thread for each core, which wait for each other when questions come at once.
            found[:, start:end] = 1 - np.vecdot(here[start:end], asked)
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
        """What ranks a row at a distance: nearest first, equal ones by id."""
        return pair[1], self.ids[pair[0]]

    def distances(self, vector: Vectors, rows: Rows) -> NDArray[np.float64]:
        """Return exact cosine distances; equal vectors have equal ones, wherever they stand."""
        found = np.asarray(self.vectors[rows], dtype=np.float64)
        query = np.asarray(vector, dtype=np.float64)
        norms = np.linalg.norm(found, axis=1) * np.linalg.norm(query)
        return np.asarray(1 - (found * query).sum(axis=1) / np.maximum(norms, 1e-30))

    def without(self, rows: Rows, ids: Collection[str]) -> Rows:
        """Return the rows but for those of some ids."""
        return rows if not ids else np.setdiff1d(rows, self.rows_of(ids), assume_unique=True)


def _vectors_of(vectors: Vectors, rows: Rows) -> Vectors:
    """The vectors of these rows; a view, not a copy, where the rows follow each other."""
    together = len(rows) > 0 and rows[-1] - rows[0] + 1 == len(rows)
    return vectors[rows[0] : rows[-1] + 1] if together else vectors[rows]


def _rows(numbers: Sequence[int]) -> Rows:
    return np.asarray(numbers, dtype=np.intp)
