"""`versus batch` from standard input, over a Chroma server that dies, hangs and comes back."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.ingesting.ingest import ingest
from agent.settings.settings import load
from tests.agent.batches import asking, has_records, records, say, until
from tests.agent.shelf import BOOK
from tests.retrieval.conftest import free_port, wait_for
from tests.stalls import stalls

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix"),
              pytest.mark.usefixtures("empty_place")]  # fmt: skip


@contextmanager
def chroma(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        wait_for(f"http://127.0.0.1:{port}/api/v2/heartbeat", running)
        yield running
    finally:
        running.kill()
        running.wait(timeout=20)


OWLS = [f"How does a hexer rest, and what is a bog ogre's armor class? ({n})" for n in range(30)]


def states(output: Path) -> list[str]:
    return [record["error"]["type"] if "error" in record else "answered" for record in records(output).values()]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Where a server has the collection, which nobody changes, and a port for it."""
    folder, port = tmp_path_factory.mktemp("server"), free_port()
    (folder / "book.md").write_text(BOOK, encoding="utf-8")
    with chroma(folder, port):
        settings = load({"collection": "small", "chroma": f"http://127.0.0.1:{port}", "log_to": "none"})
        asyncio.run(ingest([folder / "book.md"], settings))
    return folder, port


def test_a_chroma_server_that_dies_costs_what_is_asked_meanwhile_and_nothing_more(
    served: tuple[Path, int], tmp_path: Path
) -> None:
    output = tmp_path / "out.jsonl"
    with chroma(*served):
        child = asking(tmp_path, "--collection", "small", "--chroma", f"http://127.0.0.1:{served[1]}")
        say(child, *OWLS[:10])
        until(has_records(output, 10))
    say(child, *OWLS[10:20])
    until(has_records(output, 20))
    with chroma(*served):
        back = time.monotonic()
        say(child, OWLS[20])
        until(has_records(output, 21))
        print(f"answered again {time.monotonic() - back:.2f} s after the server was back")  # noqa: T201
        say(child, *OWLS[21:])
        child.communicate(timeout=60)
        assert [*["answered"] * 10, *["RetrievalError"] * 10, *["answered"] * 10] == states(output)


def test_a_chroma_server_that_hangs_costs_each_question_its_deadline_and_no_more(
    served: tuple[Path, int], tmp_path: Path
) -> None:
    output = tmp_path / "out.jsonl"
    with chroma(*served) as running:
        child = asking(
            tmp_path, "--collection", "small", "--chroma", f"http://127.0.0.1:{served[1]}", "--deadline", "2"
        )
        say(child, *OWLS[:10])
        until(has_records(output, 10))
        running.send_signal(signal.SIGSTOP)
        try:
            say(child, *OWLS[10:20])
            until(has_records(output, 20))
        finally:
            running.send_signal(signal.SIGCONT)
        back = time.monotonic()
        say(child, *OWLS[20:])
        until(has_records(output, 30))
        print(f"answered again {time.monotonic() - back:.2f} s after the server woke up")  # noqa: T201
        child.communicate(timeout=60)
    found = states(output)
    assert ["answered"] * 10 == found[:10]
    assert set(found[10:20]) <= {"TimeoutError", "RetrievalError"}
    assert ["answered"] * 10 == found[20:]


def test_a_chroma_server_that_hangs_can_not_delay_the_end(served: tuple[Path, int], tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    with chroma(*served) as running:
        child = asking(tmp_path, "--collection", "small", "--chroma", f"http://127.0.0.1:{served[1]}")
        say(child, OWLS[0])
        until(has_records(output, 1))
        running.send_signal(signal.SIGSTOP)
        try:
            say(child, *OWLS[1:])
            threading.Event().wait(0.5)  # let them get stuck
            with stalls() as stalled:
                told = time.monotonic()
                child.terminate()
                code, seconds = child.wait(timeout=20), time.monotonic() - told
        finally:
            running.send_signal(signal.SIGCONT)
    child.communicate()
    assert (1, True, ["answered"]) == (code, seconds < 2.3 + stalled(), states(output))
