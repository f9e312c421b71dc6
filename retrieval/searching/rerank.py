"""Rerank candidates by a cross-encoder, a model that reads query and text together.

An embedder encodes a text without the query, which is fast and coarse; a cross-encoder judges each pair, which is slow
and precise, so it gets only what retrieval has found. Source: Nogueira and Cho, "Passage Re-ranking with BERT", 2019;
seed document 3, "Future Enhancements".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from retrieval.embedding.model_code import require_no_code
from retrieval.embedding.model_loader import LazyModel, local_first
from retrieval.types import Hit


class Reranker(Protocol):
    """Judges how well texts answer a query. Every failure is an `EmbeddingError`."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text, larger is better; comparable only among texts of one query."""
        ...


class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers, by name or local folder; loaded in a thread, at the latest on first
    use.

    Texts are truncated at the model's limit (usually 512 tokens, query included).

    >>> CrossEncoderReranker("cross-encoder/ms-marco-MiniLM-L-6-v2").name
    'cross-encoder/ms-marco-MiniLM-L-6-v2'
    """

    def __init__(self, model: str, *, device: str | None = None, batch_size: int = 32) -> None:
        self.name = model
        self._device = device
        self._batch_size = batch_size
        advice = "Use the path of a cross-encoder's folder, or a name such as 'cross-encoder/ms-marco-MiniLM-L-6-v2'"
        self._model = LazyModel(f"the reranking model {model!r}", self._load, advice)

    async def load(self) -> None:
        """Load the model now; `EmbeddingError` if it can't be used."""
        await self._model.run(lambda model: None)

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text, larger is better; `EmbeddingError` if the model can't be used."""
        pairs = [(query, text) for text in texts]
        return await self._model.run(lambda model: self._scores(model, pairs)) if pairs else []

    def _load(self) -> Any:
        from sentence_transformers import CrossEncoder

        def opened(place: str, offline: bool) -> Any:
            require_no_code(place, offline=offline, organization="cross-encoder")
            return CrossEncoder(place, device=self._device, local_files_only=offline, trust_remote_code=False)

        model = local_first(opened, self.name)
        _require_scoring(model)
        return model

    def _scores(self, model: Any, pairs: list[tuple[str, str]]) -> list[float]:
        scores = np.asarray(model.predict(pairs, batch_size=self._batch_size, show_progress_bar=False), dtype=float)
        if not np.isfinite(scores).all():
            raise ValueError("a score is not a finite number")
        return [float(score) for score in scores]


def _require_scoring(model: Any) -> None:
    """Reject a model with no scores or random ones: transformers adds an untrained layer if the weights lack one."""
    if model.num_labels != 1:
        raise ValueError(f"it gives {model.num_labels} numbers for a text, not one score")
    if type(model.model).__name__ not in (model.model.config.architectures or ()):
        raise ValueError("it is not a cross-encoder, because its weights have no layer that scores")


def reranked(hits: Sequence[Hit], scores: Sequence[float]) -> tuple[Hit, ...]:
    """Return the hits by score, best first; ties by distance, then by id."""
    pairs = sorted(zip(hits, scores, strict=True), key=lambda pair: (-pair[1], pair[0].distance, pair[0].chunk.id))
    return tuple(hit for hit, _ in pairs)
