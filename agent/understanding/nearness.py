"""Which label a wording means where no word is its own: the nearest by its embedding, among the labels at hand.

*How heavy* is *Weight* and *price* is *Cost* without a list that says so. Only the labels of cells that stand under the
name are candidates, the nearest has to be near, and the next one clearly farther; else nothing is assumed.

What has to know it is a generator that yields a `Wording` and is sent its label. `with_model` asks the model,
`without_model` assumes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from agent.understanding.background import Thinking
from retrieval.embedding.protocol import Embedder
from retrieval.errors import EmbeddingError

log = logging.getLogger(__name__)
T = TypeVar("T")

NEAR = 0.48
"""Cosine similarity from which a label may be meant. Measured on pairs of wordings and heads with all-MiniLM-L6-v2:
right pairs have 0.49 to 0.97, the nearest wrong ones up to 0.46."""
MARGIN = 0.12
"""How much farther the second label has to be."""
MOST_LABELS = 64
_SHORTEST = 3
"""Letters of a word that means something to a model; what is shorter is an abbreviation, of anything."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What is asked in other words, and the labels that it may mean."""

    text: str
    labels: tuple[str, ...]


Asking = Generator[Wording, str | None, T]
"""Work that asks which label a wording means, and is sent it; None where no label is near."""


async def with_model(asking: Asking[T], embedder: Embedder, thinking: Thinking) -> T:
    """The result of work that is told the nearest labels; it keeps a core busy, so it is done off the event loop."""
    results: list[T] = []
    wording = await thinking.do(partial(_next, asking, None, results))
    while wording is not None:
        label = await nearest_label(embedder, wording.text, wording.labels)
        wording = await thinking.do(partial(_next, asking, label, results))
    return results[0]


def without_model(asking: Asking[T]) -> T:
    """The result of work for which no label is near.

    >>> def work() -> Asking[str]:
    ...     label = yield Wording("how heavy", ("Weight",))
    ...     return label or "nothing assumed"
    >>> without_model(work())
    'nothing assumed'
    """
    results: list[T] = []
    while _next(asking, None, results) is not None:
        pass
    return results[0]


def _next(asking: Asking[T], label: str | None, results: list[T]) -> Wording | None:
    """What is asked next; None when the work is done, and its result is in `results`."""
    try:
        return asking.send(label)
    except StopIteration as done:
        results.append(done.value)
        return None


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
