"""Batches: killed again and again, with a model that takes its time, with real questions, and with very many lines.

    python -m benchmarks.batch                  # a little of each
    python -m benchmarks.batch --only kills --questions 1000 --kills 20
    python -m benchmarks.batch --only lines --lines 1000000
    python -m benchmarks.batch --only real --real 10000
    python -m benchmarks.batch --only latency --questions 640 --concurrency 16
    python -m benchmarks.batch --only processes --shared ../shared

*Kills* are SIGKILLs of `versus batch` at random moments, against a language model on loopback: what is lost, doubled or
paid twice is counted. *Latency* is the share of the rate that is possible when each call takes half a second and so
many questions are under way. *Real* questions are answered by rules from the bundled book. *Lines* are trivial
questions to a collection in memory: what is left is the work of the batch, and memory has to stay flat. *Processes* are
200 questions over OSRIC, where the folder `shared` is, answered by rules in one process and in two, by turns.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import linear_regression, quantiles
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from agent.batch.budget import BudgetedLLM, questions_for
from agent.batch.journal import journal_of
from agent.batch.responding import Respond, responder_for
from agent.batch.run import Batch, Job
from agent.batch.source import Source
from agent.batch.stop_policy import StopPolicy
from agent.batch.tally import Tally
from agent.cli.demo import sample
from agent.llm.recorded import RecordedLLM
from agent.settings.settings import load
from benchmarks.costs import BOOK, asked, settings_in
from benchmarks.memory import memory
from benchmarks.real_size import BESIDE
from tests.fake_openai import FakeOpenAI
from versus import Agent, Chunk, Lexicon, MemoryStore, Settings, index, ingest, responsive

REPOSITORY = Path(__file__).parents[1]
CLASSES = ("fighter", "cleric", "druid", "monk", "thief", "paladin", "ranger", "magic-user")
LATENCY = 0.5
_PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)
_MARK = re.compile(r"mark[a-p]{16}")


def questions(count: int) -> list[str]:
    """So many questions, no two alike."""
    fights = itertools.product(range(1, 12), CLASSES, range(-3, 10), CLASSES)
    asked = (f"Who wins: a level {n} {one} with armor class {ac} or a level 5 {two} with armor class 4?"
             for n, one, ac, two in fights)  # fmt: skip
    return [f"{text} ({number})" for number, text in enumerate(itertools.islice(itertools.cycle(asked), count))]


def lookups(count: int) -> list[str]:
    """So many questions for one number each, no two alike."""
    asked = itertools.product(range(1, 12), CLASSES, range(-3, 10))
    texts = (f"What does a level {n} {who} need to roll to hit armor class {ac}?" for n, who, ac in asked)
    return [f"{text} ({number})" for number, text in enumerate(itertools.islice(itertools.cycle(texts), count))]


class Model:
    """Plans and words; every reply carries a mark of its request, so that one can see which were asked for twice."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._turn = threading.Lock()

    def respond(self, chat: dict[str, Any]) -> str:
        """The reply to one request."""
        mark = "mark" + "".join(
            chr(97 + int(digit, 16)) for digit in sha256(json.dumps(chat).encode()).hexdigest()[:16]
        )
        with self._turn:
            self.asked.append(mark)
        if "response_format" in chat:
            text = f"attack matrix for fighters, armor class 4 {mark}"
            return json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": text}]})
        return f"Neither wins, says {mark}."


def journaled(output: Path) -> set[str]:
    """The marks of all replies in the journal."""
    path = journal_of(output)
    if not path.exists():
        return set()
    try:
        with closing(sqlite3.connect(path)) as database:
            return {
                mark for (reply,) in database.execute("SELECT reply FROM replies") for mark in _MARK.findall(reply)[-1:]
            }
    except sqlite3.OperationalError:  # it was killed before the journal had its table
        return set()


@dataclass(slots=True)
class Killed:
    """What came of a batch that was killed: questions, kills, and how much went wrong."""

    questions: int
    kills: int = 0
    lost: int = 0
    doubled: int = 0
    broken: int = 0
    paid_again: int = 0
    requests: int = 0
    seconds: float = 0.0
    records_at_kills: list[int] = field(default_factory=list)


def records_in(output: Path, killed: Killed) -> list[int]:
    """The lines that have a record; only the very last one may be cut off."""
    data = output.read_bytes() if output.exists() else b""
    lines = []
    for whole in data.split(b"\n")[:-1]:
        try:
            lines.append(int(orjson.loads(whole)["line"]))
        except (ValueError, KeyError):
            killed.broken += 1
    killed.doubled += len(lines) - len(set(lines))
    return lines


async def prepared(folder: Path) -> None:
    """Read the bundled book into `folder`."""
    with sample() as book:
        await ingest([book], load({"collection": "batch", "chroma": str(folder / "chroma"), "log_to": "none"}))


def start(folder: Path, base_url: str, *flags: str, **environment: str) -> subprocess.Popen[bytes]:
    """`versus batch` from `q.txt` into `out.jsonl`, with its planner at `base_url`."""
    command = [sys.executable, "-m", "agent.cli.app", "batch", "q.txt", "-o", "out.jsonl", "--collection", "batch",
               "--chroma", "chroma", "--planner", "llm", *flags]  # fmt: skip
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("VERSUS_", "OPENAI_"))}
    known = {"PYTHONPATH": str(REPOSITORY), "OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "sk-loopback"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                            env=clean | known | environment)  # fmt: skip


def kill_again_and_again(folder: Path, count: int, kills: int, seed: int, latency: float = 0.02) -> Killed:
    """Run a batch in `folder`, kill it so often at random moments, let it finish, and count what went wrong."""
    (folder / "q.txt").write_text("\n".join(questions(count)) + "\n", encoding="utf-8")
    output, chance, model, killed = folder / "out.jsonl", random.Random(seed), Model(), Killed(count)
    started = time.perf_counter()
    with FakeOpenAI(model.respond, latency=latency).running() as server:
        for left in range(kills, -1, -1):
            paid, before = journaled(output), len(model.asked)
            child = start(folder, server.base_url)
            if left:
                rest = max(2, 2 * (count - len(records_in(output, Killed(0)))))
                _kill(child, model, before + chance.randint(0, 2 * rest // (left + 1)), chance.uniform(0, 2))
                killed.kills += child.returncode == -signal.SIGKILL
            said = child.communicate(timeout=600)[1]
            if not left and child.returncode not in (0, 3):
                raise RuntimeError(said.decode())
            killed.paid_again += sum(mark in paid for mark in model.asked[before:])
            killed.records_at_kills.append(len(records_in(output, killed)))
    killed.lost = count - len(set(records_in(output, killed)))
    killed.requests, killed.seconds = len(model.asked), time.perf_counter() - started
    return killed


def _kill(child: subprocess.Popen[bytes], model: Model, requests: int, moment: float) -> None:
    """Kill when so many requests have come and a moment has passed, or when it is over."""
    pause = threading.Event()
    while child.poll() is None and len(model.asked) < requests:
        pause.wait(0.005)
    pause.wait(moment / 10 if requests else moment)
    child.kill()
    child.wait()


@dataclass(slots=True)
class Course:
    """How a batch went: records and memory (MB) by time, and how late the event loop was, in milliseconds."""

    samples: list[tuple[int, float]] = field(default_factory=list)
    lags: deque[float] = field(default_factory=lambda: deque(maxlen=100_000))

    def slope(self) -> float:
        """Bytes that the memory grew with each record, over the second half."""
        late = self.samples[len(self.samples) // 2 :]
        if len({done for done, _ in late}) < 2:
            return 0.0
        return linear_regression([done for done, _ in late], [mb * 1e6 for _, mb in late]).slope

    def lag(self, percent: int) -> float:
        """A percentile of the lag."""
        return quantiles(self.lags, n=100)[percent - 1] if len(self.lags) > 1 else 0.0


async def measured(job: Job, asking: Callable[[], Any]) -> tuple[Tally, Course]:
    """Run a batch, and watch it."""
    tally, course = Tally(), Course()

    async def watch() -> None:
        for tick in itertools.count():
            due = time.perf_counter() + 0.01
            await asyncio.sleep(0.01)
            course.lags.append((time.perf_counter() - due) * 1000)
            if tick % 25 == 0:
                course.samples.append((tally.done, memory()))
            if tick % 3000 == 2999:
                sys.stderr.write(f"{tally.done} records, {memory():.0f} MB\n")

    watching = asyncio.create_task(watch())
    try:
        await Batch(job, tally, StopPolicy()).run(asking)
    finally:
        watching.cancel()
    return tally, course


def _job(folder: Path, texts: Iterable[str], concurrency: int) -> Job:
    with (folder / "q.txt").open("w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in texts)
    (folder / "out.jsonl").unlink(missing_ok=True)
    return Job(Source(str(folder / "q.txt"), 1000), folder / "out.jsonl", {}, concurrency, resume=False)


async def with_latency(folder: Path, count: int, concurrency: int) -> tuple[float, Tally, Course]:
    """Return the share of the possible rate when every call takes `LATENCY`, and how it went."""
    await prepared(folder)
    model = Model()
    with FakeOpenAI(model.respond, latency=LATENCY).running() as server:
        settings = load({"collection": "batch", "chroma": str(folder / "chroma"), "planner": "llm", "log_to": "none",
                         "openai_base_url": server.base_url, "openai_api_key": "sk-loopback"})  # fmt: skip

        @asynccontextmanager
        async def asking() -> AsyncIterator[Respond]:
            def paid(llm: Any) -> RecordedLLM:
                return RecordedLLM(
                    BudgetedLLM(llm, lambda ending, error: None, at_once=concurrency),
                    folder / "journal.sqlite",
                    base_url="",
                )

            async with Agent.open(settings) as agent:
                with responsive():
                    yield responder_for(agent.with_llm(paid).ask)

        tally, course = await measured(_job(folder, lookups(count), questions_for(concurrency)), asking)
    possible = len(model.asked) * LATENCY / concurrency
    return possible / tally.seconds, tally, course


async def with_real_questions(folder: Path, count: int, concurrency: int) -> tuple[Tally, Course]:
    """Answer so many questions from the bundled book, by rules."""
    await prepared(folder)
    settings = load({"collection": "batch", "chroma": str(folder / "chroma"), "planner": "rules", "log_to": "none"})

    @asynccontextmanager
    async def asking() -> AsyncIterator[Respond]:
        async with Agent.open(settings) as agent:
            with responsive():
                yield responder_for(agent.ask)

    return await measured(_job(folder, questions(count), concurrency), asking)


class Letters:
    """The cheapest embedding there is: how often each letter comes."""

    name = "letters"
    dimension: int | None = 26

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A unit vector for each text."""
        counts = [[text.count(chr(97 + n)) + 0.01 for n in range(26)] for text in texts]
        rows = np.array(counts, dtype=np.float32).reshape(-1, 26)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


async def with_many_lines(folder: Path, count: int, concurrency: int) -> tuple[Tally, Course]:
    """Answer so many trivial questions from a collection of two chunks in memory."""
    settings = Settings(collection="small", planner="rules", effort="minimal", log_to="none")
    chunks = [Chunk("a", "An owl is a bird.", "Owl"), Chunk("b", "A bear is none.", "Bear")]
    store, embedder = MemoryStore(), Letters()
    await index(chunks, store, embedder, sources={})
    agent = Agent(settings, store, embedder, Lexicon())

    @asynccontextmanager
    async def asking() -> AsyncIterator[Respond]:
        with responsive():
            yield responder_for(agent.ask)

    return await measured(_job(folder, (f"Is owl {n} a bird?" for n in range(count)), concurrency), asking)


@dataclass(frozen=True, slots=True)
class Answered:
    """A batch that so many processes answered: seconds of its work, seconds of the processor, and MB of them all."""

    processes: int
    seconds: float
    cpu: float
    memory: float


def by_processes(folder: Path, shared: Path, count: int, turns: int) -> Iterator[Answered]:
    """Answer so many questions over the book of `benchmarks.costs` by one process and by two, by turns."""
    has_book = (shared / "corpora" / "osric").is_dir()
    with sample() as bundled:
        asyncio.run(ingest([shared / "corpora" / "osric" if has_book else bundled], settings_in(folder)))
    kinds = asked(shared if has_book else None)
    texts = list(itertools.chain.from_iterable(kinds.values()))
    # A blank more at its end makes it another question, with the same answer.
    more = (texts[number % len(texts)] + " " * (number // len(texts)) for number in range(count))
    (folder / "q.jsonl").write_bytes(b"".join(orjson.dumps({"question": text}) + b"\n" for text in more))
    for _ in range(turns):
        yield from (_answered_by(folder, processes) for processes in (1, 2))


def _answered_by(folder: Path, processes: int) -> Answered:
    command = [sys.executable, "-m", "agent.cli.app", "batch", "q.jsonl", "-o", "out.jsonl", "--no-resume", "--json",
               "--collection", BOOK, "--chroma", "chroma", "--planner", "rules",
               "--processes", str(processes)]  # fmt: skip
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "VERSUS_LOG_TO": "none"}
    before, most, pause = resource.getrusage(resource.RUSAGE_CHILDREN), 0.0, threading.Event()
    with (
        (folder / "said").open("wb") as said,
        subprocess.Popen(command, stdout=said, cwd=folder, env=environment) as run,
    ):
        while run.poll() is None:
            most = max(most, _memory_of(run.pid))
            pause.wait(0.2)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = orjson.loads((folder / "said").read_bytes().splitlines()[-1])
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return Answered(processes, summary["seconds"], cpu, most)


def _memory_of(process: int) -> float:
    """MB of a process and those that it started; what they share is divided among them."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        sizes = [Path(f"/proc/{each}/smaps_rollup").read_text(encoding="ascii") for each in (process, *children)]
    except OSError:  # one of them has just ended
        return 0.0
    return sum(int(found[1]) for found in map(_PSS.search, sizes) if found) / 1000


def show_processes(console: Console, answered: Iterable[Answered]) -> None:
    """Print how long each took."""
    table = Table(title="the same questions by rules, in one process and in two", title_justify="left")
    for column in ("processes", "seconds", "CPU s", "MB"):
        table.add_column(column, justify="right")
    for each in answered:
        table.add_row(str(each.processes), f"{each.seconds:.1f}", f"{each.cpu:.1f}", f"{each.memory:.0f}")
    console.print(table)


def show_kills(console: Console, killed: Killed) -> None:
    """Print what went wrong; all but the first two should be 0."""
    table = Table(title="batches that are killed", title_justify="left")
    columns = ("questions", "kills", "lost", "doubled", "broken", "paid again", "requests", "seconds")
    for column in columns:
        table.add_column(column, justify="right")
    numbers = (killed.questions, killed.kills, killed.lost, killed.doubled, killed.broken, killed.paid_again)
    table.add_row(*map(str, numbers), str(killed.requests), f"{killed.seconds:.0f}")
    console.print(table)
    console.print(f"records at each kill and at the end: {', '.join(map(str, killed.records_at_kills))}")


def show_course(console: Console, name: str, tally: Tally, course: Course) -> None:
    """Print how one batch went."""
    console.print(
        f"{name}: {tally.done} records ({tally.failed} failed), {tally.done / tally.seconds:.1f} a second; "
        f"memory {course.samples[-1][1]:.0f} MB, {course.slope():+.0f} bytes a question; "
        f"loop lag p50 {course.lag(50):.1f} ms, p99 {course.lag(99):.1f} ms, worst {max(course.lags):.0f} ms"
    )


def main() -> int:
    """Read the command line, measure, print; 1 when a kill did harm."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description="Batches under load.")
    parser.add_argument("--only", choices=["kills", "latency", "real", "lines", "processes"])
    parser.add_argument("--questions", type=int, default=200, help="of the batches with a language model")
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--real", type=int, default=1000)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--shared", type=Path, default=BESIDE, help="the folder with corpora/osric")
    parser.add_argument("--turns", type=int, default=2, help="of one process and two")
    given, console, harm = parser.parse_args(), Console(width=118), False
    with tempfile.TemporaryDirectory(prefix="versus-batch-") as place:
        folder = Path(place)
        if given.only in (None, "kills"):
            asyncio.run(prepared(folder))
            killed = kill_again_and_again(folder, given.questions, given.kills, given.seed)
            show_kills(console, killed)
            harm = bool(killed.lost or killed.doubled or killed.broken or killed.paid_again)
        if given.only in (None, "latency"):
            share, tally, course = asyncio.run(with_latency(folder, given.questions, given.concurrency))
            show_course(console, f"{LATENCY:g} s latency, {given.concurrency} at a time", tally, course)
            console.print(f"share of the possible rate: {share:.1%}")
        if given.only in (None, "real"):
            show_course(
                console, "real questions", *asyncio.run(with_real_questions(folder, given.real, given.concurrency))
            )
        if given.only in (None, "lines"):
            show_course(console, "lines", *asyncio.run(with_many_lines(folder, given.lines, given.concurrency)))
        if given.only in (None, "processes"):
            show_processes(console, by_processes(folder / "processes", given.shared, given.questions, given.turns))
    return int(harm)


if __name__ == "__main__":
    sys.exit(main())
