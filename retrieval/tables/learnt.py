"""What indexing learns from all chunks of a collection together and then applies to each: sorts, things, frames.

A changed chunk mostly teaches the same as before. Then the stored knowledge stays valid, and no other chunk has to be
read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import orjson

from retrieval.processes.memory import uncollected
from retrieval.tables.cells import Grid
from retrieval.tables.folders import Sorts, sort_words_in, sorts_of
from retrieval.tables.frames import Frames
from retrieval.tables.things import Things, labels_of
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class CollectionKnowledge:
    """The sorts, things and frames of a collection; each has its own module."""

    sorts: Sorts
    things: Things
    frames: Frames

    @classmethod
    def of(cls, chunks: Sequence[Chunk]) -> CollectionKnowledge:
        """Learn from all chunks of a collection."""
        titles = {name for chunk in chunks for name in (chunk.title, *chunk.headings)}
        frames = Frames.of(titles, {chunk.headings[0] for chunk in chunks if chunk.headings})
        return cls(sorts_of(chunks), Things.of(chunks), frames)

    def grids(self, chunk: Chunk) -> list[Grid]:
        """Return the tables of a chunk as grids, with their sorts, owner and enclosing things."""
        things = self.things
        return list(
            Grid.from_chunk(chunk, self.sorts.of(chunk), things.name(chunk), things.enclosing_heading_count(chunk))
        )

    def to_json(self) -> bytes:
        """Return all of it as JSON."""
        sorts, things, frames = self.sorts, self.things, self.frames
        folders = [(str(folder), words) for folder, words in sorts.folders.items()]
        learnt = (sorted(things.roles), list(things.common.items()), sorted(frames.parts), sorted(frames.words))
        return orjson.dumps((folders, list(sorts.sections.items()), *learnt))

    @classmethod
    def from_json(cls, data: bytes) -> CollectionKnowledge:
        """Return what `to_json` wrote.

        >>> learnt = CollectionKnowledge.of([Chunk("c", "", "Reed", headings=("Boats", "Reed"))])
        >>> CollectionKnowledge.from_json(learnt.to_json()) == learnt
        True
        """
        with uncollected():
            folders, sections, roles, common, parts, words = orjson.loads(data)
            sorts = Sorts({PurePath(folder): tuple(said) for folder, said in folders}, _by_path(sections, tuple))
            things = Things(frozenset(map(tuple, roles)), _by_path(common, int))
        return cls(sorts, things, Frames(frozenset(map(tuple, parts)), frozenset(words)))


def has_same_knowledge(one: Chunk, other: Chunk) -> bool:
    """Return True if replacing one chunk by the other changes nothing that the collection teaches.

    >>> one, other = Chunk("c", "An owl.", "Owl", "birds.md"), Chunk("c", "A bird.", "Owl", "birds.md")
    >>> has_same_knowledge(one, other), has_same_knowledge(one, Chunk("c", "An owl.", "Owls", "birds.md"))
    (True, False)
    """
    return _knowledge_source(one) == _knowledge_source(other)


def _knowledge_source(chunk: Chunk) -> tuple[Any, ...]:
    return chunk.source, chunk.title, chunk.headings, labels_of(chunk), sort_words_in(chunk)


def _by_path(items: Sequence[tuple[Sequence[str], Any]], value: Any) -> dict[tuple[str, ...], Any]:
    return {tuple(path): value(found) for path, found in items}
