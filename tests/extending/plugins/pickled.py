"""A store: each collection is one file, `pickled:///folder`. Fit for a few thousand chunks of your own.

[project.entry-points."versus.stores"]
pickled = "pickled:PickledFolder"
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from versus import ChromaServer, Chunk, CollectionNotFound, Embedder, MemoryStore, Progress, Stamp


class PickledStore(MemoryStore):
    """A collection in memory that is written to its file after each change."""

    def __init__(self, path: Path, model: str | None) -> None:
        super().__init__(path.stem, model=model)
        self._path = path

    async def upsert(
        self,
        chunks: Sequence[Chunk],
        vectors: NDArray[np.float32],
        stamps: Sequence[Stamp],
        remove: Collection[str] = (),
    ) -> None:
        """Write and remove chunks."""
        await super().upsert(chunks, vectors, stamps, remove)
        await asyncio.to_thread(self._path.write_bytes, pickle.dumps(self.__dict__))


class PickledFolder:
    """The collections of a folder."""

    def __init__(self, location: str | ChromaServer) -> None:
        self._folder = Path(str(location).removeprefix("pickled://"))

    async def open(
        self, name: str, *, create: bool, embedder: Embedder | None, on_progress: Progress | None
    ) -> PickledStore:
        """Open a collection, or with `create` an empty one."""
        store = PickledStore(self._folder / f"{name}.pickle", embedder.name if embedder else None)
        if name in await self.names():
            store.__dict__.update(pickle.loads(store._path.read_bytes()))
        elif not create:
            raise CollectionNotFound(name, await self.names())
        return store

    async def names(self) -> tuple[str, ...]:
        """Return the names of the collections."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.pickle")))

    async def delete(self, name: str) -> None:
        """Remove the file."""
        (self._folder / f"{name}.pickle").unlink()
