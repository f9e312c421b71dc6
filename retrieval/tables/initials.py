"""Initials: the measures that people call by their first letters, *CR* for the *Challenge Rating* of a book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from retrieval.tables.match import said_words

_FEWEST, _MOST = 2, 5
"""Words that initials stand for."""
_LETTERS = re.compile(r"[A-Z]{2,5}s?")


def by_initials(names: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The stretches of words in some names by their initials; a whole name counts before parts of others.

    >>> sorted(by_initials(["Experience by Challenge Rating", "Data rate"])["cr"])
    ['challenge rating']
    >>> sorted(by_initials(["Data rate", "Device role (default)"])["dr"])
    ['data rate']
    """
    whole: dict[str, set[str]] = {}
    parts: dict[str, set[str]] = {}
    for name in names:
        words = [word for word in said_words(name) if word.isalpha()]
        for start in range(len(words)):
            for end in range(start + _FEWEST, min(len(words), start + _MOST) + 1):
                found = whole if end - start == len(words) else parts
                found.setdefault("".join(word[0] for word in words[start:end]), set()).add(" ".join(words[start:end]))
    return {key: frozenset(said) for key, said in (parts | whole).items()}


def written_as_initials(names: Iterable[str]) -> frozenset[str]:
    """Those of some names that are nothing but initials, without the ending of several.

    >>> sorted(written_as_initials(["CP", "HPs", "Crew places"]))
    ['CP', 'HP']
    """
    return frozenset(name.rstrip("s") for name in names if _LETTERS.fullmatch(name))
