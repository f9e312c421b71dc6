"""Chunks at chosen relevances, so that a test of the whole way can use the numbers of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.stores.store import Stamp, Store
from retrieval.types import Chunk


class Placed:
    """An embedder that knows a few queries, at right angles to each other, and each text's relevance to them.

    >>> embedder = Placed(["bears"], {"an owlbear": [0.9]})
    """

    name = "placed"

    def __init__(self, queries: Sequence[str], relevances: Mapping[str, Sequence[float]]) -> None:
        self._axes = list(queries)
        self._relevances = relevances
        self.dimension: int | None = len(queries) + 1

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> list[float]:
        if text in self._axes:
            return [float(text == axis) for axis in self._axes] + [0.0]
        placed = list(self._relevances[text])
        return [*placed, max(0.0, 1.0 - sum(r * r for r in placed)) ** 0.5]


async def shelve(store: Store, chunks: Sequence[Chunk], embedder: Placed) -> None:
    """Put the chunks where their texts belong."""
    vectors = await embedder.embed([chunk.text for chunk in chunks])
    await store.upsert(chunks, vectors, [Stamp(f"hash of {chunk.id}") for chunk in chunks])
