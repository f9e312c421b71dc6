"""Nothing is ever lost: real ingestions, killed at seeded random moments, and what is left of the collection each time.

A child process brings a local collection up to date and is ended with SIGKILL, which nobody can catch. Then the
collection must open, and answer either as before or as after, nothing in between; a second ingestion must complete,
leave nothing lying about, and answer as after. The moments are spread evenly over the duration of a full run, and then
shaken. Three stories are told by turns: an update, the first ingestion ever, and a plain Chroma collection taken over.

    python -m benchmarks.durability --runs 30
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from rich.console import Console
from rich.table import Table

from retrieval.collections import chroma
from retrieval.collections.local.layout import VAULT, free_writer_lock, has_vault, in_force, leftovers
from retrieval.collections.local.store import Build, open_local
from retrieval.collections.local.vault import Vault
from retrieval.stores.store import Vectors
from versus import Chunk, CollectionNotFound, QueryMust, Stamp, Store, StoreError, index, open_collection

Story = Literal["update", "first", "taken over"]
STORIES: tuple[Story, ...] = ("update", "first", "taken over")
NAME = "rules"
SIZE = 600
DIMENSION = 96
QUESTIONS = ("armor class 3 of a fighter", "the owl number 17", "changed in edition two", "a bear in the woods")
Answers = tuple[int, tuple[tuple[tuple[str, float], ...], ...]]
"""How many chunks, and for each question the nearest ids with their distances."""
EMPTY: Answers = (0, ((),) * len(QUESTIONS))


class SeededVectors:
    """A deterministic embedder that costs nothing: a random vector for each text, so that no two are equally near."""

    name = "seeded-vectors"

    def __init__(self) -> None:
        self.dimension: int | None = DIMENSION

    async def embed(self, texts: Sequence[str]) -> Vectors:
        found = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=DIMENSION) for text in texts]
        rows = np.reshape(found, (len(texts), DIMENSION))
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Trial:
    """One killed ingestion: when, how far it had come, what was answered, and what went wrong, if anything."""

    story: Story
    after_ms: float
    reached: str
    answered: str
    problem: str = ""


def corpus(edition: int, size: int = SIZE) -> list[Chunk]:
    """Two editions of one book: the second changes, removes and adds a third each."""
    first = [_chunk(number) for number in range(size)]
    if edition == 1:
        return first
    changed = [replace(c, text=f"{c.text} changed in edition two") if n % 3 == 0 else c for n, c in enumerate(first)]
    return [c for n, c in enumerate(changed) if n % 3 != 1] + [_chunk(number) for number in range(size, size * 4 // 3)]


def _chunk(number: int) -> Chunk:
    rule = QueryMust(contain=f"armor class {number % 20}") if number % 4 == 0 else None
    text = f"entry {number}: the owl number {number % 50}, a bear of book {number % 7}, armor class {number % 20}"
    return Chunk(f"c{number:05}", text, f"Entry {number}", source="book.md", query_must=rule)


async def ingest(location: Path, edition: int, size: int = SIZE, build: Build | None = None) -> None:
    """Bring the collection up to an edition; with `build`, in a collection that is kept already."""
    if build is None:
        store = await open_collection(str(location), NAME, create=True, embedder=SeededVectors())
    else:
        store = await open_local(location / NAME, model=SeededVectors.name, build=build)
    try:
        await index(corpus(edition, size), store, SeededVectors(), sources={"book.md": "/books"})
    finally:
        await store.close()


async def prepare(location: Path, story: Story, size: int = SIZE, build: Build | None = None) -> None:
    """Make what is there before the ingestion that will be killed."""
    if story == "update":
        await ingest(location, 1, size, build)
    elif story == "taken over":
        chunks, embedder = corpus(1, size), SeededVectors()
        async with await chroma.open_collection(str(location), NAME, create=True, embedder=embedder) as plain:
            vectors = await embedder.embed([chunk.text for chunk in chunks])
            await plain.upsert(chunks, vectors, [Stamp("h", chunk.source, "/books") for chunk in chunks])


async def answers(location: Path) -> Answers:
    """Ask the collection; one that does not exist yet answers like an empty one."""
    try:
        store = await open_collection(str(location), NAME)
    except CollectionNotFound:
        return EMPTY
    try:
        return await store.count(), tuple([await _nearest(store, question) for question in QUESTIONS])
    finally:
        await store.close()


async def _nearest(store: Store, question: str) -> tuple[tuple[str, float], ...]:
    vector = (await SeededVectors().embed([question]))[0]
    return tuple((chunk.id, round(distance, 4)) for chunk, distance in await store.query(vector, 8))


def start(
    location: Path,
    size: int = SIZE,
    *,
    job: Literal["ingest", "ask"] = "ingest",
    through: Sequence[str] = (),
    limits: Callable[[], None] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a process that ingests the second edition, or asks, and return when it is about to begin.

    `through` is a program that starts it, `limits` what is called in it first.
    """
    program = [sys.executable, "-m", "benchmarks.durability"]
    child = subprocess.Popen(
        [*through, *program, "--child", job, str(location), "--size", str(size)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
        preexec_fn=limits,
    )
    assert child.stdout is not None
    child.stdout.readline()
    return child


def kill_after(seconds: float, location: Path, size: int = SIZE) -> None:
    """Start an ingestion and kill it after so long, unless it is done by then; wait until its builder is gone too."""
    with start(location, size) as child:
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
    folder = location / NAME
    if folder.is_dir() and (lock := free_writer_lock(folder)) is not None:
        lock.release()


def reached(location: Path, size: int = SIZE) -> str:
    """How far the ingestion of the second edition came, from what is on disk."""
    folder = location / NAME
    if not has_vault(folder):
        return "copying" if any(location.glob(".*.adopting")) else "opening"
    try:
        vault = Vault(folder / VAULT)
    except StoreError:
        return "opening"
    meta, chunks = vault.meta(), {row.id for batch in vault.rows() for row in batch}
    vault.close()
    if chunks != {chunk.id for chunk in corpus(2, size)}:
        return "embedding"
    shown = in_force(folder)
    if shown is not None and shown.state == meta["state"]:
        return "published"
    return "building" if any(folder.glob("*.building")) else "vault written"


class Proving:
    """The three stories with what they answer before and after, and how long they take; made by full runs."""

    def __init__(self, folder: Path, size: int = SIZE, build: Build | None = None) -> None:
        self.folder, self.size, self.build = folder, size, build
        self.before: dict[Story, Answers] = {}
        self.after: Answers = EMPTY
        self.seconds: dict[Story, float] = {}

    async def begin(self, stories: Sequence[Story] = STORIES) -> None:
        """Run every story to its end once."""
        for story in stories:
            origin, whole = self.folder / story, self.folder / f"{story}, whole"
            origin.mkdir()
            await prepare(origin, story, self.size, self.build)
            self.before[story] = await answers(origin)
            shutil.copytree(origin, whole)
            with start(whole, self.size) as child:
                started = time.perf_counter()
                assert 0 == child.wait(), child.stderr and child.stderr.read().decode()
            self.seconds[story] = time.perf_counter() - started
            self.after = await answers(whole)
            shutil.rmtree(whole)

    async def trial(self, number: int, story: Story, fraction: float) -> Trial:
        """Kill one ingestion after this fraction of its duration, and look at what is left."""
        place, seconds = self.folder / f"trial {number}", fraction * self.seconds[story]
        shutil.copytree(self.folder / story, place)
        try:
            await asyncio.to_thread(kill_after, seconds, place, self.size)
            far = reached(place, self.size)
            found = await answers(place)
            said = {self.before[story]: "as before", self.after: "as after"}.get(found, "neither")
            await ingest(place, 2, self.size, self.build)
            problem = "" if said != "neither" else f"answered with {found[0]} chunks"
            if await answers(place) != self.after:
                problem = "the second ingestion does not answer as after"
            if left := [path.name for path in (*leftovers(place / NAME), *place.glob(".*.adopting"))]:
                problem = f"left behind: {', '.join(left)}"
            return Trial(story, seconds * 1000, far, said, problem)
        finally:
            shutil.rmtree(place)


def moments(runs: int, seed: int) -> list[float]:
    """Fractions of a duration: one in each of `runs` equal parts, in random order."""
    pick = random.Random(seed)
    found = [(part + pick.random()) / runs for part in range(runs)]
    pick.shuffle(found)
    return found


async def prove(
    folder: Path,
    runs: int,
    seed: int,
    stories: Sequence[Story] = STORIES,
    size: int = SIZE,
    build: Build | None = None,
) -> list[Trial]:
    """Kill `runs` ingestions, the stories by turns."""
    proving = Proving(folder, size, build)
    await proving.begin(stories)
    return [
        await proving.trial(number, stories[number % len(stories)], fraction)
        for number, fraction in enumerate(moments(runs, seed))
    ]


def show(console: Console, trials: Sequence[Trial]) -> None:
    """Print every trial, and how many reached what."""
    table = Table(title=f"{len(trials)} ingestions killed with SIGKILL", title_justify="left")
    for column in ("story", "killed after", "had reached", "answered", "second ingestion"):
        table.add_column(column)
    for trial in sorted(trials, key=lambda t: (t.story, t.after_ms)):
        outcome = trial.problem or "complete"
        table.add_row(trial.story, f"{trial.after_ms:.0f} ms", trial.reached, trial.answered, outcome)
    console.print(table)
    console.print(", ".join(f"{count} × {name}" for name, count in Counter(t.reached for t in trials).items()))
    console.print(f"{sum(bool(trial.problem) for trial in trials)} problems")


def _child(job: str, location: Path, size: int) -> int:
    """What a process does that `start` started; it begins when everything slow is imported."""
    import chromadb  # noqa: F401

    sys.stdout.write("begin\n")
    sys.stdout.flush()
    if job == "ask":
        sys.stdout.write(repr(asyncio.run(answers(location))))
    else:
        asyncio.run(ingest(location, 2, size))
    return 0


def main() -> int:
    """Read the command line, kill, print; 1 when anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.durability", description="Ingestions that are killed.")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--size", type=int, default=1500, help="chunks of the first edition")
    parser.add_argument("--child", nargs=2, metavar=("JOB", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return _child(arguments.child[0], Path(arguments.child[1]), arguments.size)
    with tempfile.TemporaryDirectory(prefix="versus-durability-") as folder:
        trials = asyncio.run(prove(Path(folder), arguments.runs, arguments.seed, STORIES, arguments.size))
    show(Console(width=120), trials)
    return int(any(trial.problem for trial in trials))


if __name__ == "__main__":
    sys.exit(main())
