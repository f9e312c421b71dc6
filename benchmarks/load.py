"""Many questions at once: throughput against one call at a time, and how long the event loop is kept waiting.

A book of a real size is read (`benchmarks.real_size`), then 200 questions of four sub-queries each, no two alike, are
retrieved one after the other and all at once; then 200 fights are asked at once, with the default settings. Loop lag is
how late a timer of 5 ms fires, sampled all the while; the last row has an ingestion, with its embedding and its index,
running beside the questions in the same process. The process does what `versus batch` does for its loop,
`agent.cli.responsive`.

    python -m benchmarks.load [../shared]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from rich.console import Console
from rich.table import Table

from agent.settings.settings import load
from benchmarks import real_size
from benchmarks.lag import Lag
from benchmarks.two_classes import CLASSES
from retrieval.processes.threads import background
from versus import (
    Agent,
    CachingEmbedder,
    CoalescingEmbedder,
    Retriever,
    Settings,
    SubQuery,
    embedder_for,
    ingest,
    open_collection,
    responsive,
)

QUESTIONS, EACH = 200, 4
LEVELS = 25
TIMES = 5
"""What is done at once is over soon; so few samples of the lag would make its p99 the worst of them."""
THREADS = 6


@dataclass(frozen=True, slots=True)
class Measured:
    """What was done, how long it took in seconds, and the loop lag in milliseconds."""

    name: str
    seconds: float
    p50: float
    p99: float
    worst: float


def sub_queries() -> list[list[SubQuery]]:
    """Return the sub-queries of each question; each text is there once."""
    wanted = itertools.product(CLASSES, range(1, LEVELS + 1))
    return [
        [
            SubQuery(f"{who}{level}a", f"{who} level {level} attack matrix, armor class {level - 2}"),
            SubQuery(f"{who}{level}b", f"hit dice and hit points of a level {level} {who}"),
            SubQuery(f"{who}{level}c", f"attacks per melee round of a level {level} {who}"),
            SubQuery(f"{who}{level}d", f"saving throw of a level {level} {who} against breath weapons"),
        ]
        for who, level in itertools.islice(wanted, QUESTIONS)
    ]


async def timed(name: str, work: Callable[[], Awaitable[object]], times: int = 1) -> Measured:
    """Do the work, so many times one after the other, and sample the loop lag; the seconds are those of one."""
    lag = Lag()
    started = time.perf_counter()
    for _ in range(times):
        await work()
    seconds = (time.perf_counter() - started) / times
    lags = lag.stop()
    cuts = quantiles(lags, n=100) if len(lags) > 1 else [0.0] * 99
    return Measured(name, seconds, cuts[49], cuts[98], max(lags, default=0.0))


async def one_by_one(retriever: Retriever, questions: Sequence[Sequence[SubQuery]]) -> None:
    """Each sub-query when the one before it is done."""
    for sub_query in itertools.chain.from_iterable(questions):
        await retriever.retrieve(sub_query)


async def at_once(retriever: Retriever, questions: Sequence[Sequence[SubQuery]]) -> None:
    """All sub-queries of all questions."""
    async with asyncio.TaskGroup() as group:
        for sub_query in itertools.chain.from_iterable(questions):
            group.create_task(retriever.retrieve(sub_query))


async def measure(folder: Path, shared: Path) -> list[Measured]:
    """Read the book, then measure every way."""
    asyncio.get_running_loop().set_default_executor(background(THREADS, "versus"))
    settings = load({"collection": "load", "chroma": str(folder / "chroma"), "log_dir": str(folder / "logs")})
    with real_size.book(shared) as book:
        await ingest([book], settings)
        return [*await _retrieval(settings), *await _asking(settings, book)]


async def _retrieval(settings: Settings) -> list[Measured]:
    embedder = embedder_for(settings.embedding_model)
    store = await open_collection(settings.chroma, settings.collection, embedder=embedder)
    questions = sub_queries()

    def fresh() -> Retriever:
        return Retriever(store, CachingEmbedder(CoalescingEmbedder(embedder)))

    await at_once(fresh(), questions)  # the model and every chunk are in memory from here on
    with responsive():
        measured = [
            await timed(f"{QUESTIONS * EACH} sub-queries, one by one", lambda: one_by_one(fresh(), questions)),
            await timed(f"{QUESTIONS * EACH} sub-queries, at once", lambda: at_once(fresh(), questions), times=TIMES),
        ]
    await store.close()
    return measured


async def _asking(settings: Settings, book: Path) -> list[Measured]:
    pairs = itertools.islice(itertools.cycle(itertools.permutations(CLASSES, 2)), QUESTIONS)
    texts = [f"Who wins: a level {n % 9 + 1} {who} with armor class {n % 7} or a level {n % 5 + 1} {other} with armor"
             f" class {n % 10}?" for n, (who, other) in enumerate(pairs)]  # fmt: skip
    async with Agent.open(settings) as agent:

        async def ask_all() -> None:
            async with asyncio.TaskGroup() as group:
                for text in texts:
                    group.create_task(agent.ask(text))

        async def beside_ingestion() -> None:
            other = settings.model_copy(update={"collection": "beside"})
            async with asyncio.TaskGroup() as group:
                reading = group.create_task(ingest([book], other))
                while not reading.done():
                    await ask_all()

        await agent.ask(texts[0])
        with responsive():
            return [
                await timed(f"{len(texts)} duels, at once", ask_all),
                await timed(f"{len(texts)} duels again and again beside an ingestion", beside_ingestion),
            ]


def show(console: Console, measured: Sequence[Measured]) -> None:
    """Print the table and the ratio that matters."""
    table = Table(title="many questions at once; loop lag in ms", title_justify="left")
    for column in ("what", "seconds", "lag p50", "lag p99", "worst"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for m in measured:
        table.add_row(m.name, f"{m.seconds:.2f}", f"{m.p50:.1f}", f"{m.p99:.1f}", f"{m.worst:.1f}")
    console.print(table)
    console.print(f"at once / one by one: {measured[0].seconds / measured[1].seconds:.1f} times the throughput")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description="Many questions at once.")
    parser.add_argument("shared", type=Path, nargs="?", default=real_size.BESIDE, help="the folder with corpora/osric")
    shared = parser.parse_args().shared
    with tempfile.TemporaryDirectory(prefix="versus-load-") as folder:
        show(Console(width=118), asyncio.run(measure(Path(folder), shared)))


if __name__ == "__main__":
    main()
