"""What a collection offers that a question touches: the small part of its catalog that a model plans with.

A book has thousands of titles and terms; a model needs the few that the question's own words lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from retrieval.catalogs.catalog import Catalog
from retrieval.text.normal import Tokens, Words, content_words, phrase

TITLES, GROUPS, TAGS = 40, 40, 30
"""How many of each are shown at most."""
_FEW = 2000


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

    @property
    def is_quick(self) -> bool:
        """True when an offer takes less than a millisecond: its titles are few, and indexed."""
        return len(self._catalog.titles) <= _FEW and "_index" in vars(self)

    def offer(self, question: str) -> Offer:
        """Return what of the catalog the question touches, the closest first.

        >>> Offers(Catalog()).offer("an orc?").titles
        ()
        """
        asked, catalog = Words(question), self._catalog
        return Offer(
            tuple(self._titles[place] for place in self._near(question)),
            tuple(catalog.groups[place] for place in sorted(self._touched(asked))[:GROUPS]),
            tuple(catalog.chunk_types),
            tuple(sorted(catalog.tags, key=lambda tag: (-catalog.tags[tag], tag))[:TAGS]),
            self._collections,
        )

    def _near(self, question: str) -> Sequence[int]:
        """The places of the titles that share words with the question: the larger share of its own words first."""
        having = [self._index[word] for word in content_words(question) if word in self._index]
        if not having:
            return ()
        shared = np.bincount(np.concatenate(having))
        found = shared.nonzero()[0]
        ranked = found[(-shared[found] / self._lengths[found]).argsort(kind="stable")[:TITLES]]
        return cast("list[int]", ranked.tolist())

    def _touched(self, asked: Words) -> set[int]:
        """The places of the groups that have a term in the question."""
        terms = (term for word in set(asked.tokens) for term in self._terms.get(word, {}).items())
        return set().union(*(places for term, places in terms if len(term) == 1 or asked.has(term)))

    @cached_property
    def _terms(self) -> Mapping[str, Mapping[Tokens, set[int]]]:
        """The terms by their first words, each with the places of its groups."""
        found: dict[str, dict[Tokens, set[int]]] = {}
        for place, group in enumerate(self._catalog.groups):
            for term in filter(None, map(phrase, group)):
                found.setdefault(term[0], {}).setdefault(term, set()).add(place)
        return found

    @cached_property
    def _titles(self) -> Sequence[str]:
        return sorted({title.text for title in self._catalog.titles.values()})

    @cached_property
    def _lengths(self) -> NDArray[np.float64]:
        """How many words a title has, and one."""
        return np.array([1.0 + len(phrase(title)) for title in self._titles])

    @cached_property
    def _index(self) -> Mapping[str, NDArray[np.intp]]:
        """Which titles hold a word, each once."""
        found: dict[str, list[int]] = {}
        for place, title in enumerate(self._titles):
            for word in set(content_words(title)):
                found.setdefault(word, []).append(place)
        return {word: np.array(places) for word, places in found.items()}
