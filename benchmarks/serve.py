"""`versus serve` under load: what HTTP costs, what clients that go away leave behind, and what very many streams do.

    python -m benchmarks.serve                        # all of it
    python -m benchmarks.serve --only rate
    python -m benchmarks.serve --only leaving --requests 1000
    python -m benchmarks.serve --only streams --streams 10000

*Rate*: 200 questions at once, planned and worded by a model that takes 500 ms for each call, once by `Agent.ask` and
once over HTTP; each side has a process of its own, and they take turns. Loop lag is how late a timer of 5 ms fires in
that process. *Leaving*: thousands of questions, of which each tenth is cut off while it is answered; what is left of
them is counted in the server's tasks, open files and memory. *Streams*: thousands of streams that are opened at once;
the server has to refuse what is beyond its limits, and to answer the next question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from agent.application.application import Application
from agent.application.gate import Gate
from agent.cli.demo import sample
from agent.doors.connections import allow_open_files
from agent.doors.http.limits import Limits
from agent.doors.serve import DrainingServer, doors, listening
from agent.doors.serving import Serving
from agent.events import configure_logging
from agent.settings.settings import load
from benchmarks.bare_sockets import answer_over, first_line_of_stream
from benchmarks.lag import Lag
from benchmarks.leaving import QUESTION, STREAM, Left, ask_and_leave, left_behind
from benchmarks.thinking import LATENCY
from benchmarks.two_classes import questions, respond
from tests.fake_openai import FakeOpenAI
from versus import Agent, Settings, ingest, responsive

AT_ONCE, TURNS = 200, 5
LEFT = "left"
PATIENCE = 300
"""Seconds that are waited for an answer, also where the machine has other work."""


@dataclass(frozen=True, slots=True)
class Turn:
    """All questions once: the seconds that it took, those of the processor, and by how many milliseconds the loop was
    late meanwhile, again and again.
    """

    seconds: float
    cpu: float
    late: Sequence[float]


@dataclass(frozen=True, slots=True)
class Asked:
    """How many questions a second were answered, the milliseconds that the processor worked for one in the process that
    answered, and the loop lag there in milliseconds.
    """

    rate: float
    cpu: float
    p50: float
    p99: float
    worst: float


def settings_of(folder: Path, model: str | None = None) -> Settings:
    """The settings of both sides: the bundled book, and the address of a model or the rules."""
    given: dict[str, object] = {"collection": "serve", "chroma": str(folder / "chroma"), "log_to": "none"}
    if model is None:
        return load({**given, "planner": "rules"})
    patient = {"deadline": PATIENCE, "llm_timeout": PATIENCE}
    return load({**given, **patient, "planner": "llm", "openai_base_url": model, "openai_api_key": "none"})


async def lines_in() -> AsyncIterator[str]:
    """What the parent says, line by line."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line.decode().strip()


def say(data: object) -> None:
    """A line for the parent."""
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


async def ask_in_process(settings: Settings) -> None:
    """The child without a server: ask all questions at once whenever the parent says so, and tell how long it took."""
    async with Agent.open(settings) as agent:

        async def ask(text: str) -> None:
            require_planned((await agent.ask(text)).plan.planner)

        await agent.ask(QUESTION)
        lag = Lag()
        with responsive():
            say("ready")
            async for number in lines_in():
                lag.taken()
                began = time.process_time()
                seconds = await timed(together(ask, questions(int(number))))
                say({"seconds": seconds, "cpu": time.process_time() - began, "late": lag.taken()})


async def serve_in_process(settings: Settings, limits: Limits) -> None:
    """The child with a server: serve until the parent is silent; tell the lag, or what is left, when it asks.

    To count what is left takes a while, and would make the loop late.
    """
    with listening(Serving(port=0)) as listener:
        async with Application.open(settings, Gate(limits.running, limits.waiting)) as application:
            server = DrainingServer(doors(application, Serving(), limits), limits)
            serving = asyncio.create_task(server.serve([listener]))
            await application.ready()
            lag = Lag()
            with responsive():
                say(f"http://127.0.0.1:{listener.getsockname()[1]}")
                async for line in lines_in():
                    told = asdict(Left.now(application)) if line == LEFT else {"late": lag.taken()}
                    say({"cpu": time.process_time(), **told})
            server.should_exit = True
            await serving


def require_planned(planner: str) -> None:
    """An error where the model was not waited for, and the rules planned instead of it."""
    if planner != "llm":
        raise RuntimeError(f"planned by {planner}; is the machine busy?")


async def together(ask: Callable[[str], Coroutine[Any, Any, None]], texts: Sequence[str]) -> None:
    """All of them at once."""
    async with asyncio.TaskGroup() as group:
        for text in texts:
            group.create_task(ask(text))


async def timed(work: Awaitable[object]) -> float:
    """The seconds that it takes."""
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


class Child:
    """A process that answers each line with one line of JSON."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.begun = self._line()

    def says(self, asked: str = "") -> Any:
        """What it answers to a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{asked}\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


@contextmanager
def child(
    job: str, folder: Path, model: str | None = None, limits: Mapping[str, float] | None = None
) -> Iterator[Child]:
    """A process of this program for the time of the block; it ends when its input does."""
    given = [job, str(folder), model or "", json.dumps(limits or {})]
    command = [sys.executable, "-m", "benchmarks.serve", "--child", *given]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    ) as process:
        try:
            yield Child(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)


def ingested(folder: Path) -> None:
    """Read the bundled book into the folder."""
    with sample() as book:
        asyncio.run(ingest([book], settings_of(folder)))


def rate(folder: Path, at_once: int, turns: int) -> dict[str, Asked]:
    """Both sides by turns, after one turn each that does not count."""
    wide = {"running": at_once, "per_minute": 1e9}
    taken: dict[str, list[Turn]] = {"Agent.ask": [], "over HTTP": []}
    with (
        FakeOpenAI(respond, latency=LATENCY).running() as model,
        child("ask", folder, model.base_url) as asking,
        child("serve", folder, model.base_url, wide) as serving,
    ):
        for _ in range(turns + 1):
            told = asking.says(str(at_once))
            taken["Agent.ask"].append(Turn(told["seconds"], told["cpu"], told["late"]))
            before = serving.says()
            seconds = asyncio.run(_ask_over_http(serving.begun, at_once))
            told = serving.says()
            taken["over HTTP"].append(Turn(seconds, told["cpu"] - before["cpu"], told["late"]))
    return {name: _asked(at_once, turns[1:]) for name, turns in taken.items()}


def _asked(at_once: int, turns: Sequence[Turn]) -> Asked:
    late = [one for turn in turns for one in turn.late]
    cuts = quantiles(late, n=100)
    cpu = median(turn.cpu for turn in turns) / at_once * 1000
    return Asked(at_once / median(turn.seconds for turn in turns), cpu, cuts[49], cuts[98], max(late))


async def _ask_over_http(url: str, at_once: int) -> float:
    async def ask(text: str) -> None:
        require_planned((await answer_over(url, text))["plan"]["planner"])

    async with asyncio.timeout(PATIENCE):
        return await timed(together(ask, questions(at_once)))


def leaving(folder: Path, number: int) -> tuple[Left, Left, Counter[str]]:
    """What is left in a server after half of the questions, which fill what it remembers of words, and after all."""
    limits = {"per_minute": 1e9, "kept_runs": number // 20}
    half = number // 2
    with child("serve", folder, limits=limits) as serving:
        warm = asyncio.run(ask_and_leave(serving.begun, half))
        before = settled(serving)
        outcomes = asyncio.run(ask_and_leave(serving.begun, number - half, half))
        return before, settled(serving), outcomes + warm


def settled(serving: Child) -> Left:
    """What is left once connections and threads had a moment to end."""
    time.sleep(1)
    told = serving.says(LEFT)
    return Left(told["tasks"], tuple(told["files"]), told["questions"], told["megabytes"])


@dataclass(frozen=True, slots=True)
class Flooded:
    """How many streams were told what; what was left of them; and the milliseconds of a question afterwards."""

    told: Counter[str]
    before: Left
    after: Left
    ms: float


def streams(folder: Path, number: int) -> Flooded:
    """Open so many streams at once, leave all of them, and ask a question."""
    allow_open_files(number)
    with child("serve", folder, limits={"per_minute": 1e9}) as serving:
        asyncio.run(_ask(serving.begun))
        before = settled(serving)
        told = asyncio.run(_open_streams(serving.begun, number))
        started = time.perf_counter()
        asyncio.run(_ask(serving.begun))
        ms = (time.perf_counter() - started) * 1000
        return Flooded(told, before, settled(serving), ms)


async def _ask(url: str) -> None:
    """Ask for a stream; with the first one a server starts a task that tells all of them when it stops."""
    async with httpx.AsyncClient(timeout=60) as client:
        (await client.post(f"{url}/v1/ask", json={"question": QUESTION}, headers=STREAM)).raise_for_status()


async def _open_streams(url: str, number: int) -> Counter[str]:
    return Counter(await asyncio.gather(*(first_line_of_stream(url, QUESTION) for _ in range(number))))


def show(console: Console, folder: Path, arguments: argparse.Namespace) -> int:
    """Measure and print what was asked for; 1 where something is not as it should be."""
    problems = []
    if "rate" in arguments.only:
        problems += _show_rate(console, rate(folder, arguments.at_once, arguments.turns), arguments.at_once)
    if "leaving" in arguments.only:
        problems += _show_leaving(console, *leaving(folder, arguments.requests))
    if "streams" in arguments.only:
        problems += _show_streams(console, streams(folder, arguments.streams))
    console.print("\n".join(problems) or "nothing is wrong")
    return int(bool(problems))


def _show_rate(console: Console, measured: Mapping[str, Asked], at_once: int) -> list[str]:
    columns = ("questions/s", "CPU ms each", "lag p50 ms", "p99", "worst")
    table = _table(f"{at_once} questions at once, a model of {LATENCY * 1000:.0f} ms", *columns)
    for name, asked in measured.items():
        figures = (asked.rate, asked.cpu, asked.p50, asked.p99, asked.worst)
        table.add_row(name, *(f"{figure:.1f}" for figure in figures))
    console.print(table)
    within, over = measured["Agent.ask"], measured["over HTTP"]
    ratio = over.rate / within.rate
    console.print(
        f"over HTTP / in process: {ratio:.2f} of the rate, {within.cpu / over.cpu:.2f} by the processor's time"
    )
    slow = [f"over HTTP has {ratio:.2f} of the rate, and 0.9 are wanted"] if ratio < 0.9 else []
    return slow + ([f"a lag of {over.p99:.0f} ms, and 30 are wanted"] if over.p99 > 30 else [])


def _show_leaving(console: Console, before: Left, after: Left, outcomes: Counter[str]) -> list[str]:
    _show_left(console, f"{outcomes.total()} questions: {_listed(outcomes)}", before, after)
    return left_behind(before, after)


def _show_streams(console: Console, flooded: Flooded) -> list[str]:
    title = f"{flooded.told.total()} streams at once: {_listed(flooded.told)}; then a question in {flooded.ms:.0f} ms"
    _show_left(console, title, flooded.before, flooded.after)
    return left_behind(flooded.before, flooded.after, megabytes=100)


def _show_left(console: Console, title: str, before: Left, after: Left) -> None:
    table = _table(title, "tasks", "files", "questions", "MB")
    for name, left in (("before", before), ("after", after)):
        table.add_row(name, str(left.tasks), str(len(left.files)), str(left.questions), f"{left.megabytes:.0f}")
    console.print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table("", title=title, title_justify="left")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{number} × {name}" for name, number in counted.most_common())


def _child(job: str, folder: Path, model: str, limits: str) -> None:
    settings = settings_of(folder, model or None)
    with configure_logging(settings):
        if job == "ask":
            asyncio.run(ask_in_process(settings))
        else:
            asyncio.run(serve_in_process(settings, replace(Limits(), **json.loads(limits))))


def main() -> int:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serve", description="The server under load.")
    parts = ("rate", "leaving", "streams")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--at-once", type=int, default=AT_ONCE)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--streams", type=int, default=10_000)
    parser.add_argument("--child", nargs=4, metavar=("JOB", "FOLDER", "MODEL", "LIMITS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        job, place, model, limits = arguments.child
        _child(job, Path(place), model, limits)
        return 0
    with tempfile.TemporaryDirectory(prefix="versus-serve-") as folder:
        ingested(Path(folder))
        return show(Console(width=118), Path(folder), arguments)


if __name__ == "__main__":
    sys.exit(main())
