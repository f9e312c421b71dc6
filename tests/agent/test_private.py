"""Files that hold questions, replies or keys are their owner's alone, under a umask that would let everybody read."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from agent.llm.protocol import LLMRequest
from agent.llm.recorded import RecordedLLM
from agent.llm.scripted import ScriptedLLM
from agent.settings.private_files import make_private, make_private_folder
from tests.agent.shelf import BOOK
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")

QUESTIONS = ["What do people in swamps say about bog ogres?", ""]


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def place(empty_place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with a collection, questions, and a model whose replies are kept."""
    (empty_place / "book.md").write_text(BOOK, encoding="utf-8")
    (empty_place / "q.txt").write_text("\n".join(QUESTIONS), encoding="utf-8")
    with FakeOpenAI().running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("VERSUS_LLM_CACHE", "replies/inner/cache.sqlite")
        assert 0 == versus("ingest", "book.md").exit_code
        yield empty_place


def versus(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(place: Path, *patterns: str) -> dict[str, int]:
    """Of all files and folders that match, relative to the place."""
    return {str(path.relative_to(place)): mode(path) for pattern in patterns for path in place.glob(pattern)}


def test_log_replies_journal_output_and_manifest_are_the_owners_alone(place: Path) -> None:
    assert versus("ask", QUESTIONS[0]).exit_code in (0, 3)
    assert versus("batch", "q.txt", "-o", "out.jsonl", "--retry-failed").exit_code in (0, 3)
    found = modes(
        place, "out.jsonl", "out.jsonl.manifest.json", "out.jsonl.journal.sqlite*", "logs/*", "replies/**/*.*"
    )

    assert {0o600} == set(found.values())
    assert {"out.jsonl", "out.jsonl.manifest.json", "out.jsonl.journal.sqlite", "replies/inner/cache.sqlite"} <= set(
        found
    )
    assert 1 == sum(name.startswith("logs/versus-") for name in found)
    assert {0o700} == {mode(place / name) for name in ("logs", "replies", "replies/inner")}


def test_files_that_others_may_read_are_tightened_when_they_are_written_again(place: Path) -> None:
    versus("batch", "q.txt", "-o", "out.jsonl")
    before = modes(place, "out.jsonl", "out.jsonl.*.*", "logs/*.jsonl")
    for name in before:
        (place / name).chmod(0o644)
    with (place / "q.txt").open("a") as questions:
        questions.write("\nWhat is a hexer?\n")
    versus("batch", "q.txt", "-o", "out.jsonl", "--retry-failed")

    assert before == modes(place, "out.jsonl", "out.jsonl.*.*", "logs/*.jsonl")


def test_a_link_in_the_place_of_a_log_is_not_written_through(empty_place: Path) -> None:
    (empty_place / "logs").mkdir()
    theirs = empty_place / "theirs"
    theirs.write_text("as it was")
    for day in (datetime.now(UTC), datetime.now(UTC) + timedelta(days=1)):  # it may be nearly midnight
        (empty_place / "logs" / f"versus-{day:%Y%m%d}.jsonl").symlink_to(theirs)
    result = versus("plan", "What is a hexer?")

    assert "as it was" == theirs.read_text()
    assert "note: no log is written" in result.stderr


async def test_what_sqlite_keeps_beside_the_replies_is_the_owners_alone_too(tmp_path: Path) -> None:
    llm = RecordedLLM(ScriptedLLM(["so it is"]), tmp_path / "replies.sqlite")
    await llm.complete(LLMRequest((), "plan"))
    beside = modes(tmp_path, "*")
    await llm.close()

    assert {"replies.sqlite": 0o600, "replies.sqlite-wal": 0o600, "replies.sqlite-shm": 0o600} == beside


def test_a_folder_that_is_there_stays_as_it_is_and_those_below_it_are_private(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(0o755)
    make_private_folder(tmp_path / "a" / "b" / "c")

    assert {"a": 0o755, "a/b": 0o700, "a/b/c": 0o700} == modes(tmp_path, "**/*")


def test_only_what_others_may_do_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "file").chmod(0o476)
    make_private(tmp_path / "file")

    assert (0o400, "kept") == (mode(tmp_path / "file"), (tmp_path / "file").read_text())


@pytest.mark.skipif(os.name != "posix" or not Path("/dev/full").exists(), reason="a file of somebody else")
def test_a_device_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    before = mode(Path("/dev/full"))
    make_private(Path("/dev/full"))

    assert (before, "") == (mode(Path("/dev/full")), capsys.readouterr().err)
