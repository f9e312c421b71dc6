"""A chunk as flat metadata, and back: vector stores hold only text, numbers and booleans beside a vector.

Structured fields are JSON strings. Tags become `tag_0`, `tag_1`, … so that a store can filter by them (seed document
5). Reading is lenient with foreign collections: `name` counts as `title`, `type` as `chunk_type`, and a malformed rule
keeps its chunk. Oddities are returned, not logged: the caller knows how often they matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import count, takewhile
from typing import Any

from retrieval.errors import RuleError
from retrieval.filters.rule import rule_from_json, rule_to_json
from retrieval.tabular import Box, Boxes, SheetPlace
from retrieval.text.normal import title_key
from retrieval.types import Chunk, QueryMust, Table

Scalar = str | int | float | bool
Where = Mapping[str, Scalar | Sequence[Scalar]]
"""Maps a metadata field to the value it must have, or to values of which it must have one. All fields must match."""

TAG_SLOTS = 8
"""`tags` in a `Where` checks `tag_0` to `tag_7`; a store can't search for a value in an unknown field."""

_OPTIONAL = ("headings", "page", "line", "query_must", "tables", "category", "page_labels", "boxes", "turns")


def encode(chunk: Chunk) -> dict[str, Scalar]:
    """Return the chunk's flat metadata, without its text; absent fields are left out, since `None` is not a valid
    value.

    >>> encode(Chunk("c1", "text", "The Fighter", tags=("class",)))["tag_0"]
    'class'
    """
    flat: dict[str, Scalar | None] = {
        "id": chunk.id,
        "title": chunk.title,
        "title_key": title_key(chunk.title),
        "source": chunk.source,
        "headings": _json(list(chunk.headings)) if chunk.headings else None,
        "page": chunk.page,
        "line": chunk.line,
        "chunk_type": chunk.chunk_type,
        "query_must": _json(rule_to_json(chunk.query_must)) if chunk.query_must is not None else None,
        "tables": _json([_table_to_json(table) for table in chunk.tables]) if chunk.tables else None,
        "category": chunk.own_category or None,
        "page_labels": _json(dict(chunk.page_labels)) if chunk.page_labels else None,
        "boxes": _json(chunk.boxes) if chunk.boxes else None,
        "turns": _json(chunk.turns) if chunk.turns else None,
    }
    flat |= {f"tag_{number}": tag for number, tag in enumerate(chunk.tags)}
    return {name: value for name, value in flat.items() if value is not None}


def encode_afresh(chunk: Chunk) -> dict[str, Scalar | None]:
    """Return the metadata with `None` for every field the chunk lacks.

    A store that merges metadata on rewriting a chunk would otherwise keep its old tags, rule and tables.
    """
    tag_fields = (f"tag_{number}" for number in range(max(TAG_SLOTS, len(chunk.tags) + 1)))
    return dict.fromkeys((*_OPTIONAL, *tag_fields)) | encode(chunk)


def decode(chunk_id: str, text: str | None, flat: Mapping[str, Any] | None) -> tuple[Chunk, tuple[str, ...]]:
    """Return the chunk of this metadata, and messages about whatever was ignored."""
    flat, odd = flat or {}, list[str]()
    chunk = Chunk(
        id=chunk_id,
        text=text or "",
        title=str(flat.get("title") or flat.get("name") or chunk_id),
        source=str(flat.get("source", "")),
        headings=_headings(flat.get("headings")),
        page=_whole(flat.get("page")),
        line=_whole(flat.get("line")),
        chunk_type=str(flat.get("chunk_type") or flat.get("type") or "section"),
        tags=tuple(map(str, takewhile(_present, (flat.get(f"tag_{number}") for number in count())))),
        query_must=_rule(flat.get("query_must"), chunk_id, odd),
        tables=_tables(flat.get("tables"), chunk_id, odd),
        own_category=str(flat.get("category") or ""),
        page_labels=_page_labels(flat.get("page_labels")),
        boxes=_boxes(flat.get("boxes")),
        turns=_turns(flat.get("turns")),
    )
    if len(chunk.tags) > TAG_SLOTS:
        odd.append(f"chunk {chunk_id!r} has {len(chunk.tags)} tags; only the first {TAG_SLOTS} can be asked for")
    return chunk, tuple(odd)


def _page_labels(text: object) -> tuple[tuple[int, str], ...]:
    """Return printed page labels from JSON of a page to its label; empty if malformed."""
    try:
        labels = json.loads(text) if isinstance(text, str) else {}
        return tuple((int(page), str(label)) for page, label in labels.items())
    except (ValueError, AttributeError):
        return ()


def boxes_from_json(items: Iterable[tuple[int, Sequence[float]]]) -> Boxes:
    """Return the boxes of such lists, each with its page; `ValueError` or `TypeError` if malformed."""
    return tuple((int(page), _box(*map(float, edges))) for page, edges in items)


def _box(left: float, top: float, right: float, bottom: float) -> Box:
    return left, top, right, bottom


def _boxes(text: object) -> Boxes:
    """Return boxes from their JSON; empty if malformed."""
    try:
        return boxes_from_json(json.loads(text)) if isinstance(text, str) else ()
    except (ValueError, TypeError):
        return ()


def _turns(text: object) -> tuple[tuple[int, int], ...]:
    """Return the pages that begin inside a chunk from their JSON; empty if malformed."""
    try:
        return tuple((int(left), int(page)) for left, page in json.loads(text)) if isinstance(text, str) else ()
    except (ValueError, TypeError):
        return ()


def matches(flat: Mapping[str, Scalar], where: Where) -> bool:
    """Return True if metadata meets a `Where`, as every store must judge it; `tags` means any tag slot."""
    return all(
        any(flat.get(slot) in wanted for slot in slots(field))
        for field, wanted in ((field, listed(value)) for field, value in where.items())
    )


def slots(field: str) -> tuple[str, ...]:
    """Return the metadata fields that a `Where` field checks for its value."""
    return tuple(f"tag_{number}" for number in range(TAG_SLOTS)) if field == "tags" else (field,)


def listed(value: Scalar | Sequence[Scalar]) -> list[Scalar]:
    """Return the value, or the values, as a list."""
    return [value] if isinstance(value, str | int | float) else list(value)


def _present(value: object) -> bool:
    return value is not None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _table_to_json(table: Table) -> dict[str, Any]:
    columns, rows = [list(path) for path in table.columns], [list(row) for row in table.rows]
    data: dict[str, Any] = {"caption": table.caption, "columns": columns, "rows": rows, "notes": list(table.notes)}
    if table.row_pages:
        data["row_pages"] = list(table.row_pages)
    if table.place:
        data["place"] = asdict(table.place)
    if table.is_inferred:
        data["is_inferred"] = True
    if table.boxes:
        data["boxes"] = table.boxes
    if table.sentences:
        data["sentences"] = list(table.sentences)
    return data


def _rule(value: object, chunk_id: str, odd: list[str]) -> QueryMust | None:
    if value is None or value == "":
        return None
    try:
        return rule_from_json(json.loads(value) if isinstance(value, str) else value, chunk_id)
    except (RuleError, ValueError) as error:
        odd.append(f"chunk {chunk_id!r} is kept for every query, its query_must is malformed: {error}")
        return None


def _tables(value: object, chunk_id: str, odd: list[str]) -> tuple[Table, ...]:
    if not isinstance(value, str) or not value:
        return ()
    try:
        return tuple(table_from_json(item) for item in json.loads(value))
    except (ValueError, TypeError, KeyError) as error:
        odd.append(f"chunk {chunk_id!r} has its text only, its tables are malformed: {error!r}")
        return ()


def table_from_json(item: Mapping[str, Any]) -> Table:
    """Return the table of this JSON; `ValueError`, `TypeError` or `KeyError` if malformed."""
    columns = tuple(tuple(map(str, path)) for path in item["columns"])
    rows = tuple(tuple(map(str, row)) for row in item["rows"])
    if any(len(row) != len(columns) for row in rows):
        raise ValueError("a row has more or fewer cells than there are columns")
    notes, pages = tuple(map(str, item.get("notes", ()))), tuple(map(int, item.get("row_pages", ())))
    place = _sheet_place(item["place"]) if item.get("place") else None
    boxes, is_inferred = boxes_from_json(item.get("boxes", ())), item.get("is_inferred") is True
    sentences = tuple(map(str, item.get("sentences", ())))
    if sentences and len(sentences) != len(rows):
        raise ValueError("there are more or fewer sentences than rows")
    return Table(str(item.get("caption", "")), columns, rows, notes, pages, place, is_inferred, boxes, sentences)


def _sheet_place(item: Mapping[str, Any]) -> SheetPlace:
    return SheetPlace(str(item["sheet"]), tuple(map(int, item["rows"])), tuple(map(str, item["columns"])))


def _headings(value: object) -> tuple[str, ...]:
    if not isinstance(value, str) or not value:
        return ()
    try:
        found = json.loads(value)
    except ValueError:
        return (value,)
    return tuple(map(str, found)) if isinstance(found, list) else (value,)


def _whole(value: object) -> int | None:
    try:
        return int(value) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return None
