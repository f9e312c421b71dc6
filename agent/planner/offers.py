"""What a collection offers that a question touches: the small part of its catalog that a model plans with.

A book has thousands of titles and terms; a model needs the few that the question's own words lead to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest

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
    collections: tuple[str, ...] = ()


class Offers:
    """The offers of a collection, or of several as one; titles are indexed by their words when one is asked for."""

    def __init__(self, catalog: Catalog, collections: Sequence[str] = ()) -> None:
        self._catalog, self._collections = catalog, tuple(collections)

    def offer(self, question: str) -> Offer:
        """Return what of the catalog the question touches, the closest first.

        >>> Offers(Catalog()).offer("an orc?").titles
        ()
        """
        asked, catalog = Words(question), self._catalog
        shared = Counter(place for word in set(content_words(question)) for place in self._index.get(word, ()))
        far = {(-count / (1 + self._lengths[place]), self._titles[place]) for place, count in shared.items()}
        return Offer(
            tuple(title for _, title in nsmallest(TITLES, far)),
            tuple(self._touched(asked))[:GROUPS],
            tuple(catalog.chunk_types),
            tuple(sorted(catalog.tags, key=lambda tag: (-catalog.tags[tag], tag))[:TAGS]),
            self._collections,
        )

    def _touched(self, asked: Words) -> Iterator[tuple[str, ...]]:
        """The groups that have a term in the question, in their order."""
        places = {place for word in asked.tokens for place in self._groups.get(word, ())}
        for place in sorted(places):
            group = self._catalog.groups[place]
            if any(asked.has(phrase(term)) for term in group):
                yield group

    @cached_property
    def _groups(self) -> Mapping[str, set[int]]:
        """Which groups have a term with a word in it."""
        found: dict[str, set[int]] = {}
        for place, group in enumerate(self._catalog.groups):
            for word in {word for term in group for word in phrase(term)}:
                found.setdefault(word, set()).add(place)
        return found

    @cached_property
    def _titles(self) -> Sequence[str]:
        return [title.text for title in self._catalog.titles.values()]

    @cached_property
    def _lengths(self) -> Sequence[int]:
        return [len(phrase(title)) for title in self._titles]

    @cached_property
    def _index(self) -> Mapping[str, Sequence[int]]:
        """Which titles hold a word."""
        found: dict[str, list[int]] = {}
        for place, title in enumerate(self._titles):
            for word in set(content_words(title)):
                found.setdefault(word, []).append(place)
        return found
