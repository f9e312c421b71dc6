"""Batches in this process, with an oracle for what their output has to be."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from agent.batch.responding import Ask, Clean, Respond, responder_for
from agent.batch.run import Batch, Job
from agent.batch.source import Source
from agent.batch.stop_policy import StopPolicy
from agent.batch.tally import Tally
from agent.errors import LLMError
from agent.ingesting.ingest import ingest
from agent.settings.settings import load
from agent.types import Answer, Evidence, Plan
from agent.understanding.question.intent import Lookup
from tests.agent.shelf import BOOK


def keep_book(folder: Path, collection: str) -> None:
    """Keep the book of the shelf as a collection in a folder."""
    (folder / "book.md").write_text(BOOK, encoding="utf-8")
    settings = load({"collection": collection, "chroma": str(folder / "chroma"), "log_to": "none"})
    asyncio.run(ingest([folder / "book.md"], settings))


MADE_WITH = {"collection": "small"}


def answer_to(question: str) -> Answer:
    """An answer that shows which question it answers."""
    return Answer(question, f"So it is: {question}", Plan(question, (), Lookup("?")), Evidence(), run_id="r")


class Answerer:
    """Answers every question at once but those in `failing`, and remembers in `asked` what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.failing: set[str] = set()

    async def ask(self, question: str) -> Answer:
        self.asked.append(question)
        if question in self.failing:
            raise LLMError("busy")
        return answer_to(question)


def job_in(folder: Path, **changes: Any) -> Job:
    """From `q.jsonl` to `out.jsonl`."""
    job = Job(Source(str(folder / "q.jsonl"), 1000), folder / "out.jsonl", MADE_WITH, concurrency=4)
    return replace(job, **changes)


async def work(job: Job, ask: Ask, stop_policy: StopPolicy | None = None, clean: Clean = str) -> Tally:
    """Run a batch, and return what it counted."""

    @asynccontextmanager
    async def asking() -> AsyncIterator[Respond]:
        yield responder_for(ask, clean)

    tally = Tally()
    await Batch(job, tally, stop_policy or StopPolicy()).run(asking)
    return tally


def records(output: Path) -> dict[int, Any]:
    """The records by their lines; each line may have only one."""
    found = [orjson.loads(line) for line in output.read_bytes().splitlines()]
    assert len({record["line"] for record in found}) == len(found)
    return {record["line"]: record for record in found}


def write_questions(folder: Path, *questions: Any) -> None:
    """One line each: bytes as they are, a text as a question, and anything else as JSON."""
    lines = [each if isinstance(each, bytes) else orjson.dumps({"question": each} if isinstance(each, str) else each)
             for each in questions]  # fmt: skip
    (folder / "q.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))


def until(true: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(3000):
        if true():
            return
        pause.wait(0.01)
    raise AssertionError("it never came true")


def asking(place: Path, *flags: str, **environment: str) -> subprocess.Popen[bytes]:
    """`versus batch` that reads its standard input and plans by rules."""
    command = [sys.executable, "-m", "agent.cli.app", "batch", "-", "-o", "out.jsonl", "--planner", "rules", *flags]
    known = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "VERSUS_LOG_TO": "none"}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=known | environment, cwd=place)


def say(child: subprocess.Popen[bytes], *questions: str) -> None:
    assert child.stdin is not None
    child.stdin.writelines(orjson.dumps({"question": question}) + b"\n" for question in questions)
    child.stdin.flush()


def has_records(output: Path, count: int) -> Callable[[], bool]:
    return lambda: output.exists() and len(output.read_bytes().splitlines()) == count
