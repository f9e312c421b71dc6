"""The one approximation there is, and its bound: how many of the truly nearest chunks HNSW finds among near duplicates.

Rulebooks are the hard case. Dozens of tables that differ in a few words lie so close together that a graph has no path
which leads nearer. So here are families of 200 near duplicates, as a big rulebook has them, and of 1,000, which is as
bad as it can be; and queries that lie among their members, or that look at a family from outside.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.collections.chroma import open_collection
from retrieval.collections.local.build import build
from retrieval.collections.local.store import open_local
from retrieval.stores.store import Stamp, Store
from retrieval.types import Chunk
from tests.retrieval.doubles import RandomVectors

DIMENSION, SIZE, QUERIES = 64, 8000, 50
FAMILIES = [200] * 20 + [1000] * 4
AMONG, OUTSIDE = 0.05, 0.3
"""How far a query is off the centre of its family, in each dimension; the members are up to 0.03."""


BOUNDS = {(200, AMONG): 0.99, (200, OUTSIDE): 0.9, (1000, AMONG): 0.98, (1000, OUTSIDE): 0.8}
"""The least mean recall, by the size of the family and how far off the query is.

Measured, the worst of eight runs of either store at 12 and at 96 neighbours: 1.00, 0.945, 0.993, 0.854. Chroma builds
its graph in several threads, so no two are the same; in most, one outside query in fifty misses its family altogether.
"""


def near_duplicates() -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Unit vectors, shape (SIZE, DIMENSION), and the centres of their families."""
    random = np.random.default_rng(3)
    centres = unit(random.normal(size=(len(FAMILIES), DIMENSION)))
    spread = random.uniform(0.005, 0.03, size=(SIZE, 1))
    rows = np.repeat(centres, FAMILIES, axis=0) + spread * random.normal(size=(SIZE, DIMENSION))
    return unit(rows)[random.permutation(SIZE)].astype(np.float32), centres


def queries_near(size: int, off: float, centres: NDArray[np.float64]) -> NDArray[np.float32]:
    """Unit vectors that are off the centres of the families of this size, shape (QUERIES, DIMENSION)."""
    random = np.random.default_rng(4)
    chosen = random.choice([n for n, members in enumerate(FAMILIES) if members == size], QUERIES)
    return unit(centres[chosen] + off * random.normal(size=(QUERIES, DIMENSION))).astype(np.float32)


def unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


@pytest.fixture(scope="module", params=["plain", "local"])
async def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    folder: Path = tmp_path_factory.mktemp("recall")
    if request.param == "local":
        opened: Store = await open_local(folder / "rules", model="any", build=lambda f: asyncio.to_thread(build, f))
    else:
        opened = await open_collection(str(folder), "rules", create=True, embedder=RandomVectors(DIMENSION))
    chunks = [Chunk(f"c{n}", f"text {n}", f"T{n}") for n in range(SIZE)]
    await opened.upsert(chunks, near_duplicates()[0], [Stamp(chunk.id) for chunk in chunks])
    yield opened
    await opened.close()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "off"), BOUNDS, ids=str)
@pytest.mark.parametrize("depth", [12, 96])
async def test_recall_among_near_duplicates_keeps_its_bound(store: Store, depth: int, size: int, off: float) -> None:
    rows, centres = near_duplicates()
    recalls = []
    for query in queries_near(size, off, centres):
        nearest = np.argsort(1 - rows.astype(np.float64) @ query.astype(np.float64))[:depth]
        found = {chunk.id for chunk, _ in await store.query(query, depth)}
        recalls.append(len(found & {f"c{n}" for n in nearest}) / depth)

    assert BOUNDS[size, off] <= np.mean(recalls)
