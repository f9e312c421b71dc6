"""Files and folders become chunks: Markdown is parsed, chunk JSONL and JSON are checked line by line.

Nothing is stored here, so a bad file costs nothing: the message names the file, and the line where there is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from retrieval.errors import SourceError
from retrieval.filters.lint import lint
from retrieval.filters.query_must import rule_from_json
from retrieval.ingest.chunks import Source, build_chunks, is_record
from retrieval.ingest.files import MARKDOWN, READABLE, File, Files
from retrieval.ingest.labels import pairs_of
from retrieval.ingest.markdown import parse
from retrieval.metadata import TAG_SLOTS
from retrieval.types import Chunk, Skipped, Table

_ADVICE = {
    "missing": "is missing",
    "extra_forbidden": "no such field; others than id, text, title, source, headings, page, line, category, "
    "chunk_type, tags, query_must and tables have no place in a record",
    "model_type": 'not an object; each line, or each item of a list, is one chunk: {"id": …, "text": …, "title": …}',
    "too_long": f"more than {TAG_SLOTS}, and a store can't be asked for the rest",
    "dict_type": "not an object; write the rule itself, not as a string of JSON",
}
_MOST_TOLD = 20
"""How often one message is told of one file; the others like it are counted."""
_BETWEEN_ITEMS = re.compile(r"[\s,]*")


_NO_CHUNKS = "holds no chunks, which are records with id, text and title"


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the chunks, their sources with the root each was found under, and what is odd about them.

    The root of a source is the file or folder that was named, or, when the source is declared in a chunk file, that
    file. `generated` are the ids of chunks that were made from text, rule and all, not read as somebody wrote them.
    `roots` are all files and folders that were named, `files` is how many were read, and `skipped` what was not.
    """

    chunks: tuple[Chunk, ...]
    sources: Mapping[str, str]
    warnings: tuple[str, ...]
    generated: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()
    files: int = 0
    skipped: tuple[Skipped, ...] = ()

    @property
    def tables(self) -> int:
        """How many tables the chunks hold, the rows of one table counted once."""
        return len({(c.source, c.line, t.caption) for c in self.chunks for t in c.tables})


class _TableRecord(BaseModel):
    model_config = ConfigDict(extra="forbid")

    caption: str = ""
    columns: list[list[str]]
    rows: list[list[str]]
    notes: list[str] = []


class _ChunkRecord(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, StringConstraints(min_length=1)]
    text: str
    title: str
    source: str = ""
    headings: list[str] = []
    page: int | None = None
    line: int | None = None
    category: str = ""
    chunk_type: str | None = None
    tags: list[str] = Field([], max_length=TAG_SLOTS)
    query_must: dict[str, Any] | None = None
    tables: list[_TableRecord] = []


def read_sources(paths: Sequence[Path]) -> Read:
    """Read every file, and every Markdown and chunk file of every folder, in a stable order.

    Raises `SourceError` for a path that does not exist or can't be read, a folder with nothing to read, a file that is
    not UTF-8, a chunk record that is malformed, an id that is used twice, or two files that are sources of one name.

    >>> read_sources([Path("/nowhere")])
    Traceback (most recent call last):
    retrieval.errors.SourceError: /nowhere: no such file or folder
    """
    reading, files, count = _Reading(), Files(paths), 0
    for file in files:
        text = _text(file.path)
        if file.path.suffix.lower() in MARKDOWN:
            reading.add_book(file, text)
        elif file.path.resolve() in files.named or _holds_chunks(text):
            reading.add_records(file, text)
        else:
            files.skip(file.path, file.path.suffix.lower(), _NO_CHUNKS)
            continue
        count += 1
    chunks, generated = reading.chunks()
    if not chunks:
        raise SourceError("nothing to read: no text, no table, no chunk", ", ".join(map(str, paths)), bare=paths)
    roots = frozenset(str(path) for path in files.named)
    sources = dict(sorted(reading.sources.items()))
    return Read(chunks, sources, tuple(reading.warnings), generated, roots, count, files.skipped)


def _told(path: Path, odd: Sequence[tuple[int, str]]) -> Iterator[str]:
    """What is odd in a file, with its lines; of many alike the first ones, and how many more there are."""
    alike: dict[str, list[int]] = {}
    for line, message in odd:
        alike.setdefault(message, []).append(line)
        if len(alike[message]) <= _MOST_TOLD:
            yield f"{path}:{line}: {message}"
    for message, lines in alike.items():
        if len(lines) > _MOST_TOLD:
            yield f"{path}:{lines[-1]}: {message} ({len(lines) - _MOST_TOLD:,} more like this, up to this line)"


class _Reading:
    """What was read so far, and where each source and each id was met, so that none is met twice."""

    def __init__(self) -> None:
        self.sources: dict[str, str] = {}
        self.warnings: list[str] = []
        self._books: list[Source] = []
        self._records: list[Chunk] = []
        self._paths: dict[str, Path] = {}
        self._source_places: dict[str, str] = {}
        self._id_places: dict[str, str] = {}

    def add_book(self, file: File, text: str) -> None:
        """Parse Markdown."""
        self._claim_source(file.name, file, str(file.path))
        odd: list[tuple[int, str]] = []
        self._books.append(Source(file.name, parse(text, odd)))
        self.sources[file.name] = file.root
        self.warnings += _told(file.path, odd)

    def add_records(self, file: File, text: str) -> None:
        """Check the chunks of a file."""
        for place, value in _values(file.path, text):
            chunk = _chunk(value, place, file.name, self.warnings)
            own = chunk.source == file.name
            self._claim_id(chunk.id, place)
            self._claim_source(chunk.source, file, str(file.path) if own else place)
            self.sources[chunk.source] = file.root if own else str(file.path.resolve())
            self._records.append(chunk)

    def chunks(self) -> tuple[tuple[Chunk, ...], frozenset[str]]:
        """Return all chunks, and the ids of those that were made from Markdown."""
        built = build_chunks(self._books)
        for chunk in built:
            self._claim_id(chunk.id, f"{self._paths[chunk.source]}:{chunk.line}")
        return (*self._records, *built), frozenset(chunk.id for chunk in built)

    def _claim_id(self, id_: str, place: str) -> None:
        other = self._id_places.setdefault(id_, place)
        if other != place:
            raise SourceError(f"the id {id_!r} is that of the chunk at {other}; ids are unique", place)

    def _claim_source(self, source: str, file: File, place: str) -> None:
        """Two folders may each hold an x.md; read as one source, the next ingestion of one would remove the other's."""
        other = self._source_places.setdefault(source, place)
        if self._paths.setdefault(source, file.path) != file.path:
            what = "name" if source == file.name else "source"
            raise SourceError(
                f"{other} has the same {what} {source!r}; rename one, or ingest it into another collection", place
            )


def _holds_chunks(text: str) -> bool:
    """True when a JSON file that merely lies in the folder begins with a chunk record."""
    for candidate in (text, text.lstrip().split("\n", 1)[0]):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        first = value[0] if isinstance(value, list) and value else value
        return isinstance(first, dict) and {"id", "text", "title"} <= first.keys()
    return True


def _text(path: Path) -> str:
    if path.suffix.lower() not in READABLE:
        raise SourceError(
            f"can't read {path.suffix or 'files without an extension'}; Markdown or chunk JSONL is needed", str(path)
        )
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 (byte {error.start}); convert it, for example with iconv", str(path)) from error
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error


def _values(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """The values of a chunk file, each with its place."""
    return _listed(path, text) if path.suffix.lower() == ".json" else _lines(path, text)


def _lines(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", _json(line, path, number)


def _listed(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """The items of a JSON list with line and number, for many may share a line; or the one record there is."""
    value = _json(text, path, 1)
    if not isinstance(value, list):
        yield f"{path}:1", value
        return
    decoder, line, previous, end = json.JSONDecoder(), 1, 0, text.index("[") + 1
    for number, item in enumerate(value, start=1):
        between = _BETWEEN_ITEMS.match(text, end)
        start = between.end() if between else end
        line += text.count("\n", previous, start)
        yield f"{path}:{line}, item {number}", item
        previous, (_, end) = start, decoder.raw_decode(text, start)


def _json(text: str, path: Path, line: int) -> Any:
    """The JSON value of a text that begins on this line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(
            f"not JSON: {error.msg} (column {error.colno})", f"{path}:{line + error.lineno - 1}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"not JSON: {error}", f"{path}:{line}") from error


def _chunk(value: Any, place: str, name: str, warnings: list[str]) -> Chunk:
    try:
        record = _ChunkRecord.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "record"
        raise SourceError(f"{field}: {_ADVICE.get(first['type'], first['msg'])}", place) from error
    rule = None
    if record.query_must is not None:
        rule = rule_from_json(record.query_must, f"{place} (chunk {record.id})")
        warnings += [f"{place}: chunk {record.id}: {message}" for message in lint(rule)]
    tables = tuple(_table(table, place) for table in record.tables)
    own = "section" if not tables else "record" if tables[0].is_record else "table"
    if not tables and (pairs := pairs_of(record.text.split("\n"))):
        tables, own = (Table("", ((), ()), pairs),), "record" if is_record(pairs) else own
    return Chunk(
        record.id, record.text, record.title, record.source or name, tuple(record.headings), record.page, record.line,
        record.chunk_type or own, tuple(record.tags), rule, tables, record.category,
    )  # fmt: skip


def _table(record: _TableRecord, place: str) -> Table:
    if any(len(row) != len(record.columns) for row in record.rows):
        raise SourceError("tables: every row needs as many cells as there are columns", place)
    rows = tuple(tuple(row) for row in record.rows)
    return Table(record.caption, tuple(tuple(path) for path in record.columns), rows, tuple(record.notes))
