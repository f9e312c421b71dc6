"""Files and folders become chunks: Markdown is parsed, chunk JSONL and JSON are checked line by line.

Nothing is stored here, so a bad file costs nothing: the message names the file, and the line where there is one.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from retrieval.errors import SourceError
from retrieval.filters.lint import lint
from retrieval.filters.query_must import rule_from_json
from retrieval.ingest.chunks import Source, build_chunks
from retrieval.ingest.markdown import parse
from retrieval.metadata import TAG_SLOTS
from retrieval.types import Chunk, Table

MARKDOWN = frozenset({".md", ".markdown"})
CHUNK_FILES = frozenset({".jsonl", ".json"})
_ADVICE = {
    "missing": "is missing",
    "extra_forbidden": "no such field; others than id, text, title, source, headings, page, line, chunk_type, tags, "
    "query_must and tables have no place in a record",
    "model_type": 'not an object; each line, or each item of a list, is one chunk: {"id": …, "text": …, "title": …}',
    "too_long": f"more than {TAG_SLOTS}, and a store can't be asked for the rest",
    "dict_type": "not an object; write the rule itself, not as a string of JSON",
}
_MOST = 2**53 - 1  # what every store and every reader of JSON can hold
_BETWEEN_ITEMS = re.compile(r"[\s,]*")


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the chunks, their sources with the root each was found under, and what is odd about them.

    `generated` are the ids of chunks that were made from text, rule and all, not read as somebody wrote them.
    """

    chunks: tuple[Chunk, ...]
    sources: Mapping[str, str]
    warnings: tuple[str, ...]
    generated: frozenset[str] = frozenset()

    @property
    def tables(self) -> int:
        """How many tables the chunks hold, the rows of one table counted once."""
        return len({(c.source, c.line, t.caption) for c in self.chunks for t in c.tables})


_Number = Annotated[int, Field(ge=-_MOST, le=_MOST)]


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
    page: _Number | None = None
    line: _Number | None = None
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
    warnings: list[str] = []
    books: list[Source] = []
    chunks: list[Chunk] = []
    named = {path.resolve() for path in paths if _exists(path)}
    sources: dict[str, str] = {}
    places: dict[str, str] = {}
    owners: dict[str, Path] = {}
    for path, name, root in _files(paths):
        text = _text(path)
        if path.suffix.lower() in MARKDOWN:
            _require_own_name(path, name, owners)
            odd: list[tuple[int, str]] = []
            books.append(Source(name, parse(text, odd)))
            sources[name] = root
            warnings += [f"{path}:{line}: {message}" for line, message in odd]
        elif path.resolve() in named or _holds_chunks(text):
            records = list(_records(path, name, text, warnings, places))
            if any(record.source == name for record in records):
                _require_own_name(path, name, owners)
            sources |= dict.fromkeys((record.source for record in records), root)
            chunks += records
        else:
            warnings.append(f"{path}: holds no chunks (records with id, text and title); left out")
    built = build_chunks(books)
    chunks += built
    if not chunks:
        raise SourceError("nothing to read: no text, no table, no chunk", ", ".join(map(str, paths)), bare=paths)
    ids = frozenset(chunk.id for chunk in built)
    return Read(tuple(chunks), dict(sorted(sources.items())), tuple(warnings), ids)


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, str, str]]:
    """Each file once, with the name that citations show, its path within the folder that was named, and that folder."""
    seen: set[Path] = set()
    for root in paths:
        alone = _exists(root) and root.is_file()
        for path in [root] if alone else _folder(root):
            if path.resolve() not in seen:
                seen.add(path.resolve())
                yield path, path.name if alone else path.relative_to(root).as_posix(), str(root.resolve())


def _require_own_name(path: Path, name: str, owners: dict[str, Path]) -> None:
    """Two folders may each hold an x.md; read as one source, the next ingestion of one would remove the other's."""
    if owners.setdefault(name, path) != path:
        raise SourceError(
            f"{owners[name]} has the same name {name!r}; rename one, or ingest it into another collection", str(path)
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


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error


def _folder(root: Path) -> list[Path]:
    """The files of a folder. What can't be looked into is an error: left out, it would count as gone."""
    if not _exists(root):
        raise SourceError("no such file or folder", str(root), bare=[root])
    found: list[Path] = []
    for folder, folders, names in os.walk(root, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(folder, name) for name in names if not name.startswith(".")]
    known = MARKDOWN | CHUNK_FILES
    files = sorted(path for path in found if path.suffix.lower() in known and _is_file(path))
    if not files:
        needed = ", ".join(sorted(known))
        raise SourceError(f"nothing to read in this folder; it needs {needed} files", str(root), bare=[root])
    return files


def _refuse(error: OSError) -> None:
    raise SourceError(f"can't be read: {error.strerror or error}", str(error.filename)) from error


def _is_file(path: Path) -> bool:
    """True for a file, and for a link that leads nowhere, which can't be read; False for a pipe."""
    try:
        return path.is_file() or (path.is_symlink() and not path.exists())
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error


def _text(path: Path) -> str:
    if path.suffix.lower() not in MARKDOWN | CHUNK_FILES:
        raise SourceError(
            f"can't read {path.suffix or 'files without an extension'}; Markdown or chunk JSONL is needed", str(path)
        )
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 (byte {error.start}); convert it, for example with iconv", str(path)) from error
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error


def _records(path: Path, name: str, text: str, warnings: list[str], places: dict[str, str]) -> Iterator[Chunk]:
    """The chunks of a file; `places` remembers where each id was met."""
    for place, value in _listed(path, text) if path.suffix.lower() == ".json" else _lines(path, text):
        chunk = _chunk(value, place, name, warnings)
        if chunk.id in places:
            raise SourceError(f"the id {chunk.id!r} is that of the chunk at {places[chunk.id]}; ids are unique", place)
        places[chunk.id] = place
        yield chunk


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
    return Chunk(
        record.id, record.text, record.title, record.source or name, tuple(record.headings), record.page, record.line,
        record.chunk_type or own, tuple(record.tags), rule, tables,
    )  # fmt: skip


def _table(record: _TableRecord, place: str) -> Table:
    if any(len(row) != len(record.columns) for row in record.rows):
        raise SourceError("tables: every row needs as many cells as there are columns", place)
    rows = tuple(tuple(row) for row in record.rows)
    return Table(record.caption, tuple(tuple(path) for path in record.columns), rows, tuple(record.notes))
