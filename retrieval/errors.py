"""Errors of retrieval, sorted by who must act.

    RetrievalError
    ├── SourceError            a file or folder can't be read or understood: fix the file
    │   └── RuleError          a chunk's query_must is malformed: fix the rule
    ├── CollectionNotFound     no such collection: ingest first, or pick one that exists
    ├── CollectionEmpty        nothing was ingested into it yet: ingest first
    ├── EmbeddingError         the model can't be loaded, or its vectors don't fit the collection
    └── StoreError             the store failed or can't be reached: start it, or repair it

Each message says what happened, where, and what to do next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from retrieval.suggestion import did_you_mean

FOLDER_ADVICE = "check whose folder it is, or name another with --chroma or VERSUS_CHROMA"
"""What to do about a folder of collections that can't be written."""


class RetrievalError(Exception):
    """Base of everything `retrieval` raises on purpose."""


class SourceError(RetrievalError):
    """A source can't be read. `place` is `file` or `file:line`; `bare` are paths at which there is nothing to read."""

    def __init__(self, message: str, place: str = "", bare: Sequence[Path] = ()) -> None:
        self.message, self.place, self.bare = message, place, tuple(bare)
        super().__init__(f"{place}: {message}" if place else message)


class RuleError(SourceError):
    """A malformed `query_must`. The place is the chunk's id, with file and line where they are known."""


class CollectionNotFound(RetrievalError):
    """The collection does not exist; `available` are those that do."""

    def __init__(self, name: str, available: Iterable[str]) -> None:
        self.name, self.available = name, tuple(sorted(available))
        known = ", ".join(self.available) or "none yet"
        command = f"versus ingest PATH --collection {self.name}"
        meant = did_you_mean(self.name, self.available)
        super().__init__(f"no collection named {self.name!r} (existing: {known}).{meant} Create one with: {command}")


class CollectionEmpty(RetrievalError):
    """The collection is there, and nothing in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"collection {name!r} is empty: nothing was ingested into it, or that was stopped. "
            f"Fill it with: versus ingest PATH --collection {name}"
        )


class EmbeddingError(RetrievalError):
    """The embedding model can't be used, or its vectors don't belong to this collection."""


class StoreError(RetrievalError):
    """The vector store failed."""
