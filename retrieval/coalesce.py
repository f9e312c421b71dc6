"""Embedding calls that wait at the same time share one model call, and recent queries need none at all.

A model embeds twelve short texts in little more time than one. Both classes wrap any `Embedder` and are one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.embed import Embedder

Vectors = NDArray[np.float32]


@dataclass(slots=True, eq=False)
class _Batch:
    """The texts that one model call will embed, each with its row in the result."""

    rows: dict[str, int] = field(default_factory=dict)
    waiters: int = 0


class CoalescingEmbedder:
    """Joins the calls that arrive until the model is free; each caller gets its own vectors.

    A waiter that is cancelled does not hurt the others; when the last one is, the call is cancelled too.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._open: tuple[_Batch, asyncio.Task[Vectors]] | None = None
        self._one_at_a_time = asyncio.Lock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    @property
    def dimension(self) -> int | None:
        """How long its vectors are; `None` until that is known."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension), from a model call shared with whoever waits."""
        batch, task = self._join()
        rows = [batch.rows.setdefault(text, len(batch.rows)) for text in texts]
        batch.waiters += 1
        try:
            # Shielded, because the call belongs to all waiters, not to this one.
            vectors = await asyncio.shield(task)
        finally:
            batch.waiters -= 1
            if batch.waiters == 0 and not task.done():
                self._seal(batch)
                task.cancel()
        return vectors[rows]

    def _join(self) -> tuple[_Batch, asyncio.Task[Vectors]]:
        if self._open is None:
            batch = _Batch()
            self._open = batch, asyncio.create_task(self._run(batch))
        return self._open

    async def _run(self, batch: _Batch) -> Vectors:
        async with self._one_at_a_time:
            await asyncio.sleep(0)
            self._seal(batch)
            return await self._inner.embed(list(batch.rows))

    def _seal(self, batch: _Batch) -> None:
        if self._open is not None and self._open[0] is batch:
            self._open = None


class CachingEmbedder:
    """Remembers the vectors of the most recently used texts, at most `size` of them."""

    def __init__(self, inner: Embedder, size: int = 1024) -> None:
        self._inner = inner
        self._size = size
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    @property
    def dimension(self) -> int | None:
        """How long its vectors are; `None` until that is known."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension); only texts not seen lately go to the model."""
        known = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing or not texts:
            vectors = await self._inner.embed(missing)
            known |= dict(zip(missing, vectors, strict=True))
        self._remember({text: known[text] for text in texts})
        return np.stack([known[text] for text in texts]) if texts else vectors

    def _remember(self, used: dict[str, Vectors]) -> None:
        for text, vector in used.items():
            self._vectors[text] = vector.copy()  # a row would keep its whole batch alive
            self._vectors.move_to_end(text)
        while len(self._vectors) > self._size:
            self._vectors.popitem(last=False)
