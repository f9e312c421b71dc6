"""An embedder: `letters:26` counts how often each letter occurs. Quick, and only good for a test.

[project.entry-points."versus.embedders"]
letters = "letters:Letters"
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Letters:
    """The first so many letters of the alphabet, counted."""

    def __init__(self, model: str, *, base_url: str | None = None, api_key: str | None = None) -> None:
        self.name, self.dimension = f"letters:{model}", int(model)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector for each text."""
        alphabet = [chr(ord("a") + number) for number in range(self.dimension)]
        counts = np.array([[1 + text.lower().count(letter) for letter in alphabet] for text in texts], dtype=np.float32)
        counts = counts.reshape(len(texts), self.dimension)
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), dtype=np.float32)
