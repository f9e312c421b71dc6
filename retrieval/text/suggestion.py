"""Suggest the intended name for a mistyped one, for all closed lists: commands, settings, collections."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" with the nearest known name, or "" if none is near.

    It begins with a blank, to be appended to a sentence. Case and leading dashes are ignored.

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
