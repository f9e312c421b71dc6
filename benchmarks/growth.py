"""What grows with a collection: ingesting it, changing a word in it, opening it, and the first plan.

- *ingest*: microseconds of CPU for each chunk to read, store and index it, in this process and the one that builds.
- *builder*: the most memory that the process that builds took.
- *disk*: vault and index.
- *open, plan, missing*: seconds until an agent is open, has planned its first question, and another one whose name
  nothing has, in a process of its own; another collection was opened and asked before, so that nothing is left to
  import. A name that is missing costs most: more and more of the collection is tried.
- *a word*: seconds of CPU to read a file of 1,000 chunks in which a word has changed, and to bring the collection up to
  date; and how long that takes on the clock.
- *a section*: the same for a section that goes and another that comes.

Chunks are generated, a quarter with a record of labels, and their vectors are made up, so that the model costs nothing.

    python -m benchmarks.growth --sizes 3000 20000 100000
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from math import log
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from agent.settings.settings import load
from retrieval.ingest.read import read_sources
from retrieval.stores.store import Vectors
from versus import Agent, index, open_collection

SIZES = (3_000, 20_000, 100_000)
_DIMENSION = 384
_FILE = 1_000
"""Sections of one file."""
_RECORD = 4
"""Each section of this many has a record."""
_NAME = "growing"


@dataclass(frozen=True, slots=True)
class Cost:
    """What something took of all processors, and on the clock, in seconds."""

    cpu: float
    wall: float


@dataclass(frozen=True, slots=True)
class Grown:
    """What a collection of one size costs; sizes of memory and disk in bytes."""

    chunks: int
    ingest: Cost
    builder: int
    disk: int
    opened: Cost
    planned: Cost
    missing: Cost
    word: Cost
    section: Cost


class MadeUp:
    """An embedder whose vectors cost next to nothing: each text is somewhere around one of 200 topics."""

    name = "all-MiniLM-L6-v2"  # by that name an agent opens what it has filled
    dimension: int | None = _DIMENSION

    def __init__(self) -> None:
        self._topics = _unit(np.random.default_rng(0).standard_normal((200, _DIMENSION), dtype=np.float32))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, always the same for one text."""
        seeds = [int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) for text in texts]
        near = [np.random.default_rng(seed).standard_normal(_DIMENSION, dtype=np.float32) for seed in seeds]
        return _unit(self._topics[[seed % 200 for seed in seeds]] + 0.9 * _unit(np.stack(near)))


def _unit(rows: Vectors) -> Vectors:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def section(number: int) -> str:
    """A section of prose with a few labels, as many books have."""
    random = np.random.default_rng(number)
    words = [
        f"{'bdfgklmnprst'[n % 12]}{'aeiou'[n // 12 % 5]}{'lmnrst'[n // 60 % 6]}{n}" for n in random.zipf(1.3, 60) % 9999
    ]
    name = f"{words[0].capitalize()} {words[1]} {number}"
    labels = f"**Weight** {number % 97} lb.\n\n**Speed** {number % 60} ft." if number % _RECORD == 0 else ""
    return f"## {name}\n\n{' '.join(words)}.\n\n{labels}"


def grown(size: int, folder: Path) -> Grown:
    """Ingest a collection of one size, change it, and open it."""
    files = _written(size, folder)
    ingest = _costing(lambda: _ingest(files, folder))
    builder = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    disk = sum(path.stat().st_size for path in (folder / "chroma").rglob("*") if path.is_file())
    changed = files[len(files) // 2]
    changed.write_text(changed.read_text().replace(".\n\n", " anew.\n\n", 1))
    word = _costing(lambda: _ingest([changed], folder))
    _, _, others = changed.read_text().partition("\n\n## ")
    changed.write_text(f"## {others}\n\n{section(size)}")
    more = _costing(lambda: _ingest([changed], folder))
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:
        costs = apart.submit(_opening, folder, _name(size // 2 + _RECORD), _name(2 * size)).result()
    return Grown(size, ingest, builder, disk, *costs, word, more)


def _name(number: int) -> str:
    return section(number).splitlines()[0].strip("# ")


def _written(size: int, folder: Path) -> list[Path]:
    files = []
    for start in range(0, size, _FILE):
        files.append(folder / f"part-{start}.md")
        files[-1].write_text("\n\n".join(map(section, range(start, min(start + _FILE, size)))))
    return files


async def _ingest(files: Sequence[Path], folder: Path) -> None:
    read = await asyncio.to_thread(read_sources, files)
    embedder = MadeUp()
    store = await open_collection(str(folder / "chroma"), _NAME, create=True, embedder=embedder)
    await index(read.chunks, store, embedder, sources=read.sources)
    await store.close()


def _opening(folder: Path, name: str, missing: str) -> tuple[Cost, Cost, Cost]:
    """The same, in a process whose memory is not full of an ingestion, as that of somebody who asks."""
    return asyncio.run(_opened(folder, name, missing))


async def _opened(folder: Path, name: str, missing: str) -> tuple[Cost, Cost, Cost]:
    """What an agent takes to open the collection, to plan a first question, and one whose name is missing."""
    small = folder / "small"
    small.mkdir()
    await _ingest(_written(50, small), small)
    places = ({"collection": _NAME, "planner": "rules", "chroma": str(each / "chroma")} for each in (small, folder))
    other, own = (load({**place, "log_dir": str(folder / "logs")}) for place in places)
    async with Agent.open(other) as agent:
        await agent.ask("what is this about")
    begun = _now()
    async with Agent.open(own) as agent:
        opened = _now()
        await agent.plan(f"What is the weight of {name}?")
        planned = _now()
        await agent.plan(f"What is the weight of {missing}?")
        return _between(begun, opened), _between(opened, planned), _between(planned, _now())


def _costing(work: Callable[[], Coroutine[Any, Any, None]]) -> Cost:
    begun = _now()
    asyncio.run(work())
    return _between(begun, _now())


def _now() -> Cost:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(time.process_time() + used.ru_utime + used.ru_stime, time.perf_counter())


def _between(begun: Cost, ended: Cost) -> Cost:
    return Cost(ended.cpu - begun.cpu, ended.wall - begun.wall)


def show(console: Console, found: Sequence[Grown]) -> None:
    """Print one row a size, and how straight ingestion grows."""
    table = Table(title="what grows with a collection", title_justify="left")
    columns = (
        "chunks",
        "ingest, CPU",
        "grows as",
        "builder",
        "disk",
        "open, plan, missing CPU",
        "a word CPU (clock)",
        "a section",
    )
    for column in columns:
        table.add_column(column, justify="right")
    for before, each in zip([None, *found], found, strict=False):
        straight = "" if before is None else f"n^{_exponent(before, each):.2f}"
        asked = " + ".join(f"{cost.cpu:.2f}" for cost in (each.opened, each.planned, each.missing))
        table.add_row(
            f"{each.chunks:,}", f"{1e6 * each.ingest.cpu / each.chunks:.0f} µs a chunk", straight,
            f"{each.builder >> 20} MB", f"{each.disk >> 20} MB", f"{asked} s",
            f"{each.word.cpu:.2f} ({each.word.wall:.1f}) s", f"{each.section.cpu:.2f} ({each.section.wall:.1f}) s",
        )  # fmt: skip
    console.print(table)


def _exponent(smaller: Grown, larger: Grown) -> float:
    return log(larger.ingest.cpu / smaller.ingest.cpu) / log(larger.chunks / smaller.chunks)


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description="What grows with a collection.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    found: list[Grown] = []
    console = Console(width=130)
    for size in parser.parse_args().sizes:
        with (
            tempfile.TemporaryDirectory(prefix="versus-growth-") as folder,
            ProcessPoolExecutor(1, get_context("spawn")) as apart,
        ):
            found.append(apart.submit(grown, size, Path(folder)).result())
        console.print(found[-1])
    show(console, found)


if __name__ == "__main__":
    main()
