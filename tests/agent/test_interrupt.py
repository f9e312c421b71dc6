"""Ctrl-C while `versus ingest` works: a clean message, nothing left running, and the next one completes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from agent.cli.commands import interruption_note
from agent.settings.settings import Settings
from retrieval.collections.local.layout import has_vault, in_force, is_locked, leftovers
from retrieval.collections.opening import remembered_vectors

REPOSITORY = Path(__file__).parents[2]


def book(rules: int, bears: int = 0) -> str:
    """As many chunks as rules; the more bears, the longer is each embedded."""
    return "\n\n".join(f"## Rule {n}\n\nOwl number {n} flies. " + "A bear sleeps. " * bears for n in range(rules))


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix"),
    pytest.mark.usefixtures("empty_place"),
]

PHASES: dict[str, Callable[[Path], bool]] = {
    "embedding": lambda folder: has_vault(folder) and is_locked(folder),
    "building": lambda folder: any(folder.glob("*.building")),
}
BOOKS = {"embedding": book(40, bears=30), "building": book(90)}


LEFT = {
    "embedding": b"interrupted: nothing was embedded yet; the same command begins again\n",
    "building": b"interrupted: all vectors are kept, and the same command goes on from there\n",
}


def versus_ingest(place: Path, book: str) -> subprocess.Popen[bytes]:
    (place / "book.md").write_text(book, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-m", "agent.cli.app", "ingest", "book.md", "--chroma", "chroma"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )


def said_at_last(child: subprocess.Popen[bytes]) -> bytes:
    """All that it says but how far it came, which is told only to those who wait for long."""
    out, said = child.communicate(timeout=60)
    assert b"" == out
    return b"".join(line for line in said.splitlines(keepends=True) if not line.startswith(b"embedding: "))


def again() -> Result:
    """The same command, in this process."""
    return CliRunner().invoke(app, ["ingest", "book.md", "--chroma", "chroma"])


def builders(folder: Path) -> list[str]:
    """The command lines of processes that build an index in this folder, where the system tells."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if str(folder).encode() in line:
            found.append(line.decode(errors="replace"))
    return found


@pytest.mark.parametrize("phase", PHASES)
def test_ctrl_c_ends_an_ingestion_cleanly_and_the_next_one_completes(phase: str, empty_place: Path) -> None:
    folder, pause = empty_place / "chroma" / "rules", threading.Event()
    first = versus_ingest(empty_place, BOOKS[phase])
    while not PHASES[phase](folder):
        assert first.poll() is None, "it was over before it came to that"
        pause.wait(0.01)
    first.send_signal(signal.SIGINT)

    assert LEFT[phase] == said_at_last(first)
    assert 130 == first.returncode
    assert [] == builders(folder)
    assert in_force(folder) is None

    second = again()
    chunks = BOOKS[phase].count("##")
    assert (0, True) == (second.exit_code, f", {chunks} chunks" in second.stdout)
    assert second.stdout.startswith("1 file")  # of which all is known where the first had come to its rows
    assert [] == leftovers(folder)
    assert in_force(folder) is not None


def test_ctrl_c_says_how_many_vectors_are_kept_and_the_same_command_embeds_only_the_others(empty_place: Path) -> None:
    pause = threading.Event()
    first = versus_ingest(empty_place, book(700))
    while not has_vault(empty_place / "chroma" / "rules") or not remembered_vectors("chroma", "rules"):
        assert first.poll() is None, "it was over before it came to that"
        pause.wait(0.005)
    first.send_signal(signal.SIGINT)
    said = said_at_last(first)
    kept = remembered_vectors("chroma", "rules")

    assert 0 < kept < 700
    assert f"interrupted: {kept} vectors are kept, and the same command goes on from there\n" == said.decode()
    assert re.search(rf"\b{700 - kept} embedded, {kept} updated, 0 unchanged", again().stdout)


@pytest.mark.parametrize(
    ("last", "left"),
    [
        (None, "nothing was written, and a server keeps no vectors without chunks; the same command begins again"),
        (("embedding", 9, 10), "nothing was written, and a server keeps no vectors without chunks; the same command"),
        (("embedding", 10, 10), "what was written stays, and the same command goes on from there"),
    ],
)
def test_what_a_server_has_of_an_interrupted_ingestion_is_told(last: tuple[str, int, int] | None, left: str) -> None:
    assert interruption_note(Settings(chroma="http://localhost:1"), last).startswith(left)


def test_rules_that_were_proposed_are_no_vectors() -> None:
    assert interruption_note(Settings(), ("proposing", 10, 10)).startswith("nothing was embedded yet")
