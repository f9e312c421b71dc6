"""Which label a wording means where no word is its own: the nearest by its embedding, among the labels at hand.

*How heavy* is *Weight* and *price* is *Cost* without a list that says so. Only the labels of cells that stand under the
name are candidates, the nearest has to be near, and the next one clearly farther; else nothing is assumed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrieval.embed import Embedder

NEAR = 0.48
"""Cosine similarity from which a label may be meant. Measured on pairs of wordings and heads with all-MiniLM-L6-v2:
right pairs have 0.49 to 0.97, the nearest wrong ones up to 0.46."""
MARGIN = 0.12
"""How much farther the second label has to be."""
MOST_LABELS = 64
_SHORTEST = 3
"""Letters of a word that means something to a model; what is shorter is an abbreviation, of anything."""


async def nearest_label(embedder: Embedder, wording: str, labels: Sequence[str]) -> str | None:
    """The label that `wording` means; None where none is near, or two are."""
    some = list(labels)[:MOST_LABELS]
    if not some or not any(len(word) >= _SHORTEST for word in wording.split()):
        return None
    vectors = np.asarray(await embedder.embed([wording, *some]), dtype=np.float32)
    similar = vectors[1:] @ vectors[0]
    order = np.argsort(-similar)
    best = float(similar[order[0]])
    second = float(similar[order[1]]) if len(some) > 1 else 0.0
    return some[int(order[0])] if best >= NEAR and best - second >= MARGIN else None
