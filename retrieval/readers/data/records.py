"""Chunk files: chunks as JSON Lines or as a JSON list, checked one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from retrieval.errors import SourceError
from retrieval.filters.lint import lint
from retrieval.filters.rule import rule_from_json
from retrieval.readers.documents.document import Records, text_of
from retrieval.readers.labels.running_text import is_record, pairs_of
from retrieval.stores.metadata import TAG_SLOTS
from retrieval.types import Chunk, Table

_ADVICE = {
    "missing": "is missing",
    "extra_forbidden": "no such field; others than id, text, title, source, headings, page, line, category, "
    "chunk_type, tags, query_must and tables have no place in a record",
    "model_type": 'not an object; each line, or each item of a list, is one chunk: {"id": …, "text": …, "title": …}',
    "too_long": f"more than {TAG_SLOTS}, and a store can't be asked for the rest",
    "dict_type": "not an object; write the rule itself, not as a string of JSON",
}
_MOST = 2**53 - 1  # the largest integer that every store and JSON parser can hold
_BETWEEN_ITEMS = re.compile(r"[\s,]*")


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
    category: str = ""
    chunk_type: str | None = None
    tags: list[str] = Field([], max_length=TAG_SLOTS)
    query_must: dict[str, Any] | None = None
    tables: list[_TableRecord] = []


def read_records(path: Path) -> Records:
    """Read a chunk file; `SourceError` names the line of a record that is malformed."""
    warnings: list[str] = []
    chunks = [(place, _chunk(value, place, warnings)) for place, value in _values(path, text_of(path))]
    return Records(tuple(chunks), tuple(warnings))


def holds_chunks(text: str) -> bool:
    """Return whether a JSON file found in a folder begins with a chunk record, or is not JSON."""
    for candidate in (text, text.lstrip().split("\n", 1)[0]):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        first = value[0] if isinstance(value, list) and value else value
        return isinstance(first, dict) and {"id", "text", "title"} <= first.keys()
    return True


def _values(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the values of a chunk file, each with its place."""
    return _listed(path, text) if path.suffix.lower() == ".json" else _lines(path, text)


def _lines(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", _json(line, path, number)


def _listed(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the items of a JSON list with line and number, since several may share a line; or the single record."""
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
    """Parse the JSON of a text that begins on this line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(
            f"not JSON: {error.msg} (column {error.colno})", f"{path}:{line + error.lineno - 1}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"not JSON: {error}", f"{path}:{line}") from error


def _chunk(value: Any, place: str, warnings: list[str]) -> Chunk:
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
        record.id, record.text, record.title, record.source, tuple(record.headings), record.page, record.line,
        record.chunk_type or own, tuple(record.tags), rule, tables, record.category,
    )  # fmt: skip


def _table(record: _TableRecord, place: str) -> Table:
    if any(len(row) != len(record.columns) for row in record.rows):
        raise SourceError("tables: every row needs as many cells as there are columns", place)
    rows = tuple(tuple(row) for row in record.rows)
    return Table(record.caption, tuple(tuple(path) for path in record.columns), rows, tuple(record.notes))
