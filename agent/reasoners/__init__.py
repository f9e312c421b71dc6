"""Reasoners turn evidence into findings: numbers are read from cells and computed by code, never guessed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoners.dice import NotComputed
from agent.reasoners.facts import Notebook, Reasoned
from agent.reasoners.plugins import BUILT_IN, Reasoner, installed
from agent.types import Comparison, Finding, Intent, Need, is_open
from retrieval.types import Chunk

__all__ = ["Reasoned", "Reasoner", "first_needs", "is_brief", "reason"]

_SHORT_EVIDENCE = 20_000
"""Characters in which an open question's sentences are found in a millisecond."""


def reason(
    intent: Intent, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True, plugins: bool = True
) -> Reasoned:
    """Let the first reasoner that fits the intent work on these chunks; without `plugins`, of the built-in ones.

    With `final` it makes the most of them; without, it names every need that more retrieval might fill, in
    sub-queries whose ids begin with `prefix`. Numbers beyond what is computed are a need that says so.
    """
    reasoners = installed() if plugins else BUILT_IN
    found = (reasoner.reason(intent, chunks, prefix, final=final) for reasoner in reasoners)
    try:
        return next(reasoned for reasoned in found if reasoned is not None)
    except NotComputed as error:
        notebook = Notebook(chunks, prefix)
        notebook.need(f"what is asked, for it was not computed: {error}", _names(intent))
        return notebook.reasoned(Finding("bounds", ""))


def _names(intent: Intent) -> str:
    if isinstance(intent, Comparison):
        return " ".join((*intent.entities, intent.attribute))
    return " and ".join(who.subject for who in intent.combatants)


def is_brief(intent: Intent, chunks: Sequence[Chunk]) -> bool:
    """Return whether reasoning takes about a millisecond: an open question, little to read, and no plug-in."""
    return is_open(intent) and sum(len(chunk.text) for chunk in chunks) <= _SHORT_EVIDENCE and installed() == BUILT_IN


def first_needs(intent: Intent) -> tuple[Need, ...]:
    """All that the reasoner needs when it knows nothing."""
    return reason(intent, (), final=False).needs
