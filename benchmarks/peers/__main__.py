"""Prepare the book, ask all peers in turn, and print them side by side.

    python -m benchmarks.peers --others .venv-peers/bin/python [--shared ../shared] [--runs 3]

The book is one of a real size (`benchmarks.real_size`): OSRIC, where the folder `shared` has it, which is beside the
repository if it is not given, else a generated one. versus reads it as its users do; the peers get its
chunks and vectors in a plain collection of Chroma with Chroma's own settings. All share one fake model on loopback, in
this process: a question is a plan of four sub-queries, four searches of twelve passages, and an answer. Each run starts
each peer anew; the medians are shown. The installed size is that of the packages that a peer asks for, with all that
these ask for, read from what is installed; the weights of the embedding model are among them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from agent.settings.settings import load
from benchmarks import plain_chroma, real_size
from benchmarks.peers.measure import PEERS
from benchmarks.peers.place import Place
from benchmarks.two_classes import respond
from retrieval.embedding.protocol import bundled_weights, embed_all
from retrieval.ingest.index import embedding_text
from tests.fake_openai import FakeOpenAI
from versus import Embedder, Store, embedder_for, ingest, open_collection

REPOSITORY = Path(__file__).resolve().parents[2]
BOOK = "book"
LATENCY = 0.5
COLUMNS = {
    "rate": ("a second, 200 at once", 1),
    "burst_cpu_ms": ("CPU ms", 0),
    "lag_p99": ("lag p99 ms", 0),
    "ms": ("ms, one", 0),
    "cpu_ms": ("CPU ms, one", 0),
    "ready": ("s to first answer", 1),
    "memory_mb": ("MB", 0),
    "passages": ("passages", 0),
    "installed_mb": ("installed MB", 0),
}

Figures = dict[str, float]


async def prepared(folder: Path, shared: Path) -> Place:
    """Read the book by versus, and put its chunks and vectors into a plain collection; `base_url` comes later."""
    kept = load({"collection": BOOK, "chroma": str(folder / "kept"), "log_dir": str(folder / "logs")})
    with real_size.book(shared) as book:
        await ingest([book], kept)
    embedder = embedder_for(kept.embedding_model)
    store = await open_collection(kept.chroma, BOOK)
    await _copied(store, embedder, folder / "plain")
    await store.close()
    weights = bundled_weights(kept.embedding_model)
    return Place(str(folder / "plain"), str(folder / "kept"), str(folder / "logs"), BOOK, str(weights), "")


async def _copied(store: Store, embedder: Embedder, plain: Path) -> None:
    chunks = [chunk async for chunk in store.scan()]
    vectors = await embed_all(embedder, [embedding_text(chunk) for chunk in chunks])
    plain_chroma.filled(plain, BOOK, [chunk.id for chunk in chunks], vectors, [chunk.text for chunk in chunks])


def figures(python: str, name: str, place: Place, what: str) -> Figures:
    """What a peer did in a process of its own."""
    command = [python, "-m", "benchmarks.peers.measure", name, place.written(), what]
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, check=True, text=True)
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


def compared(place: Place, names: Sequence[str], others: str, runs: int) -> dict[str, Figures]:
    """All peers, run by run in turn, so that what else the machine does meets each of them; the medians."""
    seen: dict[str, list[Figures]] = {name: [] for name in names}
    for _ in range(runs):
        for name in names:
            python = sys.executable if name == "versus" else others
            seen[name].append(_both(python, name, place))
    return {name: {key: median(each[key] for each in all_) for key in COLUMNS} for name, all_ in seen.items()}


def _both(python: str, name: str, place: Place) -> Figures:
    found: Figures = {}
    for what, latency in (("burst", LATENCY), ("one", 0.0)):
        with FakeOpenAI(respond, latency=latency).running() as server:
            at = Place(place.plain, place.kept, place.logs, place.collection, place.model, server.base_url)
            found = {**figures(python, name, at, what), **found}
    return found


def shown(found: dict[str, Figures]) -> Table:
    """The table."""
    table = Table(title="versus and its peers: medians, side by side", title_justify="left")
    table.add_column("who")
    for title, _ in COLUMNS.values():
        table.add_column(title, justify="right")
    for name, its in found.items():
        table.add_row(name, *(f"{its[key]:.{digits}f}" for key, (_, digits) in COLUMNS.items()))
    return table


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description="versus beside its peers.")
    parser.add_argument("--others", required=True, help="the Python that has the peers")
    parser.add_argument("--shared", type=Path, default=real_size.BESIDE, help="the folder with corpora/osric")
    parser.add_argument("--only", nargs="+", choices=PEERS, default=list(PEERS))
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="versus-peers-") as folder:
        place = asyncio.run(prepared(Path(folder), given.shared))
        Console(width=140).print(shown(compared(place, given.only, given.others, max(1, given.runs))))


if __name__ == "__main__":
    main(sys.argv[1:])
