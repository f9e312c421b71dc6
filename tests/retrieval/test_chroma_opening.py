"""Who is cancelled while a collection is being opened leaves nothing open."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from retrieval.collections.chroma import connect, open_collection
from retrieval.collections.chroma.connect import acquire
from tests.retrieval.doubles import BagOfWords


def clients(folder: Path) -> int:
    """How many clients chromadb counts on a folder."""
    return SharedSystemClient._identifier_to_refcount.get(str(folder.resolve()), 0)


class Thing:
    """Is made in a thread, when it is let, and given back."""

    def __init__(self) -> None:
        self.begun, self.go, self.released = threading.Event(), threading.Event(), threading.Event()

    def make(self) -> Thing:
        self.begun.set()
        self.go.wait()
        return self

    def release(self) -> None:
        self.released.set()


async def test_what_is_made_for_somebody_who_waits_is_not_released() -> None:
    thing = Thing()
    thing.go.set()

    assert thing is await acquire(thing.make, Thing.release)
    assert not thing.released.is_set()


async def test_what_is_made_for_somebody_who_left_is_released_by_its_thread() -> None:
    thing = Thing()
    task = asyncio.create_task(acquire(thing.make, Thing.release))
    await asyncio.to_thread(thing.begun.wait)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    thing.go.set()

    assert task.cancelled()
    assert await asyncio.to_thread(thing.released.wait, 10)


async def test_what_was_made_in_the_moment_of_leaving_is_released_too() -> None:
    thing, made = Thing(), threading.Event()
    thing.go.set()

    def make() -> Thing:
        try:
            return thing.make()
        finally:
            made.set()

    task = asyncio.create_task(acquire(make, Thing.release))
    await asyncio.sleep(0)
    made.wait()  # the loop stands still meanwhile, so the task can't hear of it before it is cancelled
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert task.cancelled()
    assert await asyncio.to_thread(thing.released.wait, 10)


async def test_what_can_not_be_made_is_an_error_as_ever() -> None:
    def fail() -> Thing:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await acquire(fail, Thing.release)


def test_cancelled_while_it_connects_it_leaves_no_client(tmp_path: Path) -> None:
    async def make() -> None:
        async with await open_collection(str(tmp_path), "rules", create=True, embedder=BagOfWords()):
            assert clients(tmp_path) > 0

    async def leave() -> None:
        with connect._OPENING:  # the opening stops here, in its thread
            task = asyncio.create_task(open_collection(str(tmp_path), "rules"))
            await asyncio.sleep(0)
            await asyncio.to_thread(bool)  # threads begin in order, so the other one has
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()

    asyncio.run(make())
    assert 0 == clients(tmp_path)
    asyncio.run(leave())  # waits for all threads at its end
    assert 0 == clients(tmp_path)


def test_cancelled_at_any_moment_it_leaves_no_client(tmp_path: Path) -> None:
    async def leave_after(ticks: int) -> None:
        task = asyncio.create_task(open_collection(str(tmp_path), "rules", create=True))
        for _ in range(ticks):
            await asyncio.sleep(0)
        task.cancel()
        for result in await asyncio.gather(task, return_exceptions=True):
            if not isinstance(result, BaseException):
                await result.close()

    for ticks in (0, 1, 2, 5, 20, 100, 500, 2000, 10_000):
        asyncio.run(leave_after(ticks))
        assert 0 == clients(tmp_path)
