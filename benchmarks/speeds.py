"""What versus adds to the time of its parts: each measure beside the plain thing that it is built on, in one run.

- *search*: a question that is not split, beside one plain query with its embedding, of Chroma with its own graph and
  settings (`benchmarks.plain_chroma`); once more for those that need no second look, which is another search.
- *ask*: a question with its answer by rules, beside the same plain query.
- *ingest*: the CPU time of `versus ingest`, beside that of embedding the same chunks alone; each in a process of its
  own, with its threads, its imports and the processes that it starts.
- *open*: the seconds until an agent is open, in a process that has opened another collection before, so that nothing
  is left to import. The index is checked and its catalog read; the model is read meanwhile, and only the first
  question waits for it.
- *families*: microseconds of CPU per table to find the look-alikes among 2,500 to 10,000 tables of one form, none of
  which is like another: each is compared with as many as any ever is.

Plain and ours take turns, question by question, and each text is embedded anew for both. Times are medians.

    python -m benchmarks.speeds                                    # over ../shared, or the sample where it is not
    python -m benchmarks.speeds ../shared --only search ask        # over the books of a folder
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from math import nan
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, Generic, TypeVar

from rich import table as rich_table
from rich.console import Console

from agent.cli.demo import sample
from agent.questions import built_in
from agent.settings.settings import load
from benchmarks import plain_chroma, real_size
from retrieval.embedding.protocol import embed_all
from retrieval.ingest.families import Captioned, find_families
from retrieval.ingest.index import embedding_text
from retrieval.ingest.read import read_sources
from versus import (
    Agent,
    Embedder,
    Evidence,
    Settings,
    Table,
    embedder_for,
    ingest,
    open_collection,
)

T = TypeVar("T")
PARTS = ("search", "ask", "ingest", "open", "families")
BOOKS = {
    "osric": ("osric-duels", "osric-lookups"),
    "srd51": ("srd51",),
    "ec2": ("ec2",),
    "wiki2": ("wiki2-retrieval",),
}
SAMPLE = "sample"
INGESTED = ("srd51", SAMPLE)
TABLES = (2_500, 5_000, 10_000)
GOALS = {"search": 2.0, "ask": 10.0, "ingest": 1.3}
MOST_SECONDS = 0.5
PASSAGES = 120
"""Passages whose beginnings are searched for, beside the questions: those with the lowest hashes of their titles."""
_PROSE = 40
"""The words that a line of prose has at least."""
_WORDS = 12


@dataclass(frozen=True, slots=True)
class Book:
    """A collection to measure: what it is read from, and the questions that it is asked."""

    name: str
    path: Path
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Speed:
    """One row of the result; the ratio is that of ours to plain, and the goal its limit."""

    measure: str
    plain: str
    ours: str
    ratio: float
    goal: float | None


@dataclass(frozen=True, slots=True)
class Turn(Generic[T]):
    """Milliseconds of a plain query and of our way with one text, and what our way found."""

    plain: float
    ours: float
    found: T


@dataclass(frozen=True, slots=True)
class Plain:
    """One-shot retrieval as anybody would write it: embed the question, ask the store."""

    embedder: Embedder
    collection: Any
    limit: int

    @classmethod
    async def of(cls, settings: Settings, folder: Path) -> Plain:
        """One of the passages of a collection, with their vectors, as Chroma has them by itself."""
        embedder, name = embedder_for(settings.embedding_model), settings.only_collection()
        store = await open_collection(settings.chroma_location(), name)
        chunks = [chunk async for chunk in store.scan()]
        await store.close()
        vectors = await embed_all(embedder, [embedding_text(chunk) for chunk in chunks])
        ids, texts = [chunk.id for chunk in chunks], [chunk.text for chunk in chunks]
        collection = plain_chroma.filled(folder, name, ids, vectors, texts)
        return cls(embedder, collection, settings.policy().max_chunks)

    async def query(self, question: str) -> None:
        """Embed, and ask in a thread, as a peer does."""
        (vector,) = await self.embedder.embed([question])
        await asyncio.to_thread(plain_chroma.nearest, self.collection, vector, self.limit)


@contextmanager
def books(shared: Path | None) -> Iterator[list[Book]]:
    """The books of a folder, or the sample."""
    if shared is not None:
        yield [_book(shared, name, files) for name, files in BOOKS.items()]
        return
    with sample() as path:
        yield [Book(SAMPLE, path, built_in())]


def _book(shared: Path, name: str, files: Sequence[str]) -> Book:
    folder = shared / "corpora" / name
    chunks = folder / "chunks.jsonl"
    paths = (shared / "questions" / f"{file}.jsonl" for file in files)
    asked = [json.loads(line)["question"] for path in paths for line in path.read_text("utf-8").splitlines()]
    return Book(name, chunks if chunks.is_file() else folder, tuple(asked))


def settings_of(name: str, folder: Path) -> Settings:
    """Settings for a book that is kept in `folder`."""
    places = {"chroma": str(folder / "chroma"), "log_dir": str(folder / "logs")}
    return load({"collection": name, "planner": "rules", "deadline": 600, **places})


async def searched(book: Book, folder: Path) -> list[Speed]:
    """Questions that are not split, each searched and asked plainly: all of them, and those without a second look.

    Which these are is told by what was found: to plan them before would leave their words in the caches.
    """
    async with Agent.open(settings_of(book.name, folder)) as agent:
        texts = [*book.questions, *await _beginnings(agent)]
    turns = await _beside_plain(book, folder, texts, lambda agent: agent.search)
    whole = [turn for turn in turns if _planned(turn.found) == 1]
    once = [turn for turn in whole if len(turn.found.retrieved) == 1]
    named = f"search, {book.name}"
    return [_compared(f"{named}, not split", whole, "search"), _compared(f"{named}, no second look", once, "search")]


def _planned(found: Evidence) -> int:
    return len(found.plan.sub_queries) if found.plan else 0


async def asked(book: Book, folder: Path) -> list[Speed]:
    """Every question, answered and asked plainly."""
    return [_compared(f"ask, {book.name}", await _beside_plain(book, folder, book.questions, lambda a: a.ask), "ask")]


def _compared(named: str, turns: Sequence[Turn[T]], part: str) -> Speed:
    plain = median(turn.plain for turn in turns) if turns else nan
    ours = median(turn.ours for turn in turns) if turns else nan
    return Speed(f"{named} ({len(turns)})", f"{plain:.1f} ms", f"{ours:.1f} ms", ours / plain, GOALS[part])


async def _beginnings(agent: Agent) -> list[str]:
    """The first words of lines of prose: one of each title, and always the same titles, however they were read."""
    prose = [(chunk.title, line) async for chunk in agent.chunks() if (line := _prose(chunk.text))]
    lines = dict(sorted(prose))
    return [" ".join(lines[title].split()[:_WORDS]) for title in sorted(lines, key=_seed)[:PASSAGES]]


def _prose(text: str) -> str | None:
    """The first line of a text that is prose: it begins with a letter, ends with a full stop, and is long."""
    lines = (line.strip() for line in text.splitlines())
    prose = (line for line in lines if line[:1].isalpha() and line.endswith(".") and "|" not in line)
    return next((line for line in prose if len(line.split()) >= _PROSE), None)


async def _beside_plain(
    book: Book, folder: Path, texts: Sequence[str], way: Callable[[Agent], Callable[[str], Awaitable[T]]]
) -> list[Turn[T]]:
    """A plain query and our way take turns; who is first in one turn is second in the next."""
    settings = settings_of(book.name, folder)
    with tempfile.TemporaryDirectory(prefix="versus-plain-") as kept:
        plain = await Plain.of(settings, Path(kept))
        return await _by_turns(plain, settings, texts, way)


async def _by_turns(
    plain: Plain, settings: Settings, texts: Sequence[str], way: Callable[[Agent], Callable[[str], Awaitable[T]]]
) -> list[Turn[T]]:
    async with Agent.open(settings) as agent:
        ours = way(agent)
        await plain.query("what is this about")  # loads the model
        await ours("what is this about")
        return [await _turn(plain, ours, text, plain_first=number % 2 == 0) for number, text in enumerate(texts)]


async def _turn(plain: Plain, ours: Callable[[str], Awaitable[T]], text: str, *, plain_first: bool) -> Turn[T]:
    plain_ms = await _plain_ms(plain, text) if plain_first else 0.0
    started = time.perf_counter()
    found = await ours(text)
    our_ms = 1000 * (time.perf_counter() - started)
    return Turn(plain_ms or await _plain_ms(plain, text), our_ms, found)


async def _plain_ms(plain: Plain, text: str) -> float:
    started = time.perf_counter()
    await plain.query(text)
    return 1000 * (time.perf_counter() - started)


def ingested(book: Book, folder: Path) -> Speed:
    """The CPU time of an ingestion, and of embedding its chunks."""
    texts = folder / "texts.json"
    texts.write_text(json.dumps([embedding_text(chunk) for chunk in read_sources([book.path]).chunks]))
    place = ["--chroma", str(folder / "again"), "--log-dir", str(folder / "logs"), "--collection", book.name]
    plain = _cpu_seconds(["-m", "benchmarks.speeds", "--embed", str(texts)])
    ours = _cpu_seconds(["-m", "agent.cli.app", "ingest", str(book.path), *place])
    return Speed(f"ingest, {book.name}, CPU", f"{plain:.1f} s", f"{ours:.1f} s", ours / plain, GOALS["ingest"])


def _cpu_seconds(arguments: Sequence[str]) -> float:
    """What a process and those that it starts take of all processors."""
    before = _spent()
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    subprocess.run(
        [sys.executable, *arguments], cwd=Path(__file__).parents[1], env=environment, check=True, capture_output=True
    )
    return _spent() - before


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def opened(book: Book, folder: Path, other: str, runs: int = 5) -> Speed:
    """The seconds until an agent is open, each in a process of its own."""
    seconds = []
    command = [sys.executable, "-m", "benchmarks.speeds", "--open", str(folder), other, book.name]
    for _ in range(runs):
        done = subprocess.run(command, cwd=Path(__file__).parents[1], check=True, capture_output=True, text=True)
        seconds.append(float(done.stdout))
    ours = median(seconds)
    return Speed(f"open, {book.name}", f"{MOST_SECONDS} s", f"{ours:.2f} s", ours / MOST_SECONDS, 1.0)


async def _open(folder: Path, other: str, name: str) -> None:
    """Open one collection for the imports, then the one that is meant, and print the seconds."""
    async with Agent.open(settings_of(other, folder)) as agent:
        await agent.ask("what is this about")
    started = time.perf_counter()
    async with Agent.open(settings_of(name, folder)):
        print(time.perf_counter() - started)  # noqa: T201 - for the process that started this one


async def _embed(texts: Sequence[str]) -> None:
    await embed_all(embedder_for(), texts)


def _seed(text: str) -> int:
    """A number that is always the same for one text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def grouped() -> list[Speed]:
    """CPU time per table, of more and more tables."""
    found = [_per_table(size) for size in TABLES]
    return [
        Speed(f"families, {size:,} tables, CPU a table", f"{found[0]:.0f} µs", f"{each:.0f} µs", each / found[0], 1.5)
        for size, each in zip(TABLES, found, strict=True)
    ]


def _per_table(size: int) -> float:
    columns, rows = (("Level",), ("Death",), ("Wands",)), (("1", "14", "15"), ("2", "13", "14"))
    names = [f"Kin{number}ship" for number in range(size)]
    tables = [Captioned(Table(name, columns, rows), (name,)) for name in names]
    before = time.process_time()
    find_families(tables)
    return 1e6 * (time.process_time() - before) / size


def show(console: Console, speeds: Sequence[Speed]) -> None:
    """Print one table."""
    table = rich_table.Table(title="plain and ours, side by side", title_justify="left")
    for column in ("measure", "plain", "ours", "ratio", "goal"):
        table.add_column(column, justify="left" if column == "measure" else "right")
    for speed in speeds:
        goal = "" if speed.goal is None else f"<= {speed.goal:g}"
        table.add_row(speed.measure, speed.plain, speed.ours, f"{speed.ratio:.2f}", goal)
    console.print(table)


def measure(found: Sequence[Book], only: Sequence[str], folder: Path) -> list[Speed]:
    """The parts that were asked for; each of a book in a process of its own, so that none finds another's caches."""
    speeds: list[Speed] = []
    if {"search", "ask", "open"} & set(only):
        for book in found:
            asyncio.run(ingest([book.path], settings_of(book.name, folder)))
    for part in ("search", "ask"):
        for book in found if part in only else ():
            with ProcessPoolExecutor(1, get_context("spawn")) as apart:
                speeds += apart.submit(_part, part, book, folder).result()
    speeds += [ingested(book, folder) for book in found if "ingest" in only and book.name in INGESTED]
    speeds += [opened(book, folder, found[0].name) for book in found if "open" in only]
    return [*speeds, *(grouped() if "families" in only else ())]


def _part(part: str, book: Book, folder: Path) -> list[Speed]:
    return asyncio.run(searched(book, folder) if part == "search" else asked(book, folder))


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speeds", description="What versus adds to its parts.")
    beside = real_size.BESIDE if real_size.osric_in(real_size.BESIDE) else None
    parser.add_argument(
        "shared",
        type=Path,
        nargs="?",
        default=beside,
        help="a folder with corpora and questions",
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--kept", type=Path, help="a folder in which the collections are kept for the next run")
    parser.add_argument("--embed", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--open", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.embed:
        asyncio.run(_embed(json.loads(given.embed.read_text())))
    elif given.open:
        asyncio.run(_open(Path(given.open[0]), *given.open[1:]))
    else:
        with tempfile.TemporaryDirectory(prefix="versus-speeds-") as folder, books(given.shared) as found:
            speeds = measure(found, given.only, given.kept or Path(folder))
        show(Console(width=118), speeds)


if __name__ == "__main__":
    main()
