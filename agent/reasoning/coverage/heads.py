"""The heads of labels: the words that say what is told, which all others of a label only narrow."""

from __future__ import annotations

import re
from itertools import takewhile

from agent.languages.language import Language
from retrieval.tables.match import said_words

_PART = re.compile(r"[,;(:]")


def heads_of(label: str, language: Language) -> list[str]:
    """The last word of each part of a label; of *Damage vs. Small* what comes first.

    >>> from agent.languages.language import english
    >>> [heads_of(label, english()) for label in ("Base pay", "Damage vs. Small", "Load, dry", "Coins per head")]
    [['pay'], ['damage'], ['load', 'dry'], ['coin']]
    """
    ends = language.small | language.joining | language.telling("repeated")
    found: list[str] = []
    for part in _PART.split(label):
        words = takewhile(lambda word: word.strip(".").casefold() not in ends, part.split())
        found += said_words(" ".join(words))[-1:]
    return found


def is_short_for(short: str, word: str) -> bool:
    """True for letters of a word in their order, from the first on.

    >>> is_short_for("kg", "kilogram"), is_short_for("sped", "speed"), is_short_for("g", "kilogram")
    (True, True, False)
    """
    letters = iter(word)
    return short[:1] == word[:1] and all(letter in letters for letter in short)
