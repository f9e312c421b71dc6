"""An embedder that uses the vault as a cache, so that no text is embedded twice even after a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from retrieval.collections.local.vault import Vault
from retrieval.embedding.known import KnowingEmbedder
from retrieval.embedding.protocol import Embedder
from retrieval.stores.store import Vectors


def remembering(inner: Embedder, vault: Vault) -> KnowingEmbedder:
    """Wrap any `Embedder` while a collection is being written; new vectors are durable when `embed` returns."""

    async def known(texts: Sequence[str]) -> dict[str, Vectors]:
        return await asyncio.to_thread(vault.known, texts)

    async def keep(texts: Sequence[str], vectors: Vectors) -> None:
        await asyncio.to_thread(vault.remember, texts, vectors)

    return KnowingEmbedder(inner, known, keep)
