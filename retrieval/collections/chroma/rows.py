"""A collection's rows as chunks: the blocking half of `ChromaStore`, which runs in threads.

A chunk is decoded once for each content hash, so rows that another process rewrites are decoded again. In an immutable
collection each chunk is also fetched once: a query then asks for ids and distances only, which halves its time.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from retrieval.errors import StoreError
from retrieval.stores.metadata import Where, decode, encode_afresh, listed, slots
from retrieval.stores.store import Stamp, Vectors
from retrieval.types import Chunk

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection as ChromaCollection

log = logging.getLogger(__name__)
Candidate = tuple[Chunk, float]
OnRow = Callable[[str, str | None, Mapping[str, Any] | None], None]
"""Called with the id, text and metadata of a row; raises if they can't be trusted."""

TIES = 8
"""The extra neighbors requested: among ties Chroma returns any, while we return those of least id."""
DECODED = 50_000  # cached decoded chunks


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """A request for the `n_results` nearest chunks to a vector that meet a condition of Chroma's.

    With `ids`: among these.
    """

    vector: Vectors
    n_results: int
    condition: Mapping[str, Any] | None
    ids: tuple[str, ...] | None = None

    def kind(self) -> Hashable:
        """Return what queries must share to be one call of chromadb."""
        return len(self.vector), self.n_results, json.dumps(self.condition, sort_keys=True), self.ids


class Rows:
    """Reads and writes the rows of a collection, `page` of them a call."""

    def __init__(
        self, collection: ChromaCollection, page: int, *, immutable: bool = False, on_row: OnRow | None = None
    ) -> None:
        self._collection = collection
        self._page = page
        self._immutable = immutable
        self._on_row = on_row
        self._warned: set[str] = set()
        self._decoded: dict[tuple[str, str], Chunk] = {}

    def nearest(self, alike: Sequence[Nearest]) -> list[list[Candidate]]:
        """Answer queries of one kind in one call: chunks with distances, nearest first, ties by id."""
        wanted, bodies = alike[0].n_results, [] if self._immutable else ["documents", "metadatas"]
        ids = None if alike[0].ids is None else self._existing(alike[0].ids)
        if ids == []:
            return [[] for _ in alike]
        answer = self._collection.query(
            query_embeddings=cast(Any, [query.vector for query in alike]),
            n_results=min(wanted + TIES, max(wanted, self._page)),
            where=cast(Any, alike[0].condition),
            ids=cast(Any, ids),
            include=cast(Any, ["distances", *bodies]),
        )
        found = _ranked(cast(Mapping[str, Any], answer), ("ids", "distances", *bodies), wanted)
        return [
            list(zip(chunks, map(float, distances), strict=True))
            for chunks, distances in zip(self._bodies(found), found["distances"], strict=True)
        ]

    def by_id(self, ids: Iterable[str]) -> dict[str, Chunk]:
        """Return the chunks with these ids; those that do not exist are left out."""
        wanted = list(dict.fromkeys(ids))
        found = {id_: self._decoded[id_, ""] for id_ in wanted if (id_, "") in self._decoded}
        for part in batches((id_ for id_ in wanted if id_ not in found), self._page):
            rows = cast(Any, self._collection.get(ids=cast(Any, part), include=["documents", "metadatas"]))
            found |= {chunk.id: chunk for chunk in self.chunks(rows["ids"], rows["documents"], rows["metadatas"])}
        return found

    def ids_where(self, where: Where) -> list[str]:
        """Return the ids of the rows that meet a condition."""
        return list(self._collection.get(where=cast(Any, condition(where)), include=[])["ids"])

    def _existing(self, ids: Iterable[str]) -> list[str]:
        """Return the ids that exist; a query for a missing one fails as a whole."""
        return [id_ for part in batches(ids, self._page) for id_ in self._collection.get(ids=part, include=[])["ids"]]

    def page(self, include: Sequence[str], offset: int) -> Mapping[str, Any]:
        """Return chromadb's own answer for one page of all rows."""
        rows = self._collection.get(limit=self._page, offset=offset, include=cast(Any, list(include)))
        return cast(Mapping[str, Any], rows)

    def chunks(
        self, ids: Iterable[str], texts: Iterable[str | None], flats: Iterable[Mapping[str, Any] | None]
    ) -> Iterator[Chunk]:
        """Yield the chunks of these columns."""
        for id_, text, flat in zip(ids, texts, flats, strict=True):
            digest = "" if self._immutable else str((flat or {}).get("content_hash", ""))
            chunk = self._decoded.get((id_, digest)) or self._decode(id_, text, flat)
            if (digest or self._immutable) and len(self._decoded) < DECODED:
                self._decoded[id_, digest] = chunk
            yield chunk

    def write(self, rows: Sequence[tuple[Chunk, Stamp]], vectors: Vectors) -> None:
        """Write chunks, each with its stamp."""
        self._collection.upsert(
            ids=[chunk.id for chunk, _ in rows],
            embeddings=cast(Any, vectors),
            documents=[chunk.text for chunk, _ in rows],
            metadatas=cast(Any, [encode_afresh(chunk) | _stamped(stamp) for chunk, stamp in rows]),
        )

    def _bodies(self, found: Mapping[str, Any]) -> list[list[Chunk]]:
        if not self._immutable:
            columns = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
            return [list(self.chunks(*each)) for each in columns]
        known = self.by_id(id_ for ids in found["ids"] for id_ in ids)
        try:
            return [[known[id_] for id_ in ids] for ids in found["ids"]]
        except KeyError as error:
            name = self._collection.name
            raise StoreError(f"chunk {error} of collection {name!r} is gone, though nobody should change it") from error

    def _decode(self, id_: str, text: str | None, flat: Mapping[str, Any] | None) -> Chunk:
        if self._on_row is not None:
            self._on_row(id_, text, flat)
        chunk, odd = decode(id_, text, flat)
        if odd and id_ not in self._warned:
            self._warned.add(id_)
            log.warning("collection %s: %s", self._collection.name, "; ".join(odd))
        return chunk


def _ranked(answer: Mapping[str, Any], columns: Sequence[str], wanted: int) -> dict[str, list[list[Any]]]:
    """Return the columns of an answer with the best rows of each query: nearest first, ties by id."""
    keys = [list(zip(*each, strict=True)) for each in zip(answer["distances"], answer["ids"], strict=True)]
    ranks = [sorted(range(len(each)), key=each.__getitem__)[:wanted] for each in keys]
    return {
        name: [[each[row] for row in rows] for each, rows in zip(answer[name], ranks, strict=True)] for name in columns
    }


def stamp_of(flat: Mapping[str, Any]) -> Stamp:
    """Return the stamp that is in a row's metadata."""
    return Stamp(*(str(flat.get(name) or "") for name in Stamp._fields))


def _stamped(stamp: Stamp) -> dict[str, str | None]:
    # Missing fields must be set to None: Chroma merges new metadata into an existing row.
    return {"content_hash": stamp.content_hash, "root": stamp.root or None}


def condition(where: Where | None, exclude: Collection[str] = ()) -> dict[str, Any] | None:
    """Return a `Where` and excluded ids as Chroma's `where`; `None` if both are empty.

    >>> condition({"chunk_type": ["row"], "title_key": "fighter"})
    {'$and': [{'chunk_type': {'$in': ['row']}}, {'title_key': {'$in': ['fighter']}}]}
    """
    parts: list[dict[str, Any]] = []
    for field, value in (where or {}).items():
        options = [{slot: {"$in": listed(value)}} for slot in slots(field)]
        parts.append(options[0] if len(options) == 1 else {"$or": options})
    if exclude:
        parts.append({"id": {"$nin": sorted(exclude)}})
    return {"$and": parts} if len(parts) > 1 else parts[0] if parts else None


def batches(ids: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield the distinct ids, at most `size` at a time.

    >>> list(batches(["a", "b", "a", "c"], 2))
    [['a', 'b'], ['c']]
    """
    remaining = iter(dict.fromkeys(ids))
    while batch := list(islice(remaining, size)):
        yield batch
