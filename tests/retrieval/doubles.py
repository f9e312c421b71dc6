"""Small honest stand-ins: a deterministic embedder that counts words, and makers of hits and chunks."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from retrieval.types import Chunk, Hit, SubQuery

QUERY = SubQuery("q1", "a bear in the woods")


class BagOfWords:
    """A bag of hashed words: texts that share words are near each other. Remembers what it was asked."""

    def __init__(self, name: str = "bag-of-words", dimension: int = 512) -> None:
        self.name = name
        self.dimension: int | None = dimension
        self._size = dimension
        self.calls: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        if not texts:
            return np.zeros((0, self._size), dtype=np.float32)
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.full(self._size, 1e-3, dtype=np.float32)
        for word in text.lower().split():
            vector[zlib.crc32(word.strip(".,:?").encode()) % self._size] += 1
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


class RandomVectors:
    """A random vector for each text, always the same one: no two texts are equally far from a third."""

    name = "random-vectors"

    def __init__(self, dimension: int = 8) -> None:
        self.dimension: int | None = dimension
        self._size = dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.stack([default_rng(zlib.crc32(text.encode())).normal(size=self._size) for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def chunk(number: int | str, text: str = "") -> Chunk:
    """A chunk of its own text."""
    return Chunk(f"c{number}", text or f"text {number}", f"Title {number}")


def hits_at(*distances: float) -> list[Hit]:
    """Hits at these cosine distances, with the relevance that follows."""
    return [Hit(chunk(n), distance, max(0.0, 1 - distance)) for n, distance in enumerate(distances, start=1)]


def hits_with(*relevances: float) -> list[Hit]:
    """Hits with these relevances."""
    return [Hit(chunk(n), 1 - relevance, relevance) for n, relevance in enumerate(relevances, start=1)]


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk.id for hit in hits]
