"""What noise costs, from a thousand chunks to a hundred thousand: five ways to retrieve one sub-query, side by side.

Two of five chunks are look-alikes with a rule, and all of them are nearer to the query than anything else: the attack
matrices of the founding documents, made as bad as they can be. What is wanted lies behind them, in a topic that the
query touches. (Where nothing is near at all, beyond a cosine distance of about 0.75, Chroma's graph finds 75 to 96% of
the nearest of 60,000 chunks; the default thresholds drop those anyway.) Compared are one *plain* query of Chroma
without any filter, the seed's own loop (seed document 1, layer 3: `$nin`, k a round, three rounds), `widen` and
`exclude` on a plain collection with Chroma's default graph, and ours: `directed` on a local one. Each is held against
an exact search: the plain query against the nearest chunks whatever their rules, all others against the nearest that
the query may have. Vectors are made, not embedded: this is retrieval alone.

    python -m benchmarks.scale --sizes 1000 20000 100000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from retrieval.collections import chroma
from retrieval.searching.requery import Strategy
from retrieval.stores.metadata import encode
from retrieval.stores.store import Vectors
from versus import Chunk, Policy, QueryMust, Retriever, Stamp, Store, SubQuery, open_collection, satisfies

DIMENSION = 384
NOISE = 0.4
PATIENCE_MS = 5000.0
"""A way that has taken this long is not run again; the others are run as often as was asked for, after a first time
that does not count.
"""
GRAPH = {"space": "cosine", "batch_size": 2, "sync_threshold": 2}
"""Chroma's default graph, in which nothing is left to do when a call ends."""
PLAIN = "plain query"
QUERY = SubQuery("q1", "what a level 7 cleric needs to hit armor class 6")
POLICY = Policy(max_chunks=12, absolute_min=0.0, relative_threshold=0.0, gap_threshold=2.0, distance_offset=2.0)
SEED = "seed's loop"
CLASSES = ("cleric", "fighter", "thief", "magic-user")


class Fixed:
    """An embedder that gives the one query vector."""

    name = "made-up"

    def __init__(self, vector: Vectors) -> None:
        self._vector = vector
        self.dimension: int | None = DIMENSION

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector] * len(texts))


@dataclass(frozen=True, slots=True)
class Corpus:
    """Chunks with their vectors, the query's vector, and the ids that an exact retrieval keeps, nearest first: without
    any filter `nearest`, and of those that the query may have `exact`.
    """

    chunks: list[Chunk]
    vectors: Vectors
    query: Vectors
    nearest: list[str]
    exact: list[str]


@dataclass(frozen=True, slots=True)
class Measured:
    """One way at one size: median milliseconds, and how many it found of the chunks that an exact search finds."""

    ms: float
    found: int


def make(size: int) -> Corpus:
    """Make a corpus of `size` chunks, the look-alikes close around the query, the others in 200 topics around."""
    random = np.random.default_rng(size)
    noisy = int(size * NOISE)
    topics = _unit(random.normal(size=(200, DIMENSION)))
    query = _unit(topics[:1] + _unit(random.normal(size=(1, DIMENSION))))
    others = _unit(
        topics[random.integers(0, 200, size - noisy)] + 0.9 * _unit(random.normal(size=(size - noisy, DIMENSION)))
    )
    alike = _unit(query + 0.5 * _unit(random.normal(size=(noisy, DIMENSION))))
    chunks = [_plain(number) for number in range(size - noisy)] + [_alike(number) for number in range(noisy)]
    vectors = np.asarray(np.vstack([others, alike]), dtype=np.float32)
    distances = 1 - (vectors.astype(np.float64) * query).sum(axis=1)
    order = [chunks[row] for row in sorted(range(size), key=lambda row: (distances[row], chunks[row].id))]
    eligible = (chunk.id for chunk in order if satisfies(QUERY.text, chunk.query_must))
    nearest, exact = [chunk.id for chunk in order[: POLICY.max_chunks]], list(islice(eligible, POLICY.max_chunks))
    return Corpus(chunks, vectors, np.asarray(query[0], dtype=np.float32), nearest, exact)


def _plain(number: int) -> Chunk:
    return Chunk(
        f"p{number:06}", f"Rule {number}. " + "Something about the game and how it is played. " * 6, f"Rule {number}"
    )


def _alike(number: int) -> Chunk:
    """A row of an attack matrix: 4 classes, 21 armor classes, and many books that all have them."""
    who, armor, book = CLASSES[number % 4], number // 4 % 21 - 10, number // 84
    rule = QueryMust(
        ((who, f"{who}s"), (f"armor class {armor}", f"ac {armor}"), *(((f"book {book}",),) if book else ()))
    )
    title = f"Attack matrix for {who}s, armor class {armor}, book {book}"
    return Chunk(f"r{number:06}", f"{title}. " + "1-3: 14, 4-6: 12, 7-9: 10, 10-12: 8. " * 8, title, query_must=rule)


def _unit(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


async def measure(size: int, folder: Path, runs: int) -> dict[str, Measured]:
    """Fill a plain and a local collection with the same corpus, and retrieve in every way."""
    corpus, location = make(size), str(folder / str(size))
    embedder = Fixed(corpus.query)
    client = chroma.connect.embedded_client(Path(location), create=True)
    assert client is not None
    raw = filled(client, corpus)
    kept = await open_collection(location, "kept", create=True, embedder=embedder)
    await kept.upsert(corpus.chunks, corpus.vectors, [Stamp("h")] * size)
    async with await chroma.open_collection(location, "plain") as plain:
        ways: dict[str, Callable[[], Awaitable[list[str]]]] = {
            PLAIN: partial(_in_thread, partial(plain_query, raw, corpus.query)),
            SEED: partial(_in_thread, partial(seed_loop, raw, corpus.query)),
            "exclude": partial(_ours, plain, embedder, "exclude", 6),
            "widen": partial(_ours, plain, embedder, "widen", 6),
            "directed": partial(_ours, kept, embedder, None, 6),
        }
        exact = {name: corpus.nearest if name == PLAIN else corpus.exact for name in ways}
        measured = {name: await _timed(way, runs, exact[name]) for name, way in ways.items()}
    await kept.close()
    chroma.connect.close_client(client)
    return measured


def filled(client: Any, corpus: Corpus) -> Any:
    """A plain collection of a corpus, written in calls as large as Chroma takes them."""
    raw = client.create_collection("plain", configuration={"hnsw": GRAPH}, embedding_function=None)
    most = client.get_max_batch_size()
    for start in range(0, len(corpus.chunks), most):
        some = corpus.chunks[start : start + most]
        raw.add(
            ids=[chunk.id for chunk in some],
            embeddings=corpus.vectors[start : start + most],
            documents=[chunk.text for chunk in some],
            metadatas=[encode(chunk) for chunk in some],
        )
    return raw


def plain_query(collection: Any, vector: Vectors, k: int = POLICY.max_chunks) -> list[str]:
    """One query of Chroma, no filter at all."""
    return list(_asked(collection, vector, k, None)["ids"][0])


def seed_loop(collection: Any, vector: Vectors, k: int = POLICY.max_chunks, max_iterations: int = 3) -> list[str]:
    """The founding document's own iteration: exclude what failed by `$nin`, ask for k again, at most three times."""
    excluded: set[str] = set()
    kept: dict[str, float] = {}
    for _ in range(max_iterations):
        found = _asked(collection, vector, k, {"id": {"$nin": sorted(excluded)}} if excluded else None)
        failed = set()
        for id_, flat, distance in zip(found["ids"][0], found["metadatas"][0], found["distances"][0], strict=True):
            if satisfies(QUERY.text, json.loads(flat["query_must"]) if "query_must" in flat else None):
                kept[id_] = distance
            else:
                failed.add(id_)
        if len(kept) >= k or not failed:
            break
        excluded |= failed
    return sorted(kept, key=lambda id_: (kept[id_], id_))[:k]


def _asked(collection: Any, vector: Vectors, k: int, where: dict[str, Any] | None) -> dict[str, Any]:
    found: dict[str, Any] = collection.query(
        query_embeddings=[vector], n_results=k, where=where, include=["metadatas", "documents", "distances"]
    )
    return found


async def _in_thread(way: Callable[[], list[str]]) -> list[str]:
    return await asyncio.to_thread(way)


async def _ours(store: Store, embedder: Fixed, strategy: Strategy | None, max_rounds: int) -> list[str]:
    retriever = Retriever(store, embedder, POLICY, strategy=strategy)
    return [hit.chunk.id for hit in (await retriever.retrieve(QUERY)).hits]


async def _timed(way: Callable[[], Awaitable[list[str]]], runs: int, exact: list[str]) -> Measured:
    found, first = await _clocked(way)
    times = [first] if first >= PATIENCE_MS else list[float]()
    while not times or (len(times) < runs and sum(times) < PATIENCE_MS):
        found, taken = await _clocked(way)
        times.append(taken)
    return Measured(median(times), len(set(found) & set(exact)))


async def _clocked(way: Callable[[], Awaitable[list[str]]]) -> tuple[list[str], float]:
    started = time.perf_counter()
    found = await way()
    return found, (time.perf_counter() - started) * 1000


def show(console: Console, results: dict[int, dict[str, Measured]]) -> None:
    """Print milliseconds, how many of the chunks of an exact search came, and the two ratios that matter."""
    table = Table(
        title=f"one sub-query, {NOISE:.0%} look-alikes: ms (found of the {POLICY.max_chunks} of an exact search)",
        title_justify="left",
    )
    for column in ("chunks", *next(iter(results.values())), "directed / plain", f"{SEED} / directed"):
        table.add_column(column, justify="right")
    for size, ways in results.items():
        cells = [f"{m.ms:.1f} ({m.found})" for m in ways.values()]
        ours = ways["directed"].ms
        table.add_row(f"{size:,}", *cells, f"{ours / ways[PLAIN].ms:.2f}", f"{ways[SEED].ms / ours:.0f}")
    console.print(table)


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scale", description="Five ways to retrieve, side by side."
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 20_000, 100_000])
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="versus-scale-") as folder:
        results = {size: asyncio.run(measure(size, Path(folder), arguments.runs)) for size in arguments.sizes}
    show(Console(width=130), results)


if __name__ == "__main__":
    main()
