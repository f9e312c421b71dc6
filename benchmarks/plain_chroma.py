"""Chroma as peers use it: a collection of its own client, with its own graph and settings.

What versus makes in Chroma has a denser graph, which finds more and takes longer; to be compared with that would
flatter. Nothing of versus is imported, for peers ask such a collection too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chromadb

_BATCH = 1000


def filled(folder: Path, name: str, ids: Sequence[str], vectors: Any, texts: Sequence[str]) -> Any:
    """A new collection with these passages; the distance is the cosine's, and all else is Chroma's own."""
    collection = chromadb.PersistentClient(str(folder)).create_collection(name, metadata={"hnsw:space": "cosine"})
    for start in range(0, len(ids), _BATCH):
        some = slice(start, start + _BATCH)
        collection.add(list(ids[some]), vectors[some], documents=list(texts[some]))
    return collection


def nearest(collection: Any, vector: Any, limit: int) -> list[str]:
    """The ids of the nearest passages, by the query that peers make: with their texts, and no filter."""
    found = collection.query(
        query_embeddings=[vector], n_results=limit, include=["metadatas", "documents", "distances"]
    )
    return list(found["ids"][0])
