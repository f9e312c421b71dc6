"""Which label a wording means where no word is its own: the nearest by its embedding, among the labels at hand.

*How heavy* is *Weight* and *price* is *Cost* without a list that says so. Only the labels of cells that stand under the
name are candidates, the nearest has to be near, and the next one clearly farther; else nothing is assumed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.embed import Embedder
from retrieval.errors import EmbeddingError

log = logging.getLogger(__name__)

NEAR = 0.48
"""Cosine similarity from which a label may be meant. Measured on pairs of wordings and heads with all-MiniLM-L6-v2:
right pairs have 0.49 to 0.97, the nearest wrong ones up to 0.46."""
MARGIN = 0.12
"""How much farther the second label has to be."""
MOST_LABELS = 64
_SHORTEST = 3
"""Letters of a word that means something to a model; what is shorter is an abbreviation, of anything."""


async def similarities(embedder: Embedder, wording: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """The cosine similarity of each text to a wording; None, and a warning in the log, where the model fails.

    Then nothing is assumed; the searches that need the model say that they failed.
    """
    try:
        vectors = np.asarray(await embedder.embed([wording, *texts]), dtype=np.float32)
    except EmbeddingError as error:
        log.warning("which text is nearest can't be told: %s", error)
        return None
    return np.asarray(vectors[1:] @ vectors[0])


async def nearest_label(embedder: Embedder, wording: str, labels: Sequence[str]) -> str | None:
    """The label that `wording` means; None where none is near, or two are."""
    some = list(labels)[:MOST_LABELS]
    if not some or not any(len(word) >= _SHORTEST for word in wording.split()):
        return None
    similar = await similarities(embedder, wording, some)
    if similar is None:
        return None
    order = np.argsort(-similar)
    best = float(similar[order[0]])
    second = float(similar[order[1]]) if len(some) > 1 else 0.0
    return some[int(order[0])] if best >= NEAR and best - second >= MARGIN else None
