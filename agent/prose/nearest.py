"""How near the sentences at hand are to a question by their embeddings: *stop making* is *discontinued*.

Few are compared, since each costs time: those that share most words with the question, and those of the passages that
were found first. A sentence is compared with the name of its section, which often says whom it is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.prose.units import Unit, names_of
from agent.understanding.linking.nearness import similarities
from retrieval.embedding.protocol import Embedder
from retrieval.types import Chunk

_LONGEST = 240
"""Characters of a sentence that are compared."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """The cosine similarities of sentences to a question, by their wording; empty where none were compared."""

    similarity: Mapping[str, float] = field(default_factory=dict)

    def of(self, unit: Unit, chunk: Chunk) -> float:
        """The similarity of a sentence; 0 for one that was not compared."""
        return self.similarity.get(wording_of(unit, chunk), 0.0)


def wording_of(unit: Unit, chunk: Chunk) -> str:
    """A sentence as it is compared: under the name of its section, a list behind the sentence that it belongs to.

    >>> wording_of(Unit("Change it once a year."), Chunk("c", "", "Oil"))
    'Oil: Change it once a year.'
    """
    return ": ".join((*names_of(chunk)[-1:], unit.whole if unit.head else unit.text))[:_LONGEST]


async def nearness(question: str, wordings: Sequence[str], embedder: Embedder) -> Nearness:
    """How near some sentences are to a question; empty where the model fails."""
    similar = await similarities(embedder, question, wordings) if wordings else None
    return Nearness() if similar is None else Nearness(dict(zip(wordings, map(float, similar), strict=True)))
