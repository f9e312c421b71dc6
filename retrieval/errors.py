"""Errors of retrieval, sorted by who must act.

    RetrievalError
    ├── SourceError            a file or folder can't be read or understood: fix the file
    │   ├── MissingExtra       its format needs a library that is not installed: install the extra
    │   └── RuleError          a chunk's query_must is malformed: fix the rule
    ├── CollectionNotFound     no such collection: ingest first, or pick one that exists
    ├── ChunkNotFound          no such chunk in the collection: a search shows the ids of chunks
    ├── CollectionEmpty        nothing was ingested into it yet: ingest first
    ├── EmbeddingError         the model can't be loaded, or its vectors don't fit the collection
    ├── ProcessEnded           another process of ours ended before it had replied: ask again
    ├── PluginError            a part that is chosen by name can't be had
    │   ├── UnknownPlugin      nothing of this name is installed: choose another, or install the package that has it
    │   └── BrokenPlugin       its code fails: repair or uninstall its package
    └── StoreError             the store failed or can't be reached: start it, or repair it
        ├── Damaged            its files are not what was written: it is built again, or `versus doctor` mends it
        ├── NewerFormat        a newer version of versus wrote it: update versus
        └── ProcessTrouble     this process lacks what it needs, such as open files: mend that, not the collection

Each message says what happened, where, and what to do next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from retrieval.text.suggestion import did_you_mean

FOLDER_ADVICE = "check whose folder it is, or name another with --chroma or VERSUS_CHROMA"
"""Advice for a folder of collections that can't be written."""


class RetrievalError(Exception):
    """Base of all errors that `retrieval` raises on purpose."""


class SourceError(RetrievalError):
    """A source can't be read. `place` is `file` or `file:line`; `bare` are paths with nothing to read."""

    def __init__(self, message: str, place: str = "", bare: Sequence[Path] = ()) -> None:
        self.message, self.place, self.bare = message, place, tuple(bare)
        super().__init__(f"{place}: {message}" if place else message)


class MissingExtra(SourceError):
    """The library for a file format is not installed; the message has the command to install it."""


class RuleError(SourceError):
    """A malformed `query_must`. The place is the chunk's id, with file and line if known."""


class CollectionNotFound(RetrievalError):
    """The collection does not exist; `available` are the existing ones."""

    def __init__(self, name: str, available: Iterable[str]) -> None:
        self.name, self.available = name, tuple(sorted(available))
        known = ", ".join(self.available) or "none yet"
        command = f"versus ingest PATH --collection {self.name}"
        meant = did_you_mean(self.name, self.available)
        super().__init__(f"no collection named {self.name!r} (existing: {known}).{meant} Create one with: {command}")


class ChunkNotFound(RetrievalError):
    """The collection has no chunk with this id."""

    def __init__(self, chunk_id: str) -> None:
        self.chunk_id = chunk_id
        super().__init__(f"no chunk {chunk_id!r} in this collection; `versus search` shows the ids of chunks")


class CollectionEmpty(RetrievalError):
    """The collection exists but is empty."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"collection {name!r} is empty: nothing was ingested into it, or that was stopped. "
            f"Fill it with: versus ingest PATH --collection {name}"
        )


class EmbeddingError(RetrievalError):
    """The embedding model can't be used, or its vectors do not match this collection."""


class PluginError(RetrievalError):
    """A plug-in is not available. `noun` names its kind, `name` is its own name."""

    def __init__(self, noun: str, name: str, message: str) -> None:
        self.noun, self.name = noun, name
        super().__init__(message)


class UnknownPlugin(PluginError):
    """No plug-in has this name; `known` are the names of its kind."""

    def __init__(self, noun: str, name: str, known: Sequence[str], group: str) -> None:
        self.known = tuple(known)
        meant = did_you_mean(name, known)
        listed = f"Known: {', '.join(known)}" if known else "None is installed"
        super().__init__(
            noun,
            name,
            f"there is no {noun} {name!r}.{meant} {listed}. A package adds one by an entry point of {group!r}",
        )


class BrokenPlugin(PluginError):
    """The code of a plug-in fails, or two packages provide the same name."""

    def __init__(self, noun: str, name: str, value: str, package: str, reason: str) -> None:
        super().__init__(
            noun, name, f"the {noun} {name!r} ({value}, of {package}) fails: {reason}. Repair or uninstall its package"
        )


class StoreError(RetrievalError):
    """The vector store failed."""


class ProcessEnded(RetrievalError):
    """A worker process ended, or could not start, before it replied."""


class Damaged(StoreError):
    """Files of a collection are not as they were written; trouble of this process alone is `ProcessTrouble`."""


class NewerFormat(StoreError):
    """A file was written by a newer version of versus; this one neither reads nor replaces it."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} was made by a newer version of versus (format {found}; this one reads up to {known}), and is left "
            "as it is. Update versus, or ingest into another folder with --chroma"
        )


class ProcessTrouble(StoreError):
    """This process lacks something: a file it may open, a permission, a readable setting. Nothing was changed."""
