"""Places of collections: a folder, a Chroma server, or a store of another distribution.

The scheme of an address decides: `qdrant://host` uses the plug-in `qdrant` of the group `versus.stores`.

    [project.entry-points."versus.stores"]
    qdrant = "my_package:Qdrant"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from retrieval.collections.chroma.location import Location
from retrieval.embedding.protocol import Embedder, Progress
from retrieval.registry import Registry
from retrieval.stores.store import Store

FOLDER = "folder"


class Place(Protocol):
    """A place with collections, made from its location. Every failure is a `StoreError`."""

    async def open(self, name: str, *, create: bool, embedder: Embedder | None, on_progress: Progress | None) -> Store:
        """Open a collection; with `create`, and the embedder whose model it records, create it if missing.

        `CollectionNotFound` lists the existing ones. Opening for reading creates nothing.
        """
        ...

    async def names(self) -> tuple[str, ...]:
        """Return the names of its collections, sorted."""
        ...

    async def delete(self, name: str) -> None:
        """Delete a collection that exists."""
        ...


STORES = Registry[Callable[[Location], Place]](
    "versus.stores",
    "store",
    {
        FOLDER: "retrieval.collections.opening:Folder",
        **dict.fromkeys(("http", "https"), "retrieval.collections.chroma.collections:Server"),
    },
)


def store_of(location: Location) -> str:
    """Return the name of the store of a location.

    >>> store_of("data/chroma"), store_of("https://api.trychroma.com"), store_of("qdrant://localhost")
    ('folder', 'https', 'qdrant')
    """
    scheme, separator, _ = (location if isinstance(location, str) else location.url).partition("://")
    return scheme if separator else FOLDER


def is_folder(location: Location) -> bool:
    """Return True if the location is a folder on this machine."""
    return store_of(location) == FOLDER


def place_at(location: Location) -> Place:
    """Return the place at a location; `UnknownPlugin` or `BrokenPlugin` if its store is not available."""
    name = store_of(location)
    make = STORES.get(name)
    with STORES.telling(name):
        return make(location)
