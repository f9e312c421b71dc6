"""What a mistyped name was meant to be: one rule for every closed list, be it of commands, settings or collections."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" with the nearest of the known names, and "" where none is near.

    It begins with a blank, so that it can be put behind a sentence as it is. Case and leading dashes do not matter.

    >>> "There is no command 'serach'." + did_you_mean("serach", ["ask", "search"])
    "There is no command 'serach'. Did you mean 'search'?"
    >>> did_you_mean("lightsaber", ["ask", "search"])
    ''
    """
    folded = {_folded(name): name for name in known}
    near = get_close_matches(_folded(word), folded, n=1)
    return f" Did you mean {folded[near[0]]!r}?" if near else ""


def _folded(name: str) -> str:
    return name.casefold().lstrip("-")
