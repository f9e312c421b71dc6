"""Earlier questions and answers that a question may follow up on.

A conversation can be endless, a prompt cannot: only the last few turns and the beginnings of their answers are used.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.types import Turn

TURNS = 5
"""Turns back that a follow-up may refer to."""
_ANSWER = 500
"""Characters of an earlier answer that are quoted."""


def recent(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the turns that a question may follow up on, latest last."""
    return tuple(turns[-TURNS:])


def transcript(turns: Sequence[Turn]) -> str:
    """Return the earlier questions, in words that stand alone, and the beginning of each answer.

    >>> from agent.types import Plan
    >>> from agent.understanding.question.intent import Lookup
    >>> print(transcript([Turn(Plan("How heavy is a mace?", (), Lookup("?")), "10 pounds. [1]")]))
    Question: How heavy is a mace?
    Answer: 10 pounds. [1]
    """
    return "\n".join(f"Question: {turn.question}\nAnswer: {turn.answer[:_ANSWER]}" for turn in turns)
