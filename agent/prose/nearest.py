"""Compare sentences with a question by embedding similarity: *stop making* is near *discontinued*.

Only a few are compared, because each costs time: those that share most words with the question, and those in the chunks
that were found first. A sentence is embedded with the name of its section, which often is the entity it is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.prose.units import Unit, section_names
from agent.understanding.linking.nearness import similarities
from retrieval.embedding.protocol import Embedder
from retrieval.types import Chunk

_LONGEST = 240
"""Characters of a sentence that are compared."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """The cosine similarity to the question of each wording; empty if none was compared."""

    similarity: Mapping[str, float] = field(default_factory=dict)

    def of(self, unit: Unit, chunk: Chunk) -> float:
        """Return the similarity of a sentence, or 0 if it was not compared."""
        return self.similarity.get(unit_wording(unit, chunk), 0.0)


def unit_wording(unit: Unit, chunk: Chunk) -> str:
    """Return the text to embed: a sentence with the name of its section, or a list with its lead-in.

    >>> unit_wording(Unit("Change it once a year."), Chunk("c", "", "Oil"))
    'Oil: Change it once a year.'
    """
    return ": ".join((*section_names(chunk)[-1:], unit.whole if unit.list_lead else unit.text))[:_LONGEST]


async def nearness(question: str, wordings: Sequence[str], embedder: Embedder) -> Nearness:
    """Return the similarities of some wordings to a question; empty if the model fails."""
    similar = await similarities(embedder, question, wordings) if wordings else None
    return Nearness() if similar is None else Nearness(dict(zip(wordings, map(float, similar), strict=True)))
