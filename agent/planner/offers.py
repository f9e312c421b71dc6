"""What a collection offers that a question touches: the small part of its catalog that a model plans with.

A book has thousands of titles and terms; a model needs the few that the question's own words lead to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from retrieval.catalog import Catalog
from retrieval.text import Words, content_words, phrase

TITLES, GROUPS, TAGS = 40, 40, 30
"""How many of each are shown at most."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Titles, the alternatives that rules look for (one of each group must be in a sub-query), and what can narrow."""

    titles: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    chunk_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def offer(question: str, catalog: Catalog) -> Offer:
    """Return what of the catalog the question touches, the closest first.

    >>> offer("an orc?", Catalog.from_chunks([])).titles
    ()
    """
    words = frozenset(content_words(question))
    index = _index(tuple(title.text for title in catalog.titles.values()))
    shared = Counter(place for word in words for place in index.get(word, ()))
    titles = [title.text for title in catalog.titles.values()]
    closest = sorted(shared, key=lambda place: (-shared[place] / (1 + len(phrase(titles[place]))), titles[place]))
    asked = Words(question)
    return Offer(
        tuple(dict.fromkeys(titles[place] for place in closest))[:TITLES],
        tuple(group for group in catalog.groups if any(asked.has(phrase(term)) for term in group))[:GROUPS],
        tuple(catalog.chunk_types),
        tuple(_most_used(catalog.tags, TAGS)),
    )


def _most_used(counts: Mapping[str, int], limit: int) -> Sequence[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))[:limit]


@lru_cache(maxsize=4)
def _index(titles: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Which titles hold a word; made once for a collection."""
    found: dict[str, list[int]] = {}
    for place, title in enumerate(titles):
        for word in _once(content_words(title)):
            found.setdefault(word, []).append(place)
    return found


def _once(words: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(words)
