"""Environment variables that look like settings and are none: most likely misspelt."""

from __future__ import annotations

import os

from agent.settings.places import OTHER_NAMES, PREFIX, names
from agent.settings.settings import Settings
from retrieval.text.suggestion import did_you_mean


def unknown_variables() -> tuple[str, ...]:
    """Return environment variables with our prefix that name no setting: most likely misspelt."""
    known = _variables()
    return tuple(sorted(name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in known))


def unknown_variable_note(name: str) -> str:
    """Return a note about an unknown variable, with a suggestion.

    >>> unknown_variable_note("VERSUS_CHROMMA")
    "VERSUS_CHROMMA is set, but there is no such setting. Did you mean 'VERSUS_CHROMA'?"
    """
    meant = did_you_mean(name, _variables())
    return f"{name} is set, but there is no such setting{'.' if meant else ''}{meant}"


def _variables() -> tuple[str, ...]:
    return tuple(PREFIX + name.upper() for name in (*names(Settings), *OTHER_NAMES))
