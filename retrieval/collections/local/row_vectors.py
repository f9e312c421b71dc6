"""The vectors of all rows of an index: most in a file beside its graph, later ones in a file of its own.

The vectors are most of an index's data. So the large file is written with the graph, mapped from disk, and shared by
the indexes updated from that one; these only have the few new vectors, and the place of each row's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from retrieval.collections.local.integrity import read_sound
from retrieval.stores.store import Vectors

VECTORS, FRESH, PLACES = "vectors.npy", "fresh.npy", "places.npy"
Rows = NDArray[np.intp]
_HEAD = 256
"""The most bytes of a file without vectors."""


class RowVectors:
    """Vectors by row; immutable.

    A row's place is the position of its vector in `kept` or, counted backwards from -1, in `fresh`; without `places`,
    it is the row number.

    >>> vectors = RowVectors(np.eye(3, dtype=np.float32)).changed(np.array([2, -1, 0]), np.full((1, 3), 5, np.float32))
    >>> vectors.of(np.arange(3))[:, 0].tolist(), vectors.shape
    ([0.0, 5.0, 1.0], (3, 3))
    """

    def __init__(self, kept: Vectors, fresh: Vectors | None = None, places: NDArray[np.int32] | None = None) -> None:
        self._kept, self._places = kept, places
        self._fresh = kept[:0] if fresh is None else fresh

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and the length of each vector."""
        return len(self._kept) if self._places is None else len(self._places), int(self._kept.shape[1])

    def of(self, rows: Rows) -> Vectors:
        """Return the vectors of some rows; a view, not a copy, if they are consecutive in the file."""
        places = rows if self._places is None else self._places[rows]
        if _follow(places) and (not len(self._fresh) or int(places.min()) >= 0):
            return self._kept[places[0] : places[-1] + 1]
        if not len(self._fresh):
            return self._kept[places]
        found = np.empty((len(places), self.shape[1]), dtype=np.float32)
        is_kept = places >= 0
        found[is_kept] = self._kept[places[is_kept]]
        found[~is_kept] = self._fresh[-1 - places[~is_kept]]
        return found

    def changed(self, taken: Rows, new: Vectors) -> RowVectors:
        """Return the vectors of rows taken over from these and, where `taken` is -1, the new ones in order."""
        places = np.full(len(taken), -1, dtype=np.int32)
        is_taken = taken >= 0
        places[is_taken] = taken[is_taken] if self._places is None else self._places[taken[is_taken]]
        is_fresh = is_taken & (places < 0)
        fresh = [self._fresh[-1 - places[is_fresh]], new] if len(new) else [self._fresh[-1 - places[is_fresh]]]
        places[is_fresh] = -1 - np.arange(int(is_fresh.sum()))
        places[~is_taken] = -1 - np.arange(int(is_fresh.sum()), int(is_fresh.sum() + (~is_taken).sum()))
        return RowVectors(self._kept, np.concatenate(fresh), places)

    def save(self, folder: Path) -> None:
        """Write the vectors, or only those not in the large file of an earlier index."""
        if self._places is None:
            np.save(folder / VECTORS, self._kept)
        else:
            np.save(folder / FRESH, self._fresh)
            np.save(folder / PLACES, self._places)

    @classmethod
    def load(cls, folder: Path, base: Path) -> Self:
        """Read what `save` wrote in an index published since; the large file, of `base`, is mapped from disk.

        `Damaged` if the other files are not as written.
        """
        own = [] if base == folder else [np.load(BytesIO(read_sound(folder, name))) for name in (FRESH, PLACES)]
        return cls(_on_disk(base / VECTORS), *own)


def stacked(vectors: Sequence[Vectors]) -> Vectors:
    """Return vectors as the rows of one array."""
    return np.stack(vectors) if vectors else np.zeros((0, 0), dtype=np.float32)


def _on_disk(path: Path) -> Vectors:
    """Return an array that is read on demand; one without elements can't be mapped."""
    is_empty = path.stat().st_size <= _HEAD and not np.load(path).size
    return np.asarray(np.load(path, mmap_mode=None if is_empty else "r"))


def _follow(places: NDArray[np.signedinteger]) -> bool:
    return len(places) > 0 and bool(places[-1] - places[0] + 1 == len(places))
