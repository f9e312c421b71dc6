"""The journal of a batch: what is in it is never paid for again, also when its disk is full or it was cut short."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from agent.batch.budget import questions_for
from agent.batch.errors import BatchError
from agent.batch.journal import journal_of, journal_usage
from agent.batch.stop_policy import StopPolicy
from agent.cli.app import app
from agent.errors import SettingsError
from agent.ingesting.ingest import ingest
from agent.llm.protocol import LLMRequest, Message, Reply
from agent.llm.recorded import RecordedLLM
from agent.settings.settings import load
from agent.types import Answer, Usage
from benchmarks.batch import REPOSITORY, Model, journaled, questions
from tests.agent.batches import answer_to, job_in, records, work, write_questions
from tests.agent.logged import events_in
from tests.agent.shelf import BOOK
from tests.fake_openai import FakeOpenAI

CALLS = 4
MOST = 600_000
"""Bytes that a file may have; the journal is the only one that gets there."""
COMMAND = ["batch", "q.txt", "-o", "out.jsonl", "--planner", "llm", "--collection", "batch", "--chroma", "chroma",
           "--concurrency", str(CALLS)]  # fmt: skip


class Priced:
    """Answers with what it was asked, for money."""

    model = "dear"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def complete(self, request: LLMRequest, on_text: Callable[[str], None] | None = None) -> Reply:
        text = request.messages[0].content
        self.asked.append(text)
        return Reply(text, usage=Usage(1, len(text), 2, 0.25))

    async def close(self) -> None:
        pass


async def test_what_a_journal_has_cost_is_the_sum_of_its_replies(tmp_path: Path) -> None:
    journal = tmp_path / "j.sqlite"
    assert Usage() == journal_usage(journal)
    llm = RecordedLLM(Priced(), journal, base_url="")
    for text in ("a", "bb", "bb", "ccc"):
        await llm.complete(LLMRequest((Message("user", text),), "plan"))
    assert Usage(3, 6, 6, 0.75) == await asyncio.to_thread(journal_usage, journal)
    await llm.close()
    assert Usage(3, 6, 6, 0.75) == journal_usage(journal)


def test_a_journal_of_a_batch_that_was_killed_before_its_table_was_made_has_cost_nothing(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as database:
        database.execute("PRAGMA journal_mode = WAL")
    assert Usage() == journal_usage(tmp_path / "j.sqlite")
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as database:
        database.execute(f"PRAGMA application_id = {0x56535253}")
    assert Usage() == journal_usage(tmp_path / "j.sqlite")


@pytest.mark.parametrize(
    "content", [b"no database at all, and long enough to be none", b"SQLite format 3\0" + b"x" * 500]
)
def test_a_journal_that_is_none_is_told_with_its_place(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "j.sqlite").write_bytes(content)
    with pytest.raises(BatchError, match=r"j\.sqlite is not a file of kept replies.*paid for again"):
        journal_usage(tmp_path / "j.sqlite")


async def test_nothing_is_asked_that_could_not_be_kept_and_what_is_kept_is_told(tmp_path: Path) -> None:
    llm, known, new = Priced(), (Message("user", "known"),), (Message("user", "new"),)
    roomy = RecordedLLM(llm, tmp_path / "j.sqlite", base_url="")
    await roomy.complete(LLMRequest(known, "plan"))
    await roomy.close()
    full = RecordedLLM(llm, tmp_path / "j.sqlite", base_url="", room=10**18)
    assert "known" == (await full.complete(LLMRequest(known, "plan"))).text
    with pytest.raises(SettingsError, match=r"j\.sqlite can't be read or kept: the disk has less than"):
        await full.complete(LLMRequest(new, "plan"))
    await full.close()
    assert ["known"] == llm.asked


async def test_when_nothing_more_can_be_kept_what_is_under_way_is_finished_and_no_more_begun(tmp_path: Path) -> None:
    write_questions(tmp_path, "paid", "without room", *(f"later {n}" for n in range(9)))
    asked, full = list[str](), asyncio.Event()

    async def ask(question: str) -> Answer:
        asked.append(question)
        if question == "without room":
            full.set()
            raise SettingsError("the journal has no room")
        await full.wait()
        return answer_to(question)

    stop_policy = StopPolicy()
    tally = await work(job_in(tmp_path, concurrency=2), ask, stop_policy)
    assert (["paid", "without room"], [1]) == (asked, list(records(tmp_path / "out.jsonl")))
    assert ("failed", 1) == (stop_policy.ending, tally.done)
    assert isinstance(stop_policy.error, BatchError)
    assert "give the same command again" in str(stop_policy.error)


def limited_batch(place: Path, base_url: str, most: int) -> subprocess.CompletedProcess[bytes]:
    """Answer `q.txt` in a process that may write `most` bytes into each file."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("VERSUS_", "OPENAI_"))}
    known = {"PYTHONPATH": str(REPOSITORY), "OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "sk-loopback"}
    command = [sys.executable, "-m", "agent.cli.app", *COMMAND]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        command, cwd=place, env=clean | known, capture_output=True, preexec_fn=limited, check=False, timeout=120
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
def test_a_journal_without_room_stops_the_batch_and_what_is_in_it_is_not_paid_again(empty_place: Path) -> None:
    (empty_place / "book.md").write_text(BOOK, encoding="utf-8")
    asyncio.run(ingest([empty_place / "book.md"], load({"collection": "batch", "chroma": "chroma", "log_to": "none"})))
    (empty_place / "q.txt").write_text("\n".join(questions(30)), encoding="utf-8")
    model, output = Model(), empty_place / "out.jsonl"

    def long_plan(chat: dict[str, Any]) -> str:
        said = model.respond(chat)
        return said + " " * 60_000 if "response_format" in chat else said

    with FakeOpenAI(long_plan, latency=0.05).running() as server:
        full = limited_batch(empty_place, server.base_url, MOST)
        paid, asked, there = journaled(output), Counter(model.asked), records(output)
        known = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-loopback"}
        done = CliRunner().invoke(app, COMMAND, env=known)

    assert 1 == full.returncode
    assert b"out.jsonl.journal.sqlite can't be read or kept" in full.stderr
    assert b"give the same command again" in full.stderr
    assert 1 == len(full.stderr.splitlines())
    (ending,) = [event for event in events_in(empty_place / "logs") if event["event"] == "batch.completed"][:1]
    (failed,) = [event for event in events_in(empty_place / "logs") if event["event"] == "command.failed"]
    assert ("failed", len(there), "BatchError") == (ending["ending"], ending["done"], failed["error"])
    assert ending["batch_id"] == failed["batch_id"]
    # What was under way when the room was gone could not be kept: a call of each question, and no more.
    assert 0 < len(asked) - len(paid) <= questions_for(CALLS)
    assert 0 < len(there) < 30

    assert 3 == done.exit_code, done.stderr
    assert set(range(1, 31)) == set(records(output))
    assert there.items() <= records(output).items()
    again = {mark for mark, times in Counter(model.asked).items() if times > 1}
    assert set() == again & paid
    with closing(sqlite3.connect(journal_of(output))) as database:
        kept = [orjson.loads(reply) for (reply,) in database.execute("SELECT reply FROM replies")]
    assert len(set(model.asked)) == len(kept)
