"""Values that are brief: what a thing is called, has or does in a few words, each of which says something of it.

What tells of it at length mentions many words that are not said of it: the *region* of *the region where
the replica is deployed* makes no variable a region.
"""

from __future__ import annotations

import re
from functools import lru_cache

from retrieval.tables.match import said_words

_BETWEEN = re.compile(r"[,;]")
_BRIEF = 8
"""Words of a value that may be a condition; more are prose."""
_ITEM = 5
"""Words of an item of a list of such values."""


@lru_cache(maxsize=65536)
def brief_words(text: str) -> frozenset[str]:
    """The words of a brief value, or of a list of brief items; a sentence, and what has one for an item, is prose.

    >>> sorted(brief_words("Oak; red beech")), brief_words("A tall tree that we all know well, and love")
    (['beech', 'oak', 'red'], frozenset())
    """
    items = _BETWEEN.split(text)
    longest = _ITEM if len(items) > 1 else _BRIEF
    if any(len(item.split()) > longest for item in items):
        return frozenset()
    return frozenset(word for item in items for word in said_words(item))
