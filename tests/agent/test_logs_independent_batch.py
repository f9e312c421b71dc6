"""The log of a batch explains its output: `versus logs` against figures computed from the lines of the output alone.

Whole processes, a language model on loopback that costs money and fails as told, and no code of ours but the command.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from tests.agent.batches import keep_book, until
from tests.agent.logged import nearest_rank
from tests.fake_chat import FAULTS, completion
from tests.fake_openai import FakeOpenAI
from tests.loopback import Reply, Request

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")]

REPOSITORY = Path(__file__).parents[2]
Figures = dict[str, Any]
GOOD = [f"What does a level {n} {who} need to hit armor class {ac}?" for n in (1, 4) for who in ("reaver", "hexer")
        for ac in (9, 5, 3)]  # fmt: skip
NEEDY = [
    "What is the armor class of a bog ogre, and what is the airspeed of a swallow?",
    "What is a lightsaber's damage?",
]
TROUBLED = [f"What is the armor class of a bog ogre? (told {fault})" for fault in ("429", "500", "cut", "hung")]
POISON = [b"\xff\xfe not utf-8", b'{"question": "with a \\u0000 in it"}', b"no json", b'{"id": 5}', b'{"question": 7}',
          json.dumps({"id": "twice", "question": GOOD[1]}).encode()]  # fmt: skip


def respond(chat: dict[str, Any]) -> Any:
    """A plan or some words; a question that was told a fault gets that."""
    fault = re.search(r"\(told (\w+)\)", json.dumps(chat))
    if "response_format" in chat:
        said = json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": "reaver attack table, armor class 5"}]})
    else:
        said = "It needs a 15 [1]."
    return FAULTS[fault[1]](completion(chat, said)) if fault else said


class Proxy(FakeOpenAI):
    """Plays the proxy to an endpoint elsewhere, for only what is elsewhere has a price."""

    def answer(self, request: Request) -> Reply:
        """As the endpoint would."""
        return super().answer(replace(request, path=urlsplit(request.path).path))

    @property
    def environment(self) -> dict[str, str]:
        """What leads a process here."""
        proxies = {"HTTP_PROXY": self.base_url.removesuffix("/v1"), "NO_PROXY": ""}
        return {**proxies, "OPENAI_BASE_URL": "http://model.example/v1", "OPENAI_API_KEY": "sk-loopback"}


@contextmanager
def endpoint(latency: float = 0.0) -> Iterator[dict[str, str]]:
    with Proxy(respond, latency=latency).running() as server:
        assert isinstance(server, Proxy)
        yield server.environment


def started(place: Path, *words: str, **environment: str) -> subprocess.Popen[bytes]:
    """`versus` in `place`."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("VERSUS_", "OPENAI_"))}
    known = clean | {"PYTHONPATH": str(REPOSITORY), "VERSUS_COLLECTION": "small", "VERSUS_CHROMA": "chroma"}
    known |= {"VERSUS_MODEL": "dear", "VERSUS_LLM_PRICES": '{"dear": [1000, 5000]}'}
    command = [sys.executable, "-m", "agent.cli.app", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=place, env=known | environment)


def finished(child: subprocess.Popen[bytes]) -> bytes:
    out, said = child.communicate(timeout=120)
    assert child.returncode in (0, 2, 3), said.decode()
    return out


def batch(place: Path, *flags: str, **environment: str) -> subprocess.Popen[bytes]:
    words = ["batch", "q.jsonl", "-o", "out.jsonl", "--planner", "llm", "--deadline", "10", *flags]
    return started(place, *words, **environment)


def told(place: Path) -> Figures:
    """What `versus logs` says."""
    logs = CliRunner().invoke(
        app, ["logs", "--json"], env={"VERSUS_LOG_DIR": str(place / "logs"), "VERSUS_LOG_TO": "none"}
    )
    return dict(json.loads(logs.stdout))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the collection."""
    folder = tmp_path_factory.mktemp("batch")
    keep_book(folder, "small")
    return folder


@pytest.fixture
def empty(place: Path) -> Path:
    """The same folder without output, journal and log."""
    for file in [*place.glob("out.jsonl*"), *place.glob("logs/*.jsonl")]:
        file.unlink()
    return place


def write(place: Path, lines: Sequence[str | bytes]) -> None:
    whole = [each if isinstance(each, bytes) else json.dumps({"question": each}).encode() for each in lines]
    (place / "q.jsonl").write_bytes(b"".join(each + b"\n" for each in whole))


def lines_of(file: Path) -> list[Figures]:
    """The lines that are whole."""
    return [json.loads(line) for line in file.read_bytes().split(b"\n")[:-1]] if file.exists() else []


def events_of(place: Path, name: str) -> list[Figures]:
    events = [event for file in sorted(place.glob("logs/*.jsonl")) for event in lines_of(file)]
    return [event for event in events if event["event"] == name]


def status(record: Figures) -> str:
    return "failed" if "error" in record else "answered" if record["stop_reason"] == "complete" else "in_part"


def counts_of(records: Sequence[Figures]) -> Figures:
    """What `records` has to be in the figures."""
    found = Counter(map(status, records))
    errors = Counter(record["error"]["type"] for record in records if "error" in record)
    copies = sum("same_as" in record for record in records)
    counts = {name: found[name] for name in ("answered", "in_part", "failed")}
    return {"total": len(records), **counts, "errors": dict(errors), "copies": copies}


def test_the_figures_of_the_log_are_those_of_the_output(empty: Path) -> None:
    first = json.dumps({"id": "twice", "question": GOOD[0]}).encode()
    write(empty, [first, *GOOD, *POISON, *NEEDY, *TROUBLED, *GOOD[:5], *NEEDY])
    with endpoint() as environment:
        finished(batch(empty, "--concurrency", "6", **environment))
    records, figures = lines_of(empty / "out.jsonl"), told(empty)
    asked = [record for record in records if "error" not in record and "same_as" not in record]

    # What the batch wrote.
    assert 1 + len(GOOD) + len(POISON) + len(NEEDY) + len(TROUBLED) + 5 + len(NEEDY) == len(records)
    assert counts_of(records) == figures["records"]
    assert {"QuestionError": len(POISON)} == figures["records"]["errors"]  # a model that hangs leaves time to the rules
    (run,) = figures["batches"]
    assert counts_of(records) == {name: run[name] for name in figures["records"]}
    assert ("complete", str(empty / "out.jsonl")) == (run["ending"], run["output"])
    whole = {"done": len(records), "total": len(records), "copies": figures["records"]["copies"]}
    assert whole == {name: run["whole"][name] for name in whole}

    # What it asked: each question once.
    assert {record["run_id"] for record in asked} == {each["run_id"] for each in figures["runs"]}
    assert dict(Counter(record["stop_reason"] for record in asked)) == figures["outcomes"]
    assert (len(asked), 0, 0) == tuple(figures["questions"][n] for n in ("total", "stopped", "unfinished"))
    needs = Counter(item["need"] for record in asked for item in record["unanswered"])
    assert dict(needs) == {item["need"]: item["count"] for item in figures["unanswered"]}
    assert needs

    # What that cost, and how long it took.
    for name, named in (("llm_calls", "calls"), ("prompt_tokens",) * 2, ("completion_tokens",) * 2, ("cost_usd",) * 2):
        spent = sum(record["usage"][name] for record in asked)
        assert pytest.approx(spent, rel=1e-9) == figures["llm"][named]
    assert figures["llm"]["cost_usd"] > 0
    assert pytest.approx(figures["llm"]["cost_usd"], abs=1e-6) == run["whole"]["cost_usd"]
    durations = [record["timings_ms"]["total"] for record in asked]
    assert len(durations) == figures["latency_ms"]["total"]["count"]
    for percent in (50, 95, 99):
        assert nearest_rank(durations, percent) == figures["latency_ms"]["total"][f"p{percent}"]


def tells(event: Figures) -> tuple[Any, ...]:
    return event["line"], event["id"], event["status"], event["same_as"], event["error"]


def written(record: Figures) -> tuple[Any, ...]:
    kind = record["error"]["type"] if "error" in record else None
    return record["line"], record["id"], status(record), record.get("same_as"), kind


def test_after_a_kill_every_line_that_was_not_on_disk_is_told_once(empty: Path) -> None:
    write(empty, [*POISON[:3], *GOOD, *POISON[3:], *NEEDY, *GOOD[::2]])
    output = empty / "out.jsonl"
    with endpoint(latency=0.1) as environment:
        child = batch(empty, "--concurrency", "2", **environment)
        until(lambda: len(lines_of(output)) >= 8)
        child.kill()
        child.communicate()
        there = {record["line"] for record in lines_of(output)}
        assert (-signal.SIGKILL, True) == (child.returncode, 8 <= len(there) < 26)
        finished(batch(empty, "--concurrency", "4", **environment))
    records, events, figures = lines_of(output), events_of(empty, "batch.recorded"), told(empty)
    times = Counter(event["line"] for event in events)

    assert {line: 1 for line in range(1, 27) if line not in there} == {
        line: count for line, count in times.items() if line not in there
    }
    assert {1} == set(times.values())
    assert set(map(tells, events)) <= set(map(written, records))
    assert 26 - len(there - set(times)) == figures["records"]["total"] == len(events)
    second, first = figures["batches"]
    assert ("complete", None) == (second["ending"], first["ending"])
    assert len(there & set(times)) == first["total"]
    whole = {"done": 26, "total": 26, **{name: count for name, count in counts_of(records).items() if name != "total"}}
    del whole["errors"]
    assert whole == {name: second["whole"][name] for name in whole}
    assert counts_of([record for record in records if record["line"] not in there]) == {
        name: second[name] for name in figures["records"]
    }


@pytest.mark.parametrize("flags", [(), ("--max-cost", "18")])
def test_questions_that_a_stop_cuts_off_are_stopped_and_not_failed(flags: tuple[str, ...], empty: Path) -> None:
    write(empty, GOOD if flags else [GOOD[0], *(f"{TROUBLED[-1]} {n}" for n in range(3))])
    output = empty / "out.jsonl"
    with endpoint() as environment:
        child = batch(empty, "--concurrency", "4", "--deadline", "60", *flags, **environment)
        if not flags:
            until(lambda: len(lines_of(output)) == 1 and len(events_of(empty, "question.received")) > 2)
            child.terminate()
        child.communicate(timeout=60)
    records, figures = lines_of(output), told(empty)
    begun = {event["run_id"] for event in events_of(empty, "question.received")}
    assert (3 if flags else 1) == child.returncode
    assert ["budget" if flags else "interrupted"] == [each["ending"] for each in figures["batches"]]
    assert (len(begun) - len(records), 0, 0) == tuple(
        figures["questions"][name] for name in ("stopped", "failed", "unfinished")
    )
    assert len(begun) > len(records)
    assert counts_of(records) == figures["records"]
    assert "question.failed" not in figures["warnings_and_errors"]
    assert pytest.approx(figures["llm"]["cost_usd"], abs=1e-6) == figures["batches"][0]["whole"]["cost_usd"]
    assert {each["batch_id"] for each in figures["batches"]} == {
        event.get("batch_id") for event in events_of(empty, "question.failed")
    }
