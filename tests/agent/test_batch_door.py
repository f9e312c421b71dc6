"""`versus batch` as a process: killed, stopped, starved of disk, refused, watched; nothing is lost and no key shown."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.ingesting.ingest import ingest
from agent.settings.settings import load
from benchmarks.batch import Model, kill_again_and_again, start
from tests.agent.batches import asking, has_records, keep_book, records, say, until
from tests.agent.logged import events_in
from tests.fake_openai import FakeOpenAI
from tests.stalls import stalls

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and modes of Unix")]

CANARY = "sk-canary-0123456789abcdef"
QUESTIONS = [f"What does a level {n} reaver need to hit armor class {ac}?" for n in range(1, 5) for ac in (9, 5, 3)]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the collection."""
    folder = tmp_path_factory.mktemp("book")
    keep_book(folder, "batch")
    return folder


@pytest.fixture
def place(book: Path, empty_place: Path) -> Path:
    """An empty current folder with twelve questions and a link to the collection; each copy would be examined."""
    (empty_place / "chroma").symlink_to(book / "chroma")
    (empty_place / "q.txt").write_text("\n".join(QUESTIONS), encoding="utf-8")
    return empty_place


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(Model().respond).running() as running:
        yield running


def batch(*arguments: str, **environment: str) -> Any:
    """The command in this process: a new one takes seconds to start."""
    flags = ["--collection", "batch", "--chroma", "chroma"]
    return CliRunner().invoke(app, ["batch", *arguments, "-o", "out.jsonl", *flags], env=environment)


def batch_by(server: FakeOpenAI, *arguments: str, **environment: str) -> Any:
    """The same with a planner at this server."""
    known = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": CANARY, **environment}
    return batch("q.txt", "--planner", "llm", *arguments, **known)


def test_a_book_that_is_ingested_again_between_two_runs_is_told(book: Path, place: Path) -> None:
    (place / "chroma").unlink()
    shutil.copytree(book / "chroma", place / "chroma")
    assert 3 == batch("q.txt", "--max-questions", "2", "--planner", "rules").exit_code
    (place / "more.md").write_text("# Trolls\n\nA troll grows again.\n", encoding="utf-8")
    asyncio.run(ingest([place / "more.md"], load({"collection": "batch", "chroma": "chroma", "log_to": "none"})))
    told = batch("q.txt", "--planner", "rules").stdout

    assert "the collection has changed since the first 2 records" in " ".join(told.split())
    assert 12 == len(records(place / "out.jsonl"))


def test_killed_again_and_again_nothing_is_lost_doubled_or_paid_twice(book: Path) -> None:
    killed = kill_again_and_again(book, 40, 3, seed=5)
    assert (0, 0, 0, 0) == (killed.lost, killed.doubled, killed.broken, killed.paid_again)
    assert killed.kills >= 2
    assert killed.requests >= 80


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_within_two_seconds_and_the_same_command_goes_on(place: Path, number: signal.Signals) -> None:
    with FakeOpenAI(Model().respond, latency=0.3).running() as server:
        first = start(place, server.base_url, "--concurrency", "2")
        output = place / "out.jsonl"
        until(lambda: output.exists() and output.stat().st_size > 0)
        with stalls() as stalled:
            told = time.monotonic()
            first.send_signal(number)
            out, said = first.communicate(timeout=20)
            seconds = time.monotonic() - told

        assert 1 == first.returncode
        assert seconds < 2.2 + stalled()
        assert b"give the same command again" in said
        assert b"interrupted" in out
        done = records(output)
        assert 1 <= len(done) < 12
        batch_by(server)
    assert set(range(1, 13)) == set(records(output))
    assert done.items() <= records(output).items()


def test_a_model_that_hangs_can_not_delay_the_end(place: Path) -> None:
    with FakeOpenAI(Model().respond, faults={"hung": 1.0}).running() as server:
        child = start(place, server.base_url)
        until(lambda: len(server.requests) >= 12)
        with stalls() as stalled:
            told = time.monotonic()
            child.terminate()
            child.communicate(timeout=20)
            seconds = time.monotonic() - told
        assert seconds < 2.2 + stalled()
    assert {} == records(place / "out.jsonl")


@pytest.mark.parametrize("fault", ["401", "quota"])
def test_a_model_that_refuses_stops_the_batch_and_a_key_that_fits_goes_on(place: Path, fault: str) -> None:
    with FakeOpenAI(Model().respond, faults={fault: 1.0}).running() as server:
        child = start(place, server.base_url, OPENAI_API_KEY=CANARY, VERSUS_LOG_LEVEL="debug")
        out, said = child.communicate(timeout=60)
        assert (1, True) == (child.returncode, len(server.requests) <= 21)
    assert {} == records(place / "out.jsonl")
    _require_no_key(place, out, said)
    assert ("the language model refuses" in out.decode(), "LLMRefused" in said.decode()) == (True, False)
    assert b"error: the language model" in said
    with FakeOpenAI(Model().respond).running() as server:
        again = batch_by(server, VERSUS_LOG_LEVEL="debug")
    assert 12 == len(records(place / "out.jsonl"))
    _require_no_key(place, again.output.encode())


def test_no_key_is_in_anything_that_is_written_or_said(place: Path) -> None:
    (place / "q.txt").write_text("\n".join(QUESTIONS[:4]), encoding="utf-8")
    faults = {"html": 0.25, "cut": 0.25, "500": 0.2, "dropped": 0.25}
    with FakeOpenAI(Model().respond, faults=faults).running() as server:
        child = start(place, server.base_url, OPENAI_API_KEY=CANARY, VERSUS_LLM_TIMEOUT="1", VERSUS_LOG_LEVEL="debug",
                      VERSUS_DEADLINE="5")  # fmt: skip
        said = child.communicate(timeout=60)
    _require_no_key(place, *said)


def _require_no_key(place: Path, *said: bytes) -> None:
    written = [path for path in place.rglob("*") if path.is_file() and "chroma" not in path.parts]
    assert {"out.jsonl", "out.jsonl.manifest.json", "out.jsonl.journal.sqlite"} <= {path.name for path in written}
    assert [] == [path for path in written if CANARY.encode() in path.read_bytes()]
    assert CANARY.encode() not in b"".join(said)


def test_a_model_on_this_machine_costs_what_it_is_said_to_and_without_a_price_no_budget_is_kept(
    place: Path, server: FakeOpenAI
) -> None:
    unpriced = batch_by(server, "--json", "--max-cost", "0")
    assert "--max-cost needs to know what the model" in unpriced.stderr
    assert (2, 0) == (unpriced.exit_code, len(server.requests))

    priced = batch_by(server, "--json", "--max-cost", "0", VERSUS_LLM_PRICES='{"gpt-4o-mini": [0, 0]}')
    summary = orjson.loads(priced.stdout.splitlines()[-1])
    assert ("complete", 12, 0.0) == (summary["ending"], summary["done"], summary["cost_usd"])
    assert summary["llm_calls"] == len(server.requests)


def test_a_model_is_asked_by_one_process_however_many_are_wanted(place: Path, server: FakeOpenAI) -> None:
    told = batch_by(server, "--processes", "3", VERSUS_LOG_TO="file", VERSUS_LOG_DIR="log").stdout
    assert "a batch with a language model is answered by one process" in " ".join(told.split())
    assert 12 == len(records(place / "out.jsonl"))
    assert "batch.joined" not in {event["event"] for event in events_in(place / "log")}


def test_a_budget_needs_a_price(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    result = batch("q.txt", "--max-cost", "1", "--planner", "llm", "--model", "unheard-of")
    assert 2 == result.exit_code
    assert "what the model 'unheard-of' costs" in " ".join(result.stderr.split())


def test_a_stream_can_not_be_shuffled(place: Path) -> None:
    result = batch("-", "--shuffle", "1", "--planner", "rules")
    assert 2 == result.exit_code
    assert "--shuffle needs a file" in result.stderr


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['versus', 'batch', '--help']\n"
        "import agent.cli.app\n"
        "try: agent.cli.app.main()\n"
        "finally: sys.stderr.write(','.join({'torch', 'chromadb', 'numpy', 'openai', 'orjson'} & set(sys.modules)))\n"
    )
    known = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=known, check=False)
    assert (0, b"", True) == (done.returncode, done.stderr, b"--retry-failed" in done.stdout)


def limited(most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_a_disk_that_is_full_stops_it_and_room_lets_it_go_on(place: Path) -> None:
    command = [sys.executable, "-m", "agent.cli.app", "batch", "q.txt", "-o", "out.jsonl", "--collection", "batch"]
    command += ["--chroma", "chroma", "--planner", "rules"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "VERSUS_LOG_TO": "none"}
    done = subprocess.run(command, capture_output=True, env=environment, preexec_fn=limited(20_000), check=False)
    output = place / "out.jsonl"
    assert 1 == done.returncode
    assert b"out.jsonl can't be written (File too large)" in done.stderr
    assert b"give the same command again" in done.stderr
    assert output.read_bytes().endswith(b"\n") or output.stat().st_size == 0
    assert len(records(output)) < 12

    assert 0 == batch("q.txt", "--planner", "rules").exit_code
    assert set(range(1, 13)) == set(records(output))


def test_a_folder_that_can_not_be_written_is_told_at_once(place: Path) -> None:
    through = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []
    if through and shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and there is no setpriv to take that away")
    locked = place / "locked"
    locked.mkdir(mode=0o555)
    command = [*through, sys.executable, "-m", "agent.cli.app", "batch", "q.txt", "-o", "locked/out.jsonl"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "VERSUS_LOG_TO": "none"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert 1 == done.returncode
    assert b"can't be written (Permission denied)" in done.stderr


def test_a_second_batch_on_the_same_output_is_refused(place: Path) -> None:
    with FakeOpenAI(Model().respond, latency=0.5).running() as server:
        first = start(place, server.base_url)
        until(lambda: len(server.requests) > 0)
        first.send_signal(signal.SIGSTOP)
        second = batch_by(server)
        first.send_signal(signal.SIGCONT)
        assert (1, True) == (second.exit_code, "another process is writing" in second.stderr)
        first.communicate(timeout=60)
    assert 12 == len(records(place / "out.jsonl"))


def test_other_settings_are_wrong_usage_and_are_named(place: Path) -> None:
    assert 0 == batch("q.txt", "--max-questions", "12", "--planner", "rules").exit_code
    result = batch("q.txt", "--planner", "rules", "-k", "3")
    assert 2 == result.exit_code
    assert "max_chunks was 12 and is 3" in " ".join(result.stderr.split())


def test_with_json_the_last_line_is_the_summary(place: Path) -> None:
    (place / "q.txt").write_text("\n".join([*QUESTIONS[:3], "", QUESTIONS[0]]), encoding="utf-8")
    result = batch("q.txt", "--json", "--planner", "rules", "--shuffle", "3")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert 0 == result.exit_code
    assert ["progress"] * (len(lines) - 1) + ["summary"] == [line["event"] for line in lines]
    assert ("complete", 4, 4, 1) == tuple(lines[-1][name] for name in ("ending", "done", "total", "copied"))


def test_what_is_answered_in_part_is_3_and_what_not_at_all_is_1(place: Path) -> None:
    (place / "q.txt").write_text(f"{QUESTIONS[0]}\nWhat is the airspeed of a swallow?\n", encoding="utf-8")
    assert 3 == batch("q.txt", "--planner", "rules").exit_code
    (place / "bad.jsonl").write_text("no json\n", encoding="utf-8")
    assert 1 == batch("bad.jsonl", "--planner", "rules", "--no-resume").exit_code


def test_an_old_output_is_overwritten_only_by_a_batch_that_can_begin(place: Path) -> None:
    assert 0 == batch("q.txt", "--planner", "rules").exit_code
    before = (place / "out.jsonl").read_bytes()
    (place / "chroma").rename(place / "elsewhere")
    assert 0 != batch("q.txt", "--planner", "rules", "--no-resume").exit_code
    (place / "elsewhere").rename(place / "chroma")

    assert before == (place / "out.jsonl").read_bytes()
    assert "from earlier runs  12" in batch("q.txt", "--planner", "rules").stdout


def test_standard_input_is_answered_as_it_comes(place: Path) -> None:
    child = asking(place, "--collection", "batch", "--chroma", "chroma")
    for number, question in enumerate(QUESTIONS[:3], 1):
        say(child, question)
        until(has_records(place / "out.jsonl", number))
    child.communicate(timeout=60)
    assert (0, {1, 2, 3}) == (child.returncode, set(records(place / "out.jsonl")))


def test_who_waits_for_standard_input_ends_at_once_when_told(place: Path) -> None:
    child = asking(place, "--collection", "batch", "--chroma", "chroma")
    say(child, QUESTIONS[0])
    until(has_records(place / "out.jsonl", 1))
    with stalls() as stalled:
        told = time.monotonic()
        child.terminate()
        code, seconds = child.wait(timeout=20), time.monotonic() - told
    assert 1 == code
    assert seconds < 2.2 + stalled()
    child.communicate()
