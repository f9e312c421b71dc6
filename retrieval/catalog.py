"""What a collection holds, so that a planner can name what is really there.

It is read once from the chunks and never changes: titles by their normal form, types, tags, sources, and the words
that the chunks' own rules are about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from retrieval.store import Store
from retrieval.text import title_key
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Title:
    """A title as it is written, and the ids of the chunks that have it."""

    text: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Catalog:
    """The contents of a collection. The mappings of counts hold how many chunks each name has.

    `titles` is by `title_key`. `vocabulary` holds the terms of all `contain_one_of` groups, `groups` the distinct
    groups themselves; both sorted. `names` are what can be asked about, by `title_key`: the titles of records and
    the terms of rules that are no numbers.
    """

    chunks: int = 0
    titles: Mapping[str, Title] = field(default_factory=dict)
    chunk_types: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    vocabulary: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    rules: int = 0
    tables: int = 0

    @classmethod
    def from_chunks(cls, chunks: Iterable[Chunk]) -> Catalog:
        """Return the catalog of these chunks, whatever their order.

        >>> Catalog.from_chunks([Chunk("c1", "…", "The Fighters")]).chunk_types
        {'section': 1}
        """
        known = sorted(chunks, key=lambda chunk: chunk.id)
        groups = {group for chunk in known if chunk.query_must for group in chunk.query_must.contain_one_of}
        return cls(
            chunks=len(known),
            titles=_titles(known),
            chunk_types=_counts(chunk.chunk_type for chunk in known),
            tags=_counts(tag for chunk in known for tag in chunk.tags),
            sources=_counts(chunk.source for chunk in known if chunk.source),
            vocabulary=tuple(sorted({term for group in groups for term in group})),
            groups=tuple(sorted(groups)),
            names=_names(known, groups),
            rules=sum(chunk.query_must is not None for chunk in known),
            tables=sum(len(chunk.tables) for chunk in known),
        )

    def title(self, name: str) -> Title | None:
        """Return the title that `name` means, order and plurals aside; `None` when no chunk has it."""
        return self.titles.get(title_key(name))


async def read_catalog(store: Store) -> Catalog:
    """Return the catalog of everything in the store."""
    return Catalog.from_chunks([chunk async for chunk in store.scan()])


def _names(chunks: Iterable[Chunk], groups: Iterable[tuple[str, ...]]) -> dict[str, str]:
    terms = sorted({term for group in groups for term in group if not any(map(str.isdigit, term))})
    titles = [chunk.title for chunk in chunks if chunk.chunk_type == "record"]
    return {title_key(name): name for name in (*terms, *titles)}


def _titles(chunks: Iterable[Chunk]) -> dict[str, Title]:
    grouped: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        grouped.setdefault(title_key(chunk.title), []).append(chunk)
    return {key: Title(same[0].title, tuple(chunk.id for chunk in same)) for key, same in sorted(grouped.items())}


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
