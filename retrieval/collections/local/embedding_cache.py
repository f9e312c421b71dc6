"""An embedder that uses the vault as a cache, so that no text is embedded twice even after a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from retrieval.collections.local.vault import Vault
from retrieval.embedding.protocol import Embedder
from retrieval.stores.store import Vectors


class RememberingEmbedder:
    """Wraps any `Embedder` while a collection is being written."""

    def __init__(self, inner: Embedder, vault: Vault) -> None:
        self._inner, self._vault = inner, vault

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    @property
    def dimension(self) -> int | None:
        """The length of its vectors; `None` until known."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension); new ones are durable when this returns."""
        known = await asyncio.to_thread(self._vault.known, texts)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing or not texts:
            vectors = await self._inner.embed(missing)
            await asyncio.to_thread(self._vault.remember, missing, vectors)
            known |= dict(zip(missing, vectors, strict=True))
        return np.stack([known[text] for text in texts]) if texts else vectors
