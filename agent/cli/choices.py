"""Flags with a closed list of values: which are valid, and what a shell completes."""

from __future__ import annotations

from collections.abc import Callable

import typer

PRESETS = ("strict", "balanced", "lenient")
PLANNERS = ("auto", "rules", "llm")
EFFORTS = ("auto", "minimal", "low", "medium")
RULES = ("generated", "llm")
FORMATS = ("text", "json", "markdown")
"""The built-in formats; others are plug-ins (`agent.render.formats`)."""


def completing(*choices: str) -> Callable[[str], list[str]]:
    """Return a completion function: the values that begin with the typed text.

    >>> completing("strict", "balanced")("b")
    ['balanced']
    """

    def begun(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return begun


def given_rules(text: str) -> str:
    """Return a value of `--rules`; any other is wrong usage."""
    if text not in RULES:
        from retrieval.text.suggestion import (
            did_you_mean,  # here, since help and completion need nothing of `retrieval`
        )

        raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, RULES))}.{did_you_mean(text, RULES)}")
    return text
