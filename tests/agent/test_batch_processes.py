"""Batches that several processes answer: the same records and log as of one, and nobody is left when it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from agent import events
from agent.ask import Agent
from agent.batch.manifest import contents
from agent.batch.responding import responder_for, secret_masker
from agent.cli.batch_process import batch_process
from agent.render.data import as_object
from agent.settings.settings import Settings, load
from retrieval.errors import ProcessEnded
from tests.agent.batches import asking, has_records, keep_book, records, say, until
from tests.agent.logged import events_in
from tests.stalls import stalls

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")]

QUESTIONS = [f"What does a level {n} reaver need to hit armor class {ac}?" for n in range(1, 5) for ac in (9, 5, 3)]
FLAGS = ("--collection", "batch", "--chroma", "chroma")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the collection."""
    folder = tmp_path_factory.mktemp("book")
    keep_book(folder, "batch")
    return folder


@pytest.fixture
def place(book: Path, empty_place: Path) -> Path:
    """An empty current folder with a link to the collection."""
    (empty_place / "chroma").symlink_to(book / "chroma")
    return empty_place


@pytest.fixture
def settings(place: Path) -> Settings:
    return load({"collection": "batch", "chroma": str(place / "chroma"), "planner": "rules", "log_dir": place / "log"})


def children(process: int) -> list[int]:
    """The numbers of the processes that a process has started and that are still there."""
    found = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for path in found for number in path.read_text().split()]


def is_there(process: int) -> bool:
    """Whether it works; one that has ended and that nobody has asked about stays in the list for a while."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def joined(place: Path) -> list[int]:
    """The processes that have told the log that they answer."""
    return [event["process"] for event in events_in(place / "logs") if event["event"] == "batch.joined"]


def started(place: Path, **environment: str) -> tuple[subprocess.Popen[bytes], int]:
    """A batch that waits for questions, has answered one, and has another process that is ready; with its number."""
    child = asking(place, *FLAGS, "--processes", "2", VERSUS_LOG_TO="file", **environment)
    say(child, QUESTIONS[0])
    until(lambda: has_records(place / "out.jsonl", 1)() and joined(place) != [])
    return child, joined(place)[0]


def told(record: Mapping[str, Any]) -> dict[str, Any]:
    """What a record says but for times and for the last digits of distances."""
    kept = {name: value for name, value in record.items() if name not in ("timings_ms", "run_id", "checksum")}
    found: dict[str, Any] = json.loads(json.dumps(kept), parse_float=lambda number: round(float(number), 4))
    for each in found.get("retrieved", ()):
        each["ms"] = 0
    return found


async def test_another_process_says_the_same_and_logs_the_same_under_the_same_ids(settings: Settings) -> None:
    asked = [QUESTIONS[0], "Who is Nobody?", "lone \ud800 surrogate", "x" * 30_000]
    with events.configure_logging(settings), events.bind(batch_id="b"):
        async with Agent.open(settings) as agent, batch_process(settings, contents(settings)) as other:
            for question in asked:
                with events.bind(run_id="here"):
                    here = await responder_for(agent.ask, secret_masker(settings))(question)
                with events.bind(run_id="there"):
                    there = await other.respond(question)
                assert told(as_object(here)) == told(there)
                assert "there" == there["run_id"]

    logged = events_in(settings.log_dir)
    ours, theirs = ([e for e in logged if e.get("run_id") == run] for run in ("here", "there"))
    assert [event["event"] for event in ours] == [event["event"] for event in theirs]
    assert [set(event) for event in ours] == [set(event) for event in theirs]
    assert {"b"} == {event["batch_id"] for event in logged if "batch_id" in event}
    assert len(logged) == len(ours) + len(theirs)


async def test_another_process_refuses_a_collection_that_changed_meanwhile(settings: Settings) -> None:
    with pytest.raises(ProcessEnded, match="the collection has changed since the batch began"):
        async with batch_process(settings, "before"):
            pass


async def test_settings_are_those_of_who_starts_it_whatever_the_folder_says_now(settings: Settings) -> None:
    Path(".env").write_text("VERSUS_MAX_QUESTION_CHARS=3\nVERSUS_COLLECTION=another\n", encoding="utf-8")
    async with batch_process(settings, contents(settings)) as other:
        assert "error" not in await other.respond(QUESTIONS[0])


def test_one_that_is_killed_costs_what_it_has_and_the_rest_is_answered(place: Path) -> None:
    child, other = started(place)
    os.kill(other, signal.SIGSTOP)
    say(child, *QUESTIONS[1:5])
    until(lambda: any(has_records(place / "out.jsonl", count)() for count in (2, 3, 4)))
    os.kill(other, signal.SIGKILL)
    until(has_records(place / "out.jsonl", 5))
    say(child, *QUESTIONS[5:])
    out, _ = child.communicate(timeout=60)

    assert 3 == child.returncode
    assert "one process less answers the questions" in " ".join(out.decode().split())
    lost = [record for record in records(place / "out.jsonl").values() if "error" in record]
    assert 1 <= len(lost) <= 3
    assert {("ProcessEnded", True)} == {
        (record["error"]["type"], "SIGKILL; --retry-failed asks it again" in record["error"]["message"])
        for record in lost
    }
    again = asking(place, *FLAGS, "--retry-failed")
    say(again, *QUESTIONS)
    again.communicate(timeout=60)
    assert 0 == again.returncode
    assert set(range(1, 13)) == set(records(place / "out.jsonl"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nobody_is_left_when_the_batch_is_ended_and_the_same_command_goes_on(
    place: Path, number: signal.Signals
) -> None:
    child, other = started(place)
    os.kill(other, signal.SIGSTOP)
    say(child, *QUESTIONS[1:5])
    until(lambda: any(has_records(place / "out.jsonl", count)() for count in (2, 3, 4)))
    os.kill(other, signal.SIGCONT)
    with stalls() as stalled:
        since = time.monotonic()
        child.send_signal(number)
        child.wait(timeout=20)
        until(lambda: not is_there(other))
        seconds = time.monotonic() - since
    assert seconds < 4.2 + stalled()
    child.communicate()
    before = records(place / "out.jsonl")
    again = asking(place, *FLAGS, "--processes", "2")
    say(again, *QUESTIONS)
    again.communicate(timeout=60)

    assert 0 == again.returncode
    assert before.items() <= records(place / "out.jsonl").items()
    assert set(range(1, 13)) == set(records(place / "out.jsonl"))


def test_a_batch_that_is_killed_while_another_process_opens_leaves_nobody(place: Path) -> None:
    child = asking(place, *FLAGS, "--processes", "3")
    say(child, QUESTIONS[0])
    until(lambda: len(children(child.pid)) == 2)
    others = children(child.pid)
    child.kill()
    child.communicate()
    until(lambda: not any(map(is_there, others)))


def test_few_questions_are_answered_by_one_process(place: Path) -> None:
    child = asking(place, *FLAGS, VERSUS_LOG_TO="file")
    for number, question in enumerate(QUESTIONS[:3], 1):
        say(child, question)
        until(has_records(place / "out.jsonl", number))
        assert [] == children(child.pid)
    child.communicate(timeout=60)
    assert (0, []) == (child.returncode, joined(place))


def test_what_the_log_says_of_a_batch_is_what_its_records_say(place: Path) -> None:
    child, other = started(place)
    os.kill(other, signal.SIGSTOP)
    say(child, *QUESTIONS[1:])
    until(lambda: any(has_records(place / "out.jsonl", count)() for count in range(2, 12)))
    os.kill(other, signal.SIGCONT)
    child.communicate(timeout=60)
    found, logged = records(place / "out.jsonl"), events_in(place / "logs")

    assert (0, 12) == (child.returncode, len(found))
    for name in ("question.received", "answer.completed", "batch.recorded"):
        runs = sorted(event["run_id"] for event in logged if event["event"] == name)
        assert sorted(record["run_id"] for record in found.values()) == runs
    assert 1 == len({event["batch_id"] for event in logged})
    assert orjson.loads((place / "out.jsonl.manifest.json").read_bytes())["made_with"].get("batch_processes") is None
