"""Reasoners turn evidence into findings: numbers are read from cells and computed by code, never guessed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoners import combat, compare
from agent.reasoners.facts import Reasoned
from agent.types import Duel, Intent, Need
from retrieval.types import Chunk

__all__ = ["Reasoned", "first_needs", "reason"]


def reason(intent: Intent, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True) -> Reasoned:
    """Let the reasoner that fits the intent work on these chunks.

    With `final` it makes the most of them; without, it names every need that more retrieval might fill, in
    sub-queries whose ids begin with `prefix`.
    """
    if isinstance(intent, Duel):
        return combat.reason(intent, chunks, prefix, final=final)
    return compare.reason(intent, chunks, prefix, final=final)


def first_needs(intent: Intent) -> tuple[Need, ...]:
    """All that the reasoner needs when it knows nothing."""
    return reason(intent, (), final=False).needs
