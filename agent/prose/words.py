"""Stems of words: *installed* and *installation* have the same one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from retrieval.text.normal import normal

_ENDING = re.compile(
    r"(?<=[a-z]{3})(?:ization|isation|ations?|ators?|ating|ated|ates?|itions?|ions?|ments?|ings?|edly|ed|ly|"
    r"able|ible|ances?|ences?|als?|ives?|ies|es|y|e|s)$"
)
_DOUBLED = re.compile(r"([bdgmnprt])\1$")
_CODE = re.compile(r"(?<![\w.])(?=[A-Za-z.-]*\d)(?=[\d.-]*[A-Za-z])\w(?:[\w.-]*\w)?")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_SHORTEST = 4
"""Least number of letters of a word whose ending is cut off."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word without its ending.

    >>> stem("installing") == stem("installation"), stem("running") == stem("runs"), stem("weigh") == stem("weight")
    (True, True, False)
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return word
    plain = _ENDING.sub("", word)
    return _DOUBLED.sub(r"\1", plain)


@lru_cache(maxsize=16384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of a text."""
    return frozenset(map(stem, _words(text)))


@lru_cache(maxsize=16384)
def stems_and_compounds(text: str) -> frozenset[str]:
    """Return the stems of a text and of its neighbouring words joined: *user name* matches *username*."""
    joined = (a + b for a, b in pairwise(_words(text)) if a.isalpha() and b.isalpha())
    return stems(text) | frozenset(map(stem, joined))


def _words(text: str) -> list[str]:
    return [part for token in normal(text) for part in token.split()]


@lru_cache(maxsize=16384)
def codes(text: str) -> frozenset[str]:
    """Return the codes of a text, runs of letters and digits that match only exactly, in lower case.

    >>> sorted(codes("Has the ROCK 6A a 7th port, or the rp2040 with 5 V?"))
    ['6a', 'rp2040']
    """
    found = (match[0].casefold() for match in _CODE.finditer(text))
    return frozenset(code for code in found if not _ORDINAL.fullmatch(code))


def weights(words: Iterable[str], texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the weight of each word: the fewer of the texts have it, the more it counts.

    That is the inverse document frequency of Spärck Jones (1972).

    >>> found = weights(["how", "anchor"], [frozenset({"how"}), frozenset({"how", "anchor"})])
    >>> found["anchor"] > found["how"]
    True
    """
    having = Counter(word for text in texts for word in text)
    return {word: math.log(1 + len(texts) / (0.5 + having[word])) for word in words}
