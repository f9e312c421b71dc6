"""The collection's offer for a question: the small part of its catalog that a model plans with.

A book has thousands of titles. A model needs the few that match the question, which are found in three ways: by names
of the question that have cells, by words in titles, and by passages near the question. The results are ranked together,
similar titles share one line, and the first ones show the headers of their tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import cast

import numpy as np
from numpy.typing import NDArray

from agent.languages.language import languages
from agent.planning.families import Family, braced, families
from agent.planning.holdings import Nearness, TitleContent
from agent.understanding.linking.named_tables import MOST_TABLES, named_tables
from retrieval.catalogs.catalog import Catalog
from retrieval.embedding.protocol import Embedder
from retrieval.errors import RetrievalError
from retrieval.searching.fuse import reciprocal_rank_fusion
from retrieval.searching.retriever import Retriever
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import key_of, without_part
from retrieval.tables.remembered import cached_by_collection
from retrieval.tables.writing import Kind
from retrieval.text.normal import Tokens, Words, content_words, normal, phrase
from retrieval.types import Chunk, Policy, SubQuery

FAMILIES, GROUPS, TAGS, PARTS = 12, 24, 16, 10
"""Most of each that are listed."""
_NEAREST = 16
"""Passages near the question that are considered."""
_TABLES = 5
"""Different tables whose headers and rows are listed."""
_FEW, _MOST_HOLDING = 4, 6
"""Most tables that share a distinctive word in their cells, and most of these that are considered."""
_POOL = 150
"""Titles that are compared: a family is listed by those near the question."""
_MARKED = 8
"""Titles of one family whose tables are read; the others are assumed to be like the first."""
_SMALL_WORDS, _FEWEST_WORDS = 0.15, 4
"""The share of function words, and the number of different ones, that identify the language of a text."""
_BEGINNING = 400
"""Characters of a passage that are looked at for its language."""
_REMEMBERED = 2048
"""Titles whose content is kept in memory."""


@dataclass(frozen=True, slots=True)
class OfferedTitles:
    """Families of titles with the same content, and that content. If `lists_headers`, its headers are listed."""

    families: tuple[Family, ...]
    holding: TitleContent
    lists_headers: bool = False

    @property
    def text(self) -> str:
        """The offer in one line."""
        forms = [family.form for family in self.families]
        title = braced(forms) if len(forms) > 1 else forms[0]
        if not self.holding.kind:
            return title
        return f"{title} {self.holding.text if self.lists_headers else f'[{self.holding.kind}]'}"

    def shared(self, wanted: frozenset[str]) -> int:
        """Return how many words of a question its titles and its headers have."""
        titles = chain.from_iterable(family.titles[:_MARKED] for family in self.families)
        return len(wanted & self.holding.words.union(*map(phrase, titles)))


@dataclass(frozen=True, slots=True)
class Offer:
    """What the collection has for a question: the families of titles, nearest first, the alternatives of rules (a
    sub-query must have one of each group), the filters, and the parts and the language of the books.
    """

    families: tuple[OfferedTitles, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    chunk_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    outline: tuple[str, ...] = ()
    language: str = ""

    def holds(self, title: str) -> bool:
        """True if a title is among the offered ones."""
        bare = without_part(title)
        return any(bare in family.titles for each in self.families for family in each.families)

    @property
    def narrows(self) -> bool:
        """True if passages have tags, or there are several collections, to narrow a sub-query to."""
        return bool(self.tags) or len(self.collections) > 1

    @property
    def text(self) -> str:
        """The offer as a model reads it, one line for each item."""
        lines = [f"language of the books: {self.language}"] if self.language else []
        lines += _line("parts", self.outline)
        lines += ["titles:", *(f"- {each.text}" for each in self.families)] if self.families else []
        lines += ["alternatives:", *(f"- {' | '.join(group)}" for group in self.groups)] if self.groups else []
        lines += _line("chunk_types", self.chunk_types if self.narrows and len(self.chunk_types) > 1 else ())
        lines += _line("tags", self.tags)
        lines += _line("collections", self.collections if len(self.collections) > 1 else ())
        return "\n".join(lines)

    async def near_first(self, question: str, embedder: Embedder | None) -> Offer:
        """Return the offer with the headers and rows nearest to a question first, where not all of them have room."""
        near = await Nearness.of((each.holding for each in self.families if each.lists_headers), question, embedder)
        ordered = (replace(each, holding=each.holding.ordered(near)) for each in self.families)
        return replace(self, families=tuple(ordered))


class Offers:
    """The offers of one or several collections. The index of titles by word is built when it is first needed."""

    def __init__(self, catalog: Catalog, collections: Sequence[str] = (), cells: Cells | None = None) -> None:
        self._catalog, self._collections, self._cells = catalog, tuple(collections), cells

    def offer(self, question: str, nearest: Sequence[Chunk] = ()) -> Offer:
        """Return the part of the catalog that matches the question, closest first; `nearest` are passages near it.

        >>> Offers(Catalog()).offer("an orc?").families
        ()
        """
        asked, catalog, wanted = Words(question), self._catalog, frozenset(content_words(question))
        named = self._named(question)
        near = [without_part(chunk.title) for chunk in nearest]
        worded = [without_part(self._titles[place]) for place in self._titles_by_words(question)]
        rankings = (list(named), near, worded, self._titles_by_cells(question))
        scores = reciprocal_rank_fusion([list(dict.fromkeys(ranking)) for ranking in rankings])
        ranked = sorted(scores, key=lambda title: -scores[title])[:_POOL]
        return Offer(
            tuple(_offered_titles(self._held(families(ranked)[:FAMILIES], named, wanted), wanted)),
            tuple(catalog.groups[place] for place in sorted(self._groups_in(asked))[:GROUPS]),
            tuple(catalog.chunk_types),
            tuple(sorted(catalog.tags, key=lambda tag: (-catalog.tags[tag], tag))[:TAGS]),
            self._collections,
            tuple(_outlined(catalog.outline)),
            _language(nearest),
        )

    def _named(self, question: str) -> dict[str, list[Grid]]:
        """Return the tables with a name of the question, by title; of each title those that match most of it."""
        if self._cells is None:
            return {}
        best: dict[str, int] = {}
        telling: dict[str, list[Grid]] = {}
        for each in named_tables(question, self._cells):
            title = without_part(each.grid.title)
            if best.setdefault(title, each.words) == each.words:
                telling.setdefault(title, []).append(each.grid)
        return telling

    def _titles_by_cells(self, question: str) -> list[str]:
        """Return the titles of tables with a distinctive word of the question in their cells."""
        if self._cells is None:
            return []
        having = (self._cells.holding(word) for word in dict.fromkeys(content_words(question)))
        held = Counter(number for numbers in having if len(numbers) <= _FEW for number in numbers)
        return [without_part(self._cells.grid(number).title) for number, _ in held.most_common(_MOST_HOLDING)]

    def _held(
        self, found: Sequence[Family], named: Mapping[str, Sequence[Grid]], wanted: frozenset[str]
    ) -> Iterator[tuple[Family, TitleContent]]:
        """Yield the families with their content: of several tables, the one with more words of the question."""
        for family in found:
            held = {title: self._holding(title, named) for title in family.titles[:_MARKED]}
            for part in _of_one_kind(family, held):
                looked_at = held.keys() & part.titles or {family.titles[0]}
                first = sorted(looked_at & named.keys() or looked_at, key=family.titles.index)
                yield part, max(map(held.__getitem__, first), key=lambda each: len(each.words & wanted))

    def _holding(self, title: str, named: Mapping[str, Sequence[Grid]]) -> TitleContent:
        """Return the content of a title's tables, in order, of the same kind as one that the question names."""
        return TitleContent() if self._cells is None else _content(self._cells, title, tuple(named.get(title, ())))

    def _titles_by_words(self, question: str) -> Sequence[int]:
        """Return the places of the titles that share words with the question: those with more and rarer shared words in
        a shorter title first.
        """
        having = [self._index[word] for word in dict.fromkeys(content_words(question)) if word in self._index]
        if not having:
            return ()
        rarity = [np.full(len(places), 1.0 + np.log(len(self._titles) / len(places))) for places in having]
        shared = np.bincount(np.concatenate(having), np.concatenate(rarity))
        found = shared.nonzero()[0]
        ranked = found[(-shared[found] / self._lengths[found]).argsort(kind="stable")[:_POOL]]
        return cast("list[int]", ranked.tolist())

    def _groups_in(self, asked: Words) -> set[int]:
        """Return the places of the groups with a term in the question."""
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
        """The number of words in each title, plus one."""
        return np.array([1.0 + len(phrase(title)) for title in self._titles])

    @cached_property
    def _index(self) -> Mapping[str, NDArray[np.intp]]:
        """The places of the titles with each word."""
        found: dict[str, list[int]] = {}
        for place, title in enumerate(self._titles):
            for word in set(content_words(title)):
                found.setdefault(word, []).append(place)
        return {word: np.array(places) for word, places in found.items()}


async def nearest_to(question: str, retriever: Retriever) -> list[Chunk]:
    """Return the passages nearest to a question, whatever their rules; none if the search fails."""
    with suppress(RetrievalError):
        found = await retriever.retrieve(SubQuery("offer", question), Policy(filters=False, max_chunks=_NEAREST))
        return [hit.chunk for hit in found.hits]
    return []


@cached_by_collection(_REMEMBERED)
def _content(cells: Cells, title: str, named: tuple[Grid, ...]) -> TitleContent:
    """Return the content of the tables with a title and of some more, of the first one's kind if there are any more."""
    return TitleContent.of((*_titled(title, cells), *named), named[:1])


def _titled(title: str, cells: Cells) -> Iterator[Grid]:
    """Yield the tables with a title."""
    key = key_of(phrase(title))
    places = cells.places([key], (Kind.TITLE, Kind.ROLE)) if key else ()
    for number in islice(grids_of(places), MOST_TABLES):
        grid = cells.grid(number)
        if without_part(grid.title) == title:
            yield grid


def _of_one_kind(family: Family, held: Mapping[str, TitleContent]) -> list[Family]:
    """Split a family by the kind of its titles' content: of several pages about a thing, one has its table."""
    kinds: dict[str, list[str]] = {}
    for title in family.titles:
        kinds.setdefault(held.get(title, held[family.titles[0]]).kind, []).append(title)
    return [family] if len(kinds) == 1 else [each for titles in kinds.values() for each in families(titles)]


def _offered_titles(held: Iterable[tuple[Family, TitleContent]], wanted: frozenset[str]) -> list[OfferedTitles]:
    """Return the offers: titles with the same content share a line, and the most relevant ones list their headers."""
    alike: dict[object, list[tuple[Family, TitleContent]]] = {}
    for family, holding in held:
        is_single = bool(holding.heads) and not family.members
        alike.setdefault((holding.kind, holding.heads) if is_single else family.form, []).append((family, holding))
    every = list(map(_as_one, alike.values()))
    told = _most_telling(every, wanted)
    return [replace(each, lists_headers=place in told) for place, each in enumerate(every)]


def _as_one(same: Sequence[tuple[Family, TitleContent]]) -> OfferedTitles:
    """Merge families with the same content, with the rows of all of them."""
    own, holdings = zip(*same, strict=True)
    rows = dict.fromkeys(chain.from_iterable(holding.rows for holding in holdings))
    return OfferedTitles(own, replace(holdings[0], rows=tuple(rows)))


def _most_telling(every: Sequence[OfferedTitles], wanted: frozenset[str]) -> set[int]:
    """Return the places of the offers with content that come first, or have most words of the question."""
    shared = {place: each.shared(wanted) for place, each in enumerate(every) if each.holding.kind}
    by_words = sorted(shared, key=lambda place: -shared[place])
    turns = {place: turn + by_words.index(place) for turn, place in enumerate(shared)}
    return set(sorted(turns, key=lambda place: turns[place])[:_TABLES])


def _line(name: str, values: Sequence[str]) -> list[str]:
    return [f"{name}: {'; '.join(values)}"] if values else []


def _outlined(outline: Mapping[str, int]) -> Iterator[str]:
    """Yield the largest parts of a collection, in order."""
    largest = sorted(outline, key=lambda part: -outline[part])[:PARTS]
    yield from (part for part in outline if part in set(largest))
    if len(outline) > PARTS:
        yield f"{len(outline) - PARTS} more"


def _language(passages: Iterable[Chunk]) -> str:
    """Return the language of some passages; empty if it is not identified."""
    told = [_small_words(chunk.text[:_BEGINNING]) for chunk in passages]
    small = {known.name: [word for _, own in told for word in own[known.name]] for known in languages().values()}
    best = max(small, key=lambda name: len(small[name]))
    is_known = (
        len(small[best]) > _SMALL_WORDS * sum(count for count, _ in told) and len(set(small[best])) >= _FEWEST_WORDS
    )
    return best if is_known else ""


@lru_cache(maxsize=2048)
def _small_words(text: str) -> tuple[int, Mapping[str, Sequence[str]]]:
    """Return the number of words in a passage, and its function words by language. Cached, because the same passages
    are near many questions.
    """
    words = [token for token in normal(text) if token.isalpha()]
    return len(words), {
        known.name: [word for word in words if word in known.function_words] for known in languages().values()
    }
