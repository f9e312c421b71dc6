"""Say again what a possessive leaves out: *a reaver's save against poison and a hexer's* is *a hexer's save* too."""

from __future__ import annotations

import re

from agent.languages.language import Language

_OWNER = re.compile(r"\w['’]s (?=\S)")
_LAST_OWNER = re.compile(r"\w['’]s(?=[ ?!.]*$)")
_WORD = re.compile(r"\w+")
_PAUSE = re.compile(r"[,;?!.]")


def with_owned(question: str, language: Language) -> tuple[str, str, str] | None:
    """Return the question with what the last owner has, then that owner as it was and as it is now; None if it says so
    itself.

    >>> from agent.languages.language import languages
    >>> with_owned("What is the sum of a smith's pay by day and a cook's?", languages()["english"])
    ("What is the sum of a smith's pay by day and a cook's pay by day?", "a cook's", "a cook's pay by day")
    >>> with_owned("Is the smith's pay the cook's?", languages()["english"])
    """
    first, last = _OWNER.search(question), _LAST_OWNER.search(question)
    if first is None or last is None:
        return None
    words = list(_WORD.finditer(question, first.end(), last.end()))
    joining = next((word for word in reversed(words) if word[0].casefold() in language.joining), None)
    if joining is None:
        return None
    owned, other = question[first.end() : joining.start()].strip(), question[joining.end() : last.end()].strip()
    if not owned or _PAUSE.search(owned + other) or not language.ends.keys().isdisjoint(owned.casefold().split()):
        return None
    return f"{question[: last.end()]} {owned}?", other, f"{other} {owned}"
