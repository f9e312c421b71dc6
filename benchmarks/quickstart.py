"""How long a cold question takes beside the import it avoids, and bulk embedding beside sentence-transformers.

Both sides of each comparison take turns in one run, so that a busy machine is unfair to neither.

    python -m benchmarks.quickstart --runs 5
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from agent.cli.demo import sample
from agent.questions import classic
from agent.settings.settings import load
from retrieval.embedding.protocol import embed_all
from retrieval.ingest.index import embedding_text
from retrieval.ingest.read import read_sources
from versus import Embedder, SentenceTransformerEmbedder, embedder_for, ingest

ASK, IMPORT = "versus ask", "import sentence_transformers"
QUICK = "versus ingestion"
BATCH_SIZES = (8, 16, 32, 64)
"""Batch sizes of sentence-transformers; the best one is the opponent. Larger ones are slower on a processor."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The seconds of each contestant, a run each."""

    seconds: Mapping[str, Sequence[float]]

    def ratio(self, name: str, other: str, of: Callable[[Sequence[float]], float] = median) -> float:
        """How many times as long `name` takes as `other`.

        >>> Turns({"a": [1.0, 2.0, 9.0], "b": [4.0, 4.0, 4.0]}).ratio("a", "b")
        0.5
        """
        return of(self.seconds[name]) / of(self.seconds[other])


def cold_start(folder: Path, runs: int) -> Turns:
    """Time a first question, on a collection made before, and the import, in processes of their own."""
    place = ["--chroma", str(folder / "chroma"), "--collection", "benchmark"]
    asyncio.run(_read_sample(folder))
    commands = {
        ASK: ["-m", "agent.cli.app", "ask", "--planner", "rules", *place, classic()[0]],
        IMPORT: ["-c", "import sentence_transformers"],
    }
    return _turns({name: partial(_process, command, folder) for name, command in commands.items()}, runs)


def bulk(texts: Sequence[str], runs: int) -> tuple[Turns, float]:
    """Time the embedding of all texts on both roads; the second value is the least cosine between their vectors."""
    found: dict[str, NDArray[np.float32]] = {}

    def embed(name: str, embedder: Embedder) -> None:
        found[name] = asyncio.run(embed_all(embedder, texts))

    def encode(name: str, embedder: SentenceTransformerEmbedder) -> None:
        found[name] = asyncio.run(embedder.embed(texts))

    quick = embedder_for()
    contestants: dict[str, Callable[[], None]] = {QUICK: partial(embed, QUICK, quick)}
    asyncio.run(quick.embed(["warm"]))
    for size in BATCH_SIZES:
        reference = SentenceTransformerEmbedder(batch_size=size, device="cpu")
        asyncio.run(reference.embed(["warm"]))
        contestants[_sized(size)] = partial(encode, _sized(size), reference)
    turns = _turns(contestants, runs)
    return turns, float(np.min(np.sum(found[QUICK] * found[_sized(BATCH_SIZES[0])], axis=1)))


def show(console: Console, cold: Turns, filled: Turns, least_cosine: float, chunks: int) -> None:
    """Print both comparisons."""
    table = Table(title="seconds", title_justify="left")
    for column in ("what", "best", "median"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, seconds in {**cold.seconds, **filled.seconds}.items():
        table.add_row(name, f"{min(seconds):.2f}", f"{median(seconds):.2f}")
    console.print(table)
    console.print(
        f"{ASK} / {IMPORT}: {cold.ratio(ASK, IMPORT):.2f} (median), {cold.ratio(ASK, IMPORT, min):.2f} (best)"
    )
    best = min(map(_sized, BATCH_SIZES), key=lambda name: min(filled.seconds[name]))
    rate = chunks / min(filled.seconds[QUICK])
    times = (1 / filled.ratio(QUICK, best), 1 / filled.ratio(QUICK, best, min))
    console.print(f"{QUICK}: {rate:.0f} chunks a second, {times[0]:.2f} (median), {times[1]:.2f} (best) times {best}")
    console.print(f"least cosine between the two: {least_cosine:.7f}")


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quickstart", description="Cold start, bulk embedding.")
    parser.add_argument("--runs", type=int, default=5, help="turns of each contestant (default: 5)")
    parser.add_argument("--chunks", type=int, default=400, help="chunks of the sample that are embedded (default: 400)")
    given = parser.parse_args(arguments)
    runs, console = max(1, given.runs), Console(width=118)
    with tempfile.TemporaryDirectory(prefix="versus-bench-") as folder:
        cold = cold_start(Path(folder), runs)
    texts = _texts(given.chunks)
    show(console, cold, *bulk(texts, runs), len(texts))


def _turns(contestants: Mapping[str, Callable[[], None]], runs: int) -> Turns:
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(runs):
        for name, run in contestants.items():
            started = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - started)
    return Turns(seconds)


def _process(arguments: Sequence[str], folder: Path) -> None:
    # Exit code 3 is an answer in part, which took its time all the same.
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, env=_environment(folder))
    if ran.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(command)} failed: {ran.stderr.decode()[-2000:]}")


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "VERSUS_LOG_DIR": str(folder / "logs"), "HF_HUB_OFFLINE": "1"}


async def _read_sample(folder: Path) -> None:
    settings = load({"collection": "benchmark", "chroma": str(folder / "chroma"), "log_dir": str(folder / "logs")})
    with sample() as book:
        await ingest([book], settings)


def _texts(most: int) -> list[str]:
    """Chunks of the sample in a random order, always the same."""
    with sample() as book:
        texts = [embedding_text(chunk) for chunk in read_sources([book]).chunks]
    order = np.random.default_rng(0).permutation(len(texts))
    return [texts[index] for index in order[:most]]


def _sized(size: int) -> str:
    return f"SentenceTransformer.encode, batches of {size}"


if __name__ == "__main__":
    main(sys.argv[1:])
