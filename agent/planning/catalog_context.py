"""What a collection offers that a question touches: the small part of its catalog that a model plans with.

A book has thousands of titles; a model needs the few that the question leads to. Three ways lead there: the names of
the question that have cells, the words that titles share with it, and the passages that are near it. What all three
find is ranked as one, titles that look alike are one line, and the first of them show the heads of their tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import cast

import numpy as np
from numpy.typing import NDArray

from agent.languages.language import languages
from agent.planning.families import Family, braced, families
from agent.understanding.linking.named_tables import MOST_TABLES, named_tables
from retrieval.catalogs.catalog import Catalog
from retrieval.errors import RetrievalError
from retrieval.searching.fuse import reciprocal_rank_fusion
from retrieval.searching.retriever import Retriever
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells
from retrieval.tables.names import key_of, without_part
from retrieval.tables.writing import Kind
from retrieval.text.normal import Tokens, Words, content_words, normal, phrase
from retrieval.types import Chunk, Policy, SubQuery

FAMILIES, GROUPS, TAGS, PARTS = 12, 24, 16, 12
"""How many of each are told at most."""
_NEAREST = 16
"""Passages near the question that are looked at."""
_TABLES, _COMPARED = 5, 6
"""Different heads of tables that are told, and tables of one family whose heads are held against the question."""
_POOL = 150
"""Titles that are held against each other: a family is told by those that are near the question."""
_LONGEST_HEADS, _LONGEST_HEAD = 120, 40
"""Characters of the heads of one table, and of one head."""
_SMALL_WORDS, _FEWEST_WORDS = 0.15, 4
"""The share of small words, and how many different ones, by which the language of a text is known."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A family of titles, and the heads or labels of a table that one of them has."""

    family: Family
    heads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is for a question: the families of titles, the nearest first, the alternatives that rules look for
    (one of each group must be in a sub-query), what can narrow, and the parts and the language of the books.
    """

    families: tuple[Offered, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    chunk_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    outline: tuple[str, ...] = ()
    language: str = ""

    def holds(self, title: str) -> bool:
        """Whether a title is among those that are offered."""
        bare = without_part(title)
        return any(bare in each.family.titles for each in self.families)

    @property
    def text(self) -> str:
        """The offer as a model reads it: a line for each of what there is."""
        lines = [f"language of the books: {self.language}"] if self.language else []
        lines += _line("parts", self.outline)
        lines += ["titles:", *_titled(self.families)] if self.families else []
        lines += ["alternatives:", *(f"- {' | '.join(group)}" for group in self.groups)] if self.groups else []
        lines += _line("chunk_types", self.chunk_types if len(self.chunk_types) > 1 else ())
        lines += _line("tags", self.tags)
        lines += _line("collections", self.collections if len(self.collections) > 1 else ())
        return "\n".join(lines)


class Offers:
    """The offers of a collection, or of several as one; titles are indexed by their words when one is asked for."""

    def __init__(self, catalog: Catalog, collections: Sequence[str] = (), cells: Cells | None = None) -> None:
        self._catalog, self._collections, self._cells = catalog, tuple(collections), cells

    def offer(self, question: str, nearest: Sequence[Chunk] = ()) -> Offer:
        """Return what of the catalog the question touches, the closest first; `nearest` are passages near it.

        >>> Offers(Catalog()).offer("an orc?").families
        ()
        """
        asked, catalog = Words(question), self._catalog
        named = self._named(question)
        near = [without_part(chunk.title) for chunk in nearest]
        worded = [without_part(self._titles[place]) for place in self._near(question)]
        scores = reciprocal_rank_fusion([list(dict.fromkeys(ranking)) for ranking in (list(named), near, worded)])
        ranked = sorted(scores, key=lambda title: -scores[title])[:_POOL]
        return Offer(
            tuple(self._with_heads(families(ranked)[:FAMILIES], named, question)),
            tuple(catalog.groups[place] for place in sorted(self._touched(asked))[:GROUPS]),
            tuple(catalog.chunk_types),
            tuple(sorted(catalog.tags, key=lambda tag: (-catalog.tags[tag], tag))[:TAGS]),
            self._collections,
            tuple(_outlined(catalog.outline)),
            _language(nearest),
        )

    def _named(self, question: str) -> dict[str, list[str]]:
        """The labels of what has a name of the question in its tables, by title: that first which tells most of it."""
        if self._cells is None:
            return {}
        best: dict[str, int] = {}
        telling: list[Grid] = []
        for each in named_tables(question, self._cells):
            if best.setdefault(without_part(each.grid.title), each.words) == each.words:
                telling.append(each.grid)
        return _labels_by_title(telling)

    def _with_heads(
        self, told: Sequence[Family], named: Mapping[str, Sequence[str]], question: str
    ) -> Iterator[Offered]:
        """The families, the first of those that have tables with the heads of one: that the question has words of."""
        shown: set[tuple[str, ...]] = set()
        wanted = set(content_words(question))
        for family in told:
            of_named = [named[title] for title in family.titles if title in named][:_COMPARED]
            all_labels = of_named or [self._labels_of(family.titles[0])]
            touched = [sum(not wanted.isdisjoint(phrase(label)) for label in labels) for labels in all_labels]
            heads = _within_bounds(all_labels[touched.index(max(touched))], question)
            shown |= {heads} if heads and len(shown) < _TABLES else set()
            yield Offered(family, heads if heads in shown else ())

    def _labels_of(self, title: str) -> list[str]:
        """The labels of the tables that have a title."""
        key = key_of(phrase(title))
        if self._cells is None or not key:
            return []
        places = self._cells.places([key], (Kind.TITLE, Kind.ROLE))
        numbers = dict.fromkeys(place.grid for place in places if place.grid is not None)
        labels = _labels_by_title(map(self._cells.grid, islice(numbers, MOST_TABLES)))
        return labels.get(title, [])

    def _near(self, question: str) -> Sequence[int]:
        """The places of the titles that share words with the question: the larger share of its own words first."""
        having = [self._index[word] for word in content_words(question) if word in self._index]
        if not having:
            return ()
        shared = np.bincount(np.concatenate(having))
        found = shared.nonzero()[0]
        ranked = found[(-shared[found] / self._lengths[found]).argsort(kind="stable")[:_POOL]]
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


async def nearest_to(question: str, retriever: Retriever) -> list[Chunk]:
    """The passages nearest to a question, whatever their rules; none where the search fails: sub-queries will tell."""
    with suppress(RetrievalError):
        found = await retriever.retrieve(SubQuery("offer", question), Policy(filters=False, max_chunks=_NEAREST))
        return [hit.chunk for hit in found.hits]
    return []


def _labels_by_title(grids: Iterable[Grid]) -> dict[str, list[str]]:
    """The labels of records and the heads of tables, each once, by what these are called."""
    found: dict[str, dict[str, None]] = {}
    for grid in grids:
        found.setdefault(without_part(grid.title), {}).update(dict.fromkeys(grid.labels))
    return {title: list(labels) for title, labels in found.items()}


def _within_bounds(labels: Sequence[str], question: str) -> tuple[str, ...]:
    """As many labels as there is room for, those first that the question has words of, and how many more there are."""
    wanted, room, chosen = set(content_words(question)), _LONGEST_HEADS, set[str]()
    for label in sorted(labels, key=lambda label: wanted.isdisjoint(phrase(label))):
        room -= len(label[:_LONGEST_HEAD])
        if room < 0:
            break
        chosen.add(label)
    shown = [label[:_LONGEST_HEAD] for label in labels if label in chosen]
    return (*shown, f"{len(labels) - len(shown)} more") if len(shown) < len(labels) else tuple(shown)


def _titled(families: Sequence[Offered]) -> Iterator[str]:
    """The lines of families with their heads; things that have the same heads are one line."""
    alike: dict[str | tuple[str, ...], list[Offered]] = {}
    for each in families:
        is_single = each.heads and not each.family.members
        alike.setdefault(each.heads if is_single else each.family.form, []).append(each)
    for same in alike.values():
        forms = [each.family.form for each in same]
        heads = f" [{', '.join(same[0].heads)}]" if same[0].heads else ""
        yield f"- {braced(forms) if len(forms) > 1 else forms[0]}{heads}"


def _line(name: str, values: Sequence[str]) -> list[str]:
    return [f"{name}: {'; '.join(values)}"] if values else []


def _outlined(outline: Mapping[str, int]) -> Iterator[str]:
    """The largest parts of a collection, in their order."""
    largest = sorted(outline, key=lambda part: -outline[part])[:PARTS]
    yield from (part for part in outline if part in set(largest))
    if len(outline) > PARTS:
        yield f"{len(outline) - PARTS} more"


def _language(passages: Iterable[Chunk]) -> str:
    """The language of some passages; empty where it is none that is known."""
    told = [_small_words(chunk.text) for chunk in passages]
    small = {known.name: [word for _, own in told for word in own[known.name]] for known in languages().values()}
    best = max(small, key=lambda name: len(small[name]))
    is_known = (
        len(small[best]) > _SMALL_WORDS * sum(count for count, _ in told) and len(set(small[best])) >= _FEWEST_WORDS
    )
    return best if is_known else ""


@lru_cache(maxsize=2048)
def _small_words(text: str) -> tuple[int, Mapping[str, Sequence[str]]]:
    """How many words a passage has, and its small words of each language; the same few passages are near many
    questions.
    """
    words = [token for token in normal(text) if token.isalpha()]
    return len(words), {known.name: [word for word in words if word in known.small] for known in languages().values()}
