"""Read files and folders into chunks: documents are cut, chunk files are taken as they are.

Nothing is stored here, so a bad file has no effect; the message names the file and, if known, the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import platformdirs

from retrieval.errors import BrokenPlugin, MissingExtra, SourceError, UnknownPlugin
from retrieval.ingest.chunks import build_chunks
from retrieval.ingest.files import CHUNK_FILES, File, Files, needed
from retrieval.readers.cage import ReaderProcess
from retrieval.readers.data.parsed import PARSERS
from retrieval.readers.data.records import holds_chunks
from retrieval.readers.data.structured import is_data
from retrieval.readers.documents.document import READERS, Document, Records, is_caged, odd_encoding, text_of
from retrieval.readers.documents.sections import Source
from retrieval.readers.read_before import DocumentCache
from retrieval.types import Chunk, Failed, Skipped

_MOST_TOLD = 20
"""The most repeats of one message for a file; further ones are counted."""
_EMPTY = "nothing to read in it: no text, no table"
_NO_CHUNKS = "holds no chunks, which are records with id, text and title"
_NO_DATA = "holds no list of things with labels in common"


@dataclass(frozen=True, slots=True)
class Read:
    """The result of reading: the chunks, their sources with their roots, and warnings.

    The root of a source is the file or folder that was named; for a source declared in a chunk file it is that file.
    `generated` are the ids of chunks made from documents, rules included. `roots` are all files and folders named,
    `files` is how many were read, and `skipped` what was not. `failed` are files of folders that can't be read.
    `unread` are the sources and roots of these and of files that need a missing extra; for chunk files the source is
    empty, since their chunks may name any. `places` has the file of each source.
    """

    chunks: tuple[Chunk, ...]
    sources: Mapping[str, str]
    warnings: tuple[str, ...]
    generated: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()
    files: int = 0
    skipped: tuple[Skipped, ...] = ()
    failed: tuple[Failed, ...] = ()
    unread: frozenset[tuple[str, str]] = frozenset()
    places: Mapping[str, Path] = field(default_factory=dict)

    @property
    def tables(self) -> int:
        """The number of tables in the chunks; the rows of one table count once."""
        return len({(c.source, c.line, t.caption) for c in self.chunks for t in c.tables})


def read_sources(
    paths: Sequence[Path], on_progress: Callable[[str, int, int], None] | None = None, *, cache: Path | None = None
) -> Read:
    """Read every named file, and the readable files of every folder, in a stable order.

    If a reader rejects a file of a folder, the file fails and the others are read. `on_progress` is called with the
    name of a file with pages, the number of pages read, and the total. Results of such files are kept in `cache`
    (default: the user's cache folder), and an unchanged file is not read again.

    Raises `SourceError` for a path that does not exist or can't be read, a folder with nothing to read, a named file
    that its reader refuses, an id that is used twice, or two files that are sources of one name.

    >>> read_sources([Path("/nowhere")])
    Traceback (most recent call last):
    retrieval.errors.SourceError: /nowhere: no such file or folder
    """
    reading, files = _Reading(), Files(paths)
    before = DocumentCache((cache or platformdirs.user_cache_path("versus")) / "documents")
    with ReaderProcess(before=before) as cage:
        for file in files:
            read = partial(_read, file, cage, on_progress)
            if file.path.resolve() in files.named:
                reading.add(file, read())
            elif reason := _why_foreign(file.path):
                files.skip(file.path, file.path.suffix.lower(), reason)
            else:
                reading.try_to_add(file, read, files)
    return _whole(reading, files, paths)


def _whole(reading: _Reading, files: Files, paths: Sequence[Path]) -> Read:
    chunks, generated = reading.chunks()
    if not chunks and reading.failed:
        first = reading.failed[0]
        more = f" (and {len(reading.failed) - 1} more files failed)" if reading.failed[1:] else ""
        raise SourceError(first.reason + more, first.file)
    if not chunks:
        odd = f" ({reading.warnings[0]})" if reading.warnings else ""
        raise SourceError(f"nothing to read: no text, no table, no chunk{odd}", ", ".join(map(str, paths)), bare=paths)
    roots = frozenset(str(path) for path in files.named)
    sources = dict(sorted(reading.sources.items()))
    return Read(
        chunks, sources, (*reading.warnings, *reading.empty(chunks)), generated, roots, reading.files, files.skipped,
        tuple(reading.failed), frozenset(reading.unread), reading.places,
    )  # fmt: skip


def _warnings_of(path: Path, odd: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield the oddities of a file with their lines; of many alike the first ones and a count."""
    alike: dict[str, list[int]] = {}
    for line, message in odd:
        alike.setdefault(message, []).append(line)
        if len(alike[message]) <= _MOST_TOLD:
            yield f"{path}:{line}: {message}"
    for message, lines in alike.items():
        if len(lines) > _MOST_TOLD:
            yield f"{path}:{lines[-1]}: {message} ({len(lines) - _MOST_TOLD:,} more like this, up to this line)"


class _Reading:
    """The result so far, with the place of each source and id to detect duplicates."""

    def __init__(self) -> None:
        self.sources: dict[str, str] = {}
        self.places: dict[str, Path] = {}
        self.warnings: list[str] = []
        self.failed: list[Failed] = []
        self.unread: set[tuple[str, str]] = set()
        self.files = 0
        self._books: list[Source] = []
        self._page_labels: dict[str, dict[int, str]] = {}
        self._records: list[Chunk] = []
        self._source_places: dict[str, str] = {}
        self._id_places: dict[str, str] = {}

    def add(self, file: File, found: Document | Records) -> None:
        """Add the result for a file."""
        self.files += 1
        if isinstance(found, Records):
            self._add_records(file, found)
            return
        self._claim_source(file.name, file, str(file.path))
        self._books.append(Source(file.name, found.sections))
        self._page_labels[file.name] = dict(found.page_labels)
        self.sources[file.name] = file.root
        said = odd_encoding(file.path)
        self.warnings += _warnings_of(file.path, [*([(1, said)] if said else []), *found.odd])

    def try_to_add(self, file: File, read: Callable[[], Document | Records], files: Files) -> None:
        """Read a file of a folder and add it; record the reason if its reader rejects it."""
        try:
            found = read()
        except MissingExtra as error:
            files.skip(file.path, file.path.suffix.lower(), error.message)
            self._keep_earlier(file)
        except SourceError as error:
            self.failed.append(Failed(error.place or str(file.path), error.message))
            self._keep_earlier(file)
        else:
            self.add(file, found)

    def _keep_earlier(self, file: File) -> None:
        """Keep the chunks that an earlier ingestion read from a file: it exists but can't be read now."""
        self.unread |= {(file.name, file.root), ("", str(file.path.resolve()))}

    def _add_records(self, file: File, found: Records) -> None:
        self.warnings += found.warnings
        for place, given in found.chunks:
            chunk = given if given.source else replace(given, source=file.name)
            own = chunk.source == file.name
            self._claim_id(chunk.id, place)
            self._claim_source(chunk.source, file, str(file.path) if own else place)
            self.sources[chunk.source] = file.root if own else str(file.path.resolve())
            self._records.append(chunk)

    def chunks(self) -> tuple[tuple[Chunk, ...], frozenset[str]]:
        """Return all chunks, and the ids of those made from documents."""
        built = [_with_labels(chunk, self._page_labels[chunk.source]) for chunk in build_chunks(self._books)]
        for chunk in built:
            self._claim_id(chunk.id, f"{self.places[chunk.source]}:{chunk.line}")
        return (*self._records, *built), frozenset(chunk.id for chunk in built)

    def empty(self, chunks: Sequence[Chunk]) -> list[str]:
        """Return a warning for each document without a chunk."""
        full = {chunk.source for chunk in chunks}
        return [f"{self.places[book.name]}: {_EMPTY}" for book in self._books if book.name not in full]

    def _claim_id(self, id_: str, place: str) -> None:
        other = self._id_places.setdefault(id_, place)
        if other != place:
            raise SourceError(f"the id {id_!r} is that of the chunk at {other}; ids are unique", place)

    def _claim_source(self, source: str, file: File, place: str) -> None:
        """Require that a source belongs to one file: re-ingesting one of two would remove the other's chunks."""
        other = self._source_places.setdefault(source, place)
        if self.places.setdefault(source, file.path) != file.path:
            what = "name" if source == file.name else "source"
            raise SourceError(
                f"{other} has the same {what} {source!r}; rename one, or ingest it into another collection", place
            )


def _with_labels(chunk: Chunk, labels: Mapping[int, str]) -> Chunk:
    """Return the chunk with the printed labels of its pages."""
    if not labels:
        return chunk
    pages = {page for table in chunk.tables for page in table.row_pages} | {page for _, page in chunk.turns}
    pages |= {chunk.page} if chunk.page else set()
    return replace(chunk, page_labels=tuple((page, labels[page]) for page in sorted(pages) if page in labels))


def _read(file: File, cage: ReaderProcess, on_progress: Callable[[str, int, int], None] | None) -> Document | Records:
    path = file.path
    on_page = partial(on_progress, f"reading {file.name}") if on_progress else None
    suffix = path.suffix.lower().removeprefix(".")
    try:
        READERS.require(suffix)
    except UnknownPlugin as error:
        kind = path.suffix or "files without an extension"
        raise SourceError(f"can't read {kind}; {needed(error.known)}", str(path)) from error
    try:
        with READERS.telling(suffix):
            found = cage.read(suffix, path, on_page) if is_caged(path) else READERS.get(suffix)(path)
    except BrokenPlugin as error:
        raise SourceError(str(error), str(path)) from error
    return found


def _why_foreign(path: Path) -> str:
    """Return why a file in a folder is neither chunks nor data, as the settings of some program; empty for others."""
    suffix = path.suffix.lower()
    if suffix not in CHUNK_FILES | PARSERS.keys():
        return ""
    text = text_of(path)
    if suffix in PARSERS and is_data(text, suffix):
        return ""
    if suffix in CHUNK_FILES:
        return "" if holds_chunks(text) else _NO_CHUNKS
    return _NO_DATA
