"""What a question costs the processor, over a book of a real size: offline one at a time, and 200 at once with a model.

The book is one of a real size (`benchmarks.real_size`): OSRIC where the folder `shared` is (beside the repository, or
given), else a generated one, of which classes are looked up. Offline questions are answered by rules, each kind with
its median, in a process that begins with nothing remembered and once more when all were asked; with a model of 500 ms
all 200 are asked at once, planned and worded by a fake server on loopback, which is another process. It is the time of
all threads of this one that is counted. A cold question is one in a process that begins, `versus ask`, by rules and
with a model; it is told as a share of the cost of importing sentence-transformers.

    python -m benchmarks.costs [../shared]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from agent.settings.settings import load
from benchmarks import real_size
from benchmarks.peers.measure import burst
from benchmarks.two_classes import CLASSES, questions, respond
from tests.fake_openai import FakeOpenAI
from versus import Agent, Settings, ingest, responsive

BOOK, LATENCY = "book", 0.5
OFFLINE, WITH_MODEL = 40.0, 30.0
"""The goals: milliseconds of the processor for a question."""

COLD, COLD_WITH_MODEL = 1 / 3, 1 / 2
"""The goals of cold questions: shares of an import."""

Kinds = dict[str, list[str]]


def asked(shared: Path | None) -> Kinds:
    """The questions by their kind."""
    if shared is None:
        return {"look-ups": looked_up()}
    duels, rest = (_read(shared / "questions" / f"osric-{name}.jsonl") for name in ("duels", "lookups"))
    found: Kinds = {"duels": [each["question"] for each in duels], "look-ups": [], "comparisons": []}
    for each in rest:
        found["comparisons" if "compare" in each["type"] else "look-ups"].append(each["question"])
    return found


def looked_up() -> list[str]:
    """Questions about classes of the generated book."""
    pairs = itertools.product(CLASSES, range(1, 6))
    return [f"What does a level {level} {who} need to save against breath weapons?" for who, level in pairs]


def _read(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def settings_in(folder: Path, **more: object) -> Settings:
    """Settings for the book that is kept in `folder`."""
    places = {"chroma": str(folder / "chroma"), "log_dir": str(folder / "logs")}
    return load({"collection": BOOK, "deadline": 600, **places, **more})


async def offline(folder: Path, kinds: Kinds) -> dict[str, tuple[float, float]]:
    """Milliseconds of the processor by kind, medians: asked for the first time, and again."""
    async with Agent.open(settings_in(folder, planner="rules")) as agent:
        await agent.ask("what is this about")  # loads the model
        first = {kind: [await _cost(agent, text) for text in texts] for kind, texts in kinds.items()}
        again = {kind: [await _cost(agent, text) for text in texts] for kind, texts in kinds.items()}
    return {kind: (median(first[kind]), median(again[kind])) for kind in kinds}


async def _cost(agent: Agent, text: str) -> float:
    before = time.process_time()
    await agent.ask(text)
    return 1000 * (time.process_time() - before)


@contextmanager
def served() -> Iterator[str]:
    """The address of a fake model in a process of its own, so that what it costs is not counted."""
    command = [sys.executable, "-m", "benchmarks.costs", "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


def cold(folder: Path, question: str, base_url: str) -> dict[str, float]:
    """The share of the time of importing sentence-transformers that a cold question takes, by who plans; medians."""
    ask = ["-m", "agent.cli.app", "ask", question, "--collection", BOOK, "--chroma", str(folder / "chroma")]
    commands = {
        "rules": [*ask, "--planner", "rules"],
        "model": [*ask, "--planner", "llm", "--model", "fake"],
        "import": ["-c", "import sentence_transformers"],
    }
    known = {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "k", "VERSUS_LOG_TO": "none", "HF_HUB_OFFLINE": "1"}
    used: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(3):
        for name, command in commands.items():
            used[name].append(_cost_of([sys.executable, *command], os.environ | known))
    return {name: median(used[name]) / median(used["import"]) for name in ("rules", "model")}


def _cost_of(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Seconds of the processor that a program takes; exit code 3 is an answer in part."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(command, capture_output=True, env=environment, cwd=Path(__file__).parents[1], check=False)
    if ran.returncode not in (0, 3):
        raise RuntimeError(ran.stderr.decode()[-2000:])
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime


async def at_once(folder: Path, base_url: str) -> dict[str, float]:
    """200 questions at once: how many a second, what each costs, and how late the loop is."""
    model = {"model": "fake", "openai_base_url": base_url, "openai_api_key": "k", "llm_timeout": 600}
    async with Agent.open(settings_in(folder, planner="llm", **model)) as agent:

        async def ask(question: str) -> int:
            return len((await agent.ask(question)).citations)

        with responsive():
            await ask(questions(201)[-1])
            return await burst(ask)


def shown(costs: dict[str, tuple[float, float]], many: dict[str, float], begun: dict[str, float]) -> Table:
    """The table."""
    table = Table(title="milliseconds of the processor for a question", title_justify="left")
    for column in ("what", "CPU ms", "again", "goal"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for kind, (first, again) in costs.items():
        table.add_row(f"offline, {kind}, median", f"{first:.1f}", f"{again:.1f}", f"<= {OFFLINE:g}")
    table.add_row("200 at once, model of 500 ms", f"{many['burst_cpu_ms']:.1f}", "", f"<= {WITH_MODEL:g}")
    table.add_row("  questions a second", f"{many['rate']:.1f}", "", "")
    table.add_row("  loop late, 99 of 100, ms", f"{many['lag_p99']:.1f}", "", "<= 20")
    for name, goal in (("rules", COLD), ("model", COLD_WITH_MODEL)):
        table.add_row(f"cold, {name}, of an import", f"{begun[name]:.2f}", "", f"<= {goal:.2f}")
    return table


def main(arguments: Sequence[str]) -> None:
    """Read the book, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costs", description="What a question costs.")
    parser.add_argument("shared", type=Path, nargs="?", default=real_size.BESIDE, help="the folder with corpora/osric")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        with FakeOpenAI(respond, latency=LATENCY).running() as server:
            print(server.base_url, flush=True)  # noqa: T201 - for the process that started this one
            sys.stdin.read()
        return
    shared = given.shared if real_size.osric_in(given.shared) else None
    with tempfile.TemporaryDirectory(prefix="versus-costs-") as folder, real_size.book(shared) as book:
        place = Path(folder)
        asyncio.run(ingest([book], settings_in(place)))
        costs = asyncio.run(offline(place, asked(shared)))
        with served() as base_url:
            many = asyncio.run(at_once(place, base_url))
            begun = cold(place, next(text for texts in asked(shared).values() for text in texts), base_url)
    Console(width=100).print(shown(costs, many, begun))


if __name__ == "__main__":
    main(sys.argv[1:])
