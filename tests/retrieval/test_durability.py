"""Nothing is ever lost: real ingestions in processes of their own that are killed, starved, locked out and raced.

`benchmarks/durability.py` has the workload, and kills more of them.
"""

from __future__ import annotations

import ast
import asyncio
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.durability import EMPTY, NAME, Answers, answers, ingest, prove, start
from retrieval.collections.local.build import build
from retrieval.collections.local.layout import (
    VAULT,
    builder_lock,
    current_index,
    free_writer_lock,
    is_locked,
    leftovers,
)
from retrieval.errors import StoreError

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and modes of Unix")]

RUNS = 8
SIZE = 400
PATIENCE = 30.0


async def build_here(folder: Path) -> None:
    """Build in this process: the same work without the second that a new process takes to start."""
    await asyncio.to_thread(build, folder)


async def ingest_here(location: Path, edition: int) -> None:
    await ingest(location, edition, SIZE, build_here)


@pytest.fixture
async def updated(tmp_path: Path) -> Path:
    """The first edition is kept; the second can be ingested."""
    await ingest_here(tmp_path / "chroma", 1)
    return tmp_path / "chroma"


@pytest.fixture(scope="module")
async def after(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What is answered when the second edition was ingested in peace."""
    location = tmp_path_factory.mktemp("peace")
    await ingest_here(location, 2)
    return await answers(location)


def until(true: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Look again and again until something is true; fail when it never is."""
    pause = threading.Event()
    for _ in range(int(patience / 0.01)):
        if true():
            return
        pause.wait(0.01)
    raise AssertionError("it never came true")


def ended(child: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Wait for a child, and return its exit code and the last thing that it said."""
    _, said = child.communicate(timeout=120)
    return child.returncode, said.decode().strip().splitlines()[-1] if said.strip() else ""


async def test_killed_at_any_moment_it_answers_as_before_or_as_after_and_can_go_on(tmp_path: Path) -> None:
    trials = await prove(tmp_path, RUNS, seed=11, stories=("update", "first"), size=SIZE, build=build_here)

    assert [] == [trial for trial in trials if trial.problem]
    assert RUNS == len(trials)


async def test_a_builder_dies_with_its_writer_and_until_then_nobody_else_can_write(updated: Path) -> None:
    folder, before = updated / NAME, await answers(updated)
    child = start(updated, SIZE)
    until(lambda: any(folder.glob("*.building")))
    child.send_signal(signal.SIGKILL)
    ended(child)

    lock = free_writer_lock(folder)
    assert lock is not None
    builder_lock(folder).release()
    lock.release()
    assert before == await answers(updated)
    assert ["index-2.building"] == [path.name for path in leftovers(folder)]


async def test_while_an_orphaned_builder_is_at_work_nobody_is_let_in(updated: Path) -> None:
    orphan = builder_lock(updated / NAME)
    waiting = asyncio.create_task(asyncio.to_thread(free_writer_lock, updated / NAME))
    done, _ = await asyncio.wait([waiting], timeout=0.5)
    orphan.release()

    assert set() == done
    lock = await waiting
    assert lock is not None
    lock.release()


async def test_of_two_writers_at_once_one_is_refused_and_nothing_is_lost(updated: Path, after: Answers) -> None:
    first = start(updated, SIZE)
    until(lambda: is_locked(updated / NAME))
    first.send_signal(signal.SIGSTOP)
    code, said = ended(start(updated, SIZE))
    first.send_signal(signal.SIGCONT)

    assert 1 == code
    assert f"another process is writing to '{NAME}'" in said
    assert (0, "") == ended(first)
    assert after == await answers(updated)


@pytest.mark.parametrize(("phase", "share"), [("vault", 0.5), ("build", 1.5)])
async def test_a_file_size_limit_stops_it_with_a_clear_error_and_changes_nothing(
    updated: Path, after: Answers, phase: str, share: float
) -> None:
    before, folder = await answers(updated), updated / NAME
    most = int((folder / VAULT).stat().st_size * share)
    child = start(updated, SIZE, limits=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))

    code, said = ended(child)
    assert 1 == code
    assert said.startswith("retrieval.errors.StoreError: ")
    assert {"vault": "can't be read or written", "build": "can't be built"}[phase] in said
    assert before == await answers(updated)
    await ingest_here(updated, 2)
    assert after == await answers(updated)


def resize(disk: Path, free: int) -> None:
    """Give a disk so many bytes of room."""
    used = shutil.disk_usage(disk).used
    subprocess.run(["mount", "-o", f"remount,size={used + free}", "none", str(disk)], check=True)


@pytest.mark.parametrize(("phase", "free"), [("vault", 200_000), ("build", 1_000_000)])
async def test_a_full_disk_stops_it_with_a_clear_error_and_changes_nothing(
    small_disk: Path, after: Answers, phase: str, free: int
) -> None:
    await ingest_here(small_disk, 1)
    before = await answers(small_disk)
    resize(small_disk, free)

    code, said = ended(start(small_disk, SIZE))
    assert 1 == code
    assert "the disk is full" in said
    assert (VAULT if phase == "vault" else "can't be built") in said
    assert before == await answers(small_disk)
    resize(small_disk, 64_000_000)
    await ingest_here(small_disk, 2)
    assert after == await answers(small_disk)
    assert [] == leftovers(small_disk / NAME)


@pytest.fixture
def unprivileged() -> list[str]:
    """A program through which others run without the right to write where they may not."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and there is no setpriv to take that away")
    return ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]


def forbid_writing(place: Path) -> None:
    """Take away the right to write a folder and all that is in it."""
    for path in [place, *place.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


async def test_a_collection_that_can_not_be_written_answers_all_the_same(
    updated: Path, unprivileged: list[str]
) -> None:
    expected = await answers(updated)
    forbid_writing(updated)

    asked = start(updated, job="ask", through=unprivileged)
    found, said = asked.communicate(timeout=60)
    assert (b"", expected) == (said, ast.literal_eval(found.decode()))
    assert EMPTY != expected


async def test_a_collection_that_can_not_be_written_can_not_be_ingested_into_and_says_so(
    updated: Path, unprivileged: list[str]
) -> None:
    forbid_writing(updated)
    code, said = ended(start(updated, SIZE, through=unprivileged))

    assert 1 == code
    assert f"{updated / NAME} can't be written (Permission denied); check whose folder it is" in said


async def test_waiting_for_another_process_can_be_cancelled_at_once(updated: Path) -> None:
    shutil.rmtree(current_index(updated / NAME) or updated)
    lock = free_writer_lock(updated / NAME)
    assert lock is not None
    try:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await answers(updated)
    finally:
        lock.release()

    assert SIZE == (await answers(updated))[0]


async def test_an_index_that_can_not_be_built_is_an_error_with_both_reasons(tmp_path: Path) -> None:
    async def refused(folder: Path) -> None:
        raise StoreError("the disk is full")

    await ingest_here(tmp_path, 1)
    shutil.rmtree(current_index(tmp_path / NAME) or tmp_path)

    with pytest.raises(StoreError, match=r"its manifest can't be read .* can't be built again: the disk is full"):
        await ingest(tmp_path, 1, SIZE, refused)
