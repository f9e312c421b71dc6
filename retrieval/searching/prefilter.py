"""Choose the conditions that the store filters by; the screens check the others (seed document 5).

A store's own filter has a cost: embedded Chroma reads the metadata of every chunk for it, while a plain query takes the
same few milliseconds for any size. Fetching more neighbors and screening them is cheaper unless the condition is rare.
The screens check the whole condition anyway, so the choice never changes the result.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.catalogs.catalog import Catalog
from retrieval.stores.metadata import Scalar, Where
from retrieval.types import SubQuery

SCAN_MS = 0.0032
"""The cost of embedded Chroma's filter for each chunk: 95 ms at 20,000, 316 at 100,000 (benchmarks.scale)."""
NEIGHBOUR_MS = 0.04
"""The cost of one more neighbor: 768 take 30 ms longer than 24 (benchmarks.scale)."""


def native_filter(sub_query: SubQuery) -> Where | None:
    """Return the conditions that the store itself can filter by: the chunk types, and the first tag.

    The document's own form asks for the first chunk type only, and for the first tag in the first slot only; that loses
    the chunks of other types, and those with tags in another order. The screens check the rest.

    >>> native_filter(SubQuery("q1", "…", chunk_types=("row", "table"), tags=("combat", "fighter")))
    {'chunk_type': ['row', 'table'], 'tags': 'combat'}
    """
    where: dict[str, Scalar | Sequence[Scalar]] = {}
    if sub_query.chunk_types:
        where["chunk_type"] = list(sub_query.chunk_types)
    if sub_query.tags:
        where["tags"] = sub_query.tags[0]
    return where or None


def selectivity(sub_query: SubQuery, catalog: Catalog) -> float:
    """Estimate the share of chunks with the wanted types and tags, assuming independence.

    >>> selectivity(SubQuery("q1", "…", chunk_types=("row",)), Catalog(chunks=100, chunk_types={"row": 25}))
    0.25
    """
    total = max(1, catalog.chunks)
    types = sum(catalog.chunk_types.get(name, 0) for name in set(sub_query.chunk_types))
    part = types / total if sub_query.chunk_types else 1.0
    for tag in sub_query.tags:
        part *= catalog.tags.get(tag, 0) / total
    return part


def is_native_filter_cheaper(sub_query: SubQuery, catalog: Catalog, wanted: int) -> bool:
    """Return True if the store's own filter is likely cheaper than screening enough neighbors for `wanted`."""
    needed = min(catalog.chunks, wanted / max(selectivity(sub_query, catalog), 1e-9))
    return break_even_neighbors(catalog) < needed


def break_even_neighbors(catalog: Catalog) -> int:
    """Return how many neighbors cost as much as the store's own filter.

    >>> break_even_neighbors(Catalog(chunks=20_000))
    1600
    """
    return round(catalog.chunks * SCAN_MS / NEIGHBOUR_MS)
