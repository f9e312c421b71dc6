"""Two collections whose chunks have each other's ids, and the one collection that would hold them all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from retrieval.stores.store import Stamp, Store
from retrieval.types import Chunk, QueryMust
from tests.retrieval.doubles import RandomVectors

EMBEDDER = RandomVectors()


def book(name: str, count: int, seed: int) -> list[Chunk]:
    """Random chunks that have the ids of every other book; some have rules, and `one.md` is in every book."""
    pick = random.Random(seed)
    return [
        Chunk(
            f"c{number:03}",
            f"{name} {number}: {' '.join(pick.sample(['owl', 'bear', 'level', 'sword', 'armor'], 3))}",
            pick.choice(["The Fighter", "Druids", "Bear, Black", "Owlbear"]),
            source=pick.choice(["one.md", f"{name}.md"]),
            chunk_type=pick.choice(["section", "row", "table"]),
            tags=tuple(pick.sample(["combat", "class", "monster"], pick.randint(0, 3))),
            query_must=pick.choice([None, QueryMust(contain=pick.choice(["owl", "level 3", "armor class 6"]))]),
        )
        for number in range(count)
    ]


def together(books: Mapping[str, Sequence[Chunk]]) -> list[Chunk]:
    """All chunks as one collection would hold them: the collection before every id, and before sources of two."""
    holders = Counter(source for chunks in books.values() for source in {chunk.source for chunk in chunks} - {""})
    return [
        replace(
            chunk,
            id=f"{name}:{chunk.id}",
            source=f"{name}:{chunk.source}" if holders[chunk.source] > 1 else chunk.source,
        )
        for name, chunks in books.items()
        for chunk in chunks
    ]


BOOKS = {"rules": book("rules", 70, 1), "monsters": book("monsters", 50, 2)}
EVERYTHING = together(BOOKS)


async def shelve(store: Store, chunks: Sequence[Chunk]) -> None:
    places = await EMBEDDER.embed([chunk.text for chunk in chunks])
    await store.upsert(chunks, places, [Stamp(f"hash of {chunk.text}", chunk.source, "/books") for chunk in chunks])
