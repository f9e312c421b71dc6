"""Asks a plain Chroma collection whether it still has what it counts.

Chroma keeps texts and metadata in its SQLite file and vectors beside it, so half of a collection can be lost while the
other half goes on as if nothing had happened: the count is right, and queries find less, or fail, or end the process.
A few chunks, spread over all, are asked for their vectors and must then find themselves.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from retrieval.apart import Tell
from retrieval.chroma.connect import close_client, connect, mapped
from retrieval.chroma.location import Location
from retrieval.chroma.store import space_of
from retrieval.errors import CollectionNotFound, RetrievalError

PROBES = 16


def probe(location: Location, name: str) -> str | None:
    """Say what is wrong with a collection when it is asked; `None` when nothing is. Blocks, and can end the process."""
    try:
        return mapped(location, lambda: _probe(location, name))
    except RetrievalError as error:
        return str(error)


def _probe(location: Location, name: str) -> str | None:
    client = connect(location, create=False)
    if client is None:
        raise CollectionNotFound(name, ())
    try:
        collection = cast(Any, client.get_collection(name, embedding_function=None))
        space = space_of(collection.configuration_json, collection.metadata or {})
        places = np.unique(np.linspace(0, max(0, collection.count() - 1), PROBES).astype(int)).tolist()
        pages = [collection.get(limit=1, offset=place, include=["embeddings"]) for place in places]
        vectors = [page["embeddings"][0] for page in pages if len(page["ids"])]
        lost = 0
        for vector in vectors:
            found = collection.query(query_embeddings=[vector], n_results=1, include=["distances"])["distances"][0]
            # By inner product the nearest to a vector may be a longer one.
            lost += not found or (space != "ip" and abs(found[0]) > 1e-3 * max(1.0, float(np.dot(vector, vector))))
    finally:
        close_client(client)
    # An approximate index may miss one of them, and be none the worse for it.
    return f"{lost} of {len(vectors)} chunks do not find themselves" if lost > len(vectors) // 8 else None


def main(location: str, name: str, tell: Tell) -> int:
    """Probe a collection in a folder, and tell `{"problem"}`, `null` when it is sound."""
    tell({"problem": probe(location, name)})
    return 0
