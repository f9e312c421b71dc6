"""What keeps the event loop quick: a thread that stays, and garbage that is seldom looked for everywhere."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest

from agent.application.agents import Agents
from agent.application.application import Application
from agent.cli.answered import run_application
from agent.cli.context import CommandContext
from agent.cli.garbage import short_lived
from agent.cli.responsive import FULL_AFTER, SWITCH_INTERVAL, freeze_garbage, responsive
from agent.settings.settings import Settings
from agent.stages.worker import Worker


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opened in the end, whatever happens."""
    gate = threading.Event()
    yield gate
    gate.set()


async def test_one_thread_does_one_piece_of_work_after_the_other() -> None:
    worker = Worker()
    asked = [worker.do(threading.get_ident) for _ in range(20)]

    (thread,) = set(await asyncio.gather(*asked))
    assert threading.get_ident() != thread


async def test_who_is_left_behind_holds_up_nobody_and_ends_with_its_work(gate: threading.Event) -> None:
    worker = Worker()
    thread = await worker.do(threading.current_thread)
    with pytest.raises(TimeoutError):
        await worker.do(lambda: gate.wait(60), until=asyncio.get_running_loop().time() + 0.01)
    assert thread is not await worker.do(threading.current_thread)
    gate.set()
    await asyncio.to_thread(thread.join, 60)

    assert not thread.is_alive()


async def test_what_work_raises_is_raised_where_it_is_waited_for_and_the_thread_goes_on() -> None:
    worker = Worker()
    before = await worker.do(threading.get_ident)
    with pytest.raises(ZeroDivisionError):
        await worker.do(lambda: 1 // 0)

    assert before == await worker.do(threading.get_ident)


async def test_brief_work_is_not_begun_when_time_is_up() -> None:
    with pytest.raises(TimeoutError):
        await Worker().do(lambda: 42, until=0.0, brief=True)


async def test_nothing_of_a_worker_is_left_when_nobody_has_it() -> None:
    class Big:
        def size(self) -> int:
            return 7

    worker, big = Worker(), Big()
    thread = await worker.do(threading.current_thread)
    assert 7 == await worker.do(big.size)
    of_worker, of_big = weakref.ref(worker), weakref.ref(big)
    del worker, big
    await asyncio.to_thread(thread.join, 60)

    assert (None, None, False) == (of_worker(), of_big(), thread.is_alive())


def test_what_a_program_turns_for_its_loop_is_turned_back() -> None:
    before = sys.getswitchinterval(), gc.get_threshold(), gc.get_freeze_count()
    with responsive():
        assert pytest.approx(SWITCH_INTERVAL) == sys.getswitchinterval()
        assert FULL_AFTER == gc.get_threshold()[2]
        assert gc.get_freeze_count() > before[2]

    assert before == (sys.getswitchinterval(), gc.get_threshold(), gc.get_freeze_count())


def test_what_is_set_aside_later_is_looked_through_once_before() -> None:
    class Ring:
        pass

    with responsive():
        ring = Ring()
        ring.itself = ring  # type: ignore[attr-defined] # garbage that only a collection finds
        gc.freeze()
        of_ring = weakref.ref(ring)
        del ring
        freeze_garbage()

        assert of_ring() is None


def test_a_short_program_looks_for_no_garbage_until_it_says_so_nor_at_its_end() -> None:
    try:
        with short_lived():
            assert not gc.isenabled()
            gc.enable()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.enable()


@pytest.mark.parametrize("before", [True, False])
def test_a_command_that_asks_once_looks_for_no_garbage_meanwhile(two_books: Settings, before: bool) -> None:
    async def ask(_: Application) -> bool:
        return gc.isenabled()

    try:
        if not before:
            gc.disable()
        assert (False, before) == (run_application(CommandContext(two_books), ask), gc.isenabled())
    finally:
        gc.enable()


async def test_whoever_lends_agents_tells_that_one_was_opened(two_books: Settings) -> None:
    told: list[str] = []
    agents = Agents(two_books, opened=lambda: told.append("opened"))
    async with agents.lend("ferries"), agents.lend("ferries"), agents.lend("trams"):
        pass
    await agents.close()

    assert ["opened", "opened"] == told
