"""Reasoners turn evidence into findings: numbers are read from cells and computed by code, never guessed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoners.facts import Reasoned
from agent.reasoners.plugins import Reasoner, installed
from agent.types import Intent, Need
from retrieval.types import Chunk

__all__ = ["Reasoned", "Reasoner", "first_needs", "reason"]


def reason(intent: Intent, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True) -> Reasoned:
    """Let the first reasoner that fits the intent work on these chunks.

    With `final` it makes the most of them; without, it names every need that more retrieval might fill, in
    sub-queries whose ids begin with `prefix`.
    """
    found = (reasoner.reason(intent, chunks, prefix, final=final) for reasoner in installed())
    return next(reasoned for reasoned in found if reasoned is not None)


def first_needs(intent: Intent) -> tuple[Need, ...]:
    """All that the reasoner needs when it knows nothing."""
    return reason(intent, (), final=False).needs
