"""Where collections can be: in a folder, on a Chroma server, or in a store that another distribution brings.

The beginning of an address says which: `qdrant://host` asks the plug-in `qdrant` of the group `versus.stores`.

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
        """Open a collection; with `create`, and the embedder whose model it records, make it where it is missing.

        `CollectionNotFound` tells those that exist. Opening for reading creates nothing.
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
    """Return the name of the store that a location is in.

    >>> store_of("data/chroma"), store_of("https://api.trychroma.com"), store_of("qdrant://localhost")
    ('folder', 'https', 'qdrant')
    """
    scheme, separator, _ = (location if isinstance(location, str) else location.url).partition("://")
    return scheme if separator else FOLDER


def is_folder(location: Location) -> bool:
    """Return whether this is a folder on this machine."""
    return store_of(location) == FOLDER


def place_at(location: Location) -> Place:
    """Return the place there; `UnknownPlugin` or `BrokenPlugin` when there is no such store."""
    name = store_of(location)
    make = STORES.get(name)
    with STORES.telling(name):
        return make(location)
