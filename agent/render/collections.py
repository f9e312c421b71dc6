"""Collections, whole chunks and cells as JSON."""

from __future__ import annotations

from agent.reasoning.values.quantities import number_of
from agent.render.data import chunk_data, rule_data
from agent.render.shapes import (
    CellData,
    DescriptionData,
    ListedData,
    ListingData,
    SourceData,
    TableData,
    WholeChunkData,
)
from retrieval.collections.inspection import Description, Listed, Listing, SourceCount
from retrieval.readers.documents.document import line_in
from retrieval.tables.cells import Cell
from retrieval.types import Chunk, Table


def listing_data(listing: Listing) -> ListingData:
    """Return the collections of a store; unknown values are null.

    >>> listing_data(Listing((Listed("rules", "local", 7, "all-MiniLM-L6-v2"),)))["collections"][0]["chunks"]
    7
    """
    return {"collections": [_listed(one) for one in listing.collections], "problem": listing.problem}


def description_data(found: Description) -> DescriptionData:
    """Return the contents of a collection; unknown values are null."""
    return {
        "name": found.name,
        "kind": found.kind,
        "chunks": found.chunks,
        "model": found.model,
        "dimension": found.dimension,
        "chunk_types": found.chunk_types,
        "sources": [_source(one) for one in found.sources],
        "tags": found.tags,
        "rules": found.rules,
        "tables": found.tables,
        "vocabulary": found.vocabulary,
        "revision": found.revision,
        "index": found.index,
        "bytes": found.bytes,
        "problem": found.problem,
    }


def cell_data(cell: Cell) -> CellData:
    """Return a cell with its headers, and the citation that it would have."""
    return {
        "value": cell.text,
        "number": number_of(cell.text, cell.column_label),
        "row_label": cell.row_label,
        "column_path": list(cell.column_path),
        "citation": {
            "n": 1,
            "chunk_id": cell.chunk_id,
            "title": cell.title,
            "source": cell.source,
            "page": cell.page,
            "page_label": cell.page_label or None,
            "box": cell.box,
            "line": line_in(cell.source, cell.line),
            "quote": cell.quote,
            "address": cell.address or None,
            "inferred": cell.is_inferred,
            "cell": {"table": cell.table, "row": cell.row, "column": cell.column},
        },
    }


def whole_chunk_data(chunk: Chunk) -> WholeChunkData:
    """Return a chunk with its tables as data."""
    return {
        **chunk_data(chunk),
        "headings": list(chunk.headings),
        "line": line_in(chunk.source, chunk.line),
        "chunk_type": chunk.chunk_type,
        "tags": list(chunk.tags),
        "query_must": rule_data(chunk.query_must),
        "tables": [_table(table) for table in chunk.tables],
    }


def _table(table: Table) -> TableData:
    return {
        "caption": table.caption,
        "columns": list(map(list, table.columns)),
        "rows": list(map(list, table.rows)),
        "notes": list(table.notes),
    }


def _listed(one: Listed) -> ListedData:
    return {"name": one.name, "kind": one.kind, "chunks": one.chunks, "model": one.model, "problem": one.problem}


def _source(one: SourceCount) -> SourceData:
    return {"source": one.source, "root": one.root, "chunks": one.chunks}
