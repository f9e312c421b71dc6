"""What an asker writes as a name: several words with a capital side by side, or in quotation marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from retrieval.text.normal import Tokens, phrase

_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+)+")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,60})[\"“”]")


@lru_cache(maxsize=4096)
def proper_names(question: str) -> tuple[Tokens, ...]:
    """The runs of words that a question writes as names. Where most words have a capital, none is told by it.

    >>> proper_names("What is the range of the Magic Missile spell?"), proper_names('How many are called "free form"?')
    ((('magic', 'missile'),), (('free', 'form'),))
    >>> proper_names("The Range Of The Magic Missile")
    ()
    """
    quoted = [match[1] for match in _QUOTED.finditer(question)]
    written = question.split()
    is_title = 2 * sum(word[:1].isupper() for word in written) > len(written)
    found = [] if is_title else [match[0] for match in _PROPER.finditer(question)]
    return tuple(dict.fromkeys(run for text in (*quoted, *found) if len(run := phrase(text)) > 1))


def has_run(text: str, run: Sequence[str]) -> bool:
    """Return whether a text has some words side by side.

    >>> has_run("A spell of magic missiles", ("magic", "missile")), has_run("Missiles of magic", ("magic", "missile"))
    (True, False)
    """
    said = phrase(text)
    return any(said[at : at + len(run)] == tuple(run) for at in range(len(said) - len(run) + 1))
