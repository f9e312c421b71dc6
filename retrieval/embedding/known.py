"""Embed only those texts whose vectors are not known from elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.protocol import Embedder

Vectors = NDArray[np.float32]
Known = Callable[[Sequence[str]], Awaitable[Mapping[str, Vectors]]]
"""Returns the vectors of some texts, as far as they are known."""
Keep = Callable[[Sequence[str], Vectors], Awaitable[None]]
"""Stores the vectors of some texts, shape (len(texts), dimension)."""


class KnowingEmbedder:
    """Wraps an `Embedder`, and asks for known vectors first; `keep` stores the others.

    >>> KnowingEmbedder(SentenceTransformerEmbedder(), store.name_vectors)  # doctest: +SKIP
    """

    def __init__(self, inner: Embedder, known: Known, keep: Keep | None = None) -> None:
        self._inner, self._known, self._keep = inner, known, keep

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    @property
    def dimension(self) -> int | None:
        """The length of its vectors; `None` until known."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension); new ones are stored when this returns."""
        known = dict(await self._known(texts)) if texts else {}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        vectors = await completed(texts, known, self._inner)
        if missing and self._keep is not None:
            await self._keep(missing, np.stack([known[text] for text in missing]))
        return vectors


async def completed(texts: Sequence[str], known: dict[str, Vectors], embedder: Embedder) -> Vectors:
    """Return the vectors of texts, shape (len(texts), dimension), and add to `known` those that were not.

    Without texts, a local model is only loaded.
    """
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    if missing or not texts:
        vectors = await embedder.embed(missing)
        known |= {text: vector.copy() for text, vector in zip(missing, vectors, strict=True)}  # frees the batch
    return np.stack([known[text] for text in texts]) if texts else vectors
