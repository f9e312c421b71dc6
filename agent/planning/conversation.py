"""What was asked and answered before, as far as the next question may go on from it.

A conversation has no end, a prompt has: the last few turns are told, and of each answer how it begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.types import Turn

TURNS = 5
"""How many turns back a question may go."""
_ANSWER = 500
"""Characters of an earlier answer that are told."""


def recent(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the turns that a question may go on from, the latest last."""
    return tuple(turns[-TURNS:])


def transcript(turns: Sequence[Turn]) -> str:
    """Return what was asked, in words that stand alone, and how each answer begins.

    >>> from agent.types import Plan
    >>> from agent.understanding.question.intent import Lookup
    >>> print(transcript([Turn(Plan("How heavy is a mace?", (), Lookup("?")), "10 pounds. [1]")]))
    Question: How heavy is a mace?
    Answer: 10 pounds. [1]
    """
    return "\n".join(f"Question: {turn.question}\nAnswer: {turn.answer[:_ANSWER]}" for turn in turns)
