"""Work on many things side by side: bounded, held up by a slow consumer, and gone when nobody wants it any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

import pytest

from agent.batch.driver import as_finished, each


class Bench:
    """Counts what is under way and what was taken in; each piece of work waits until it may go on."""

    def __init__(self, may_go_on: bool = True) -> None:
        self.taken, self.under_way, self.most = 0, 0, 0
        self.go = asyncio.Event()
        if may_go_on:
            self.go.set()

    async def things(self, count: int = 1000) -> AsyncIterator[int]:
        for number in range(count):
            self.taken += 1
            yield number

    async def work(self, number: int) -> int:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self.go.wait()
            await asyncio.sleep(0)
            return number
        finally:
            self.under_way -= 1


async def settled() -> None:
    """Let everything run that can."""
    for _ in range(50):
        await asyncio.sleep(0)


def others() -> set[asyncio.Task[object]]:
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task() and not task.done()}


@pytest.mark.parametrize("limit", [1, 3, 50])
async def test_every_thing_has_its_result_and_no_more_than_the_limit_are_under_way(limit: int) -> None:
    bench = Bench()
    results = [result async for result in as_finished(bench.things(40), bench.work, limit)]
    assert list(range(40)) == sorted(results)
    assert min(limit, 40) == bench.most


async def test_results_come_as_they_finish() -> None:
    async def work(number: int) -> int:
        await (asyncio.sleep(0) if number else settled())
        return number

    assert 0 == [result async for result in as_finished(each(range(5)), work, 5)][-1]


async def test_a_slow_consumer_holds_up_the_intake() -> None:
    bench = Bench()
    async with aclosing(as_finished(bench.things(), bench.work, 4)) as results:
        await anext(results)
        await settled()
        assert 4 == bench.taken
        await anext(results)
        await settled()
        assert 5 == bench.taken


async def test_who_leaves_early_leaves_nothing_behind() -> None:
    bench, before = Bench(), others()
    async with aclosing(as_finished(bench.things(), bench.work, 8)) as results:
        async for _ in results:
            break
    assert (0, before) == (bench.under_way, others())


async def test_a_loop_that_is_left_without_closing_ends_too() -> None:
    bench, before = Bench(), others()
    async for _ in as_finished(bench.things(), bench.work, 8):
        break
    await settled()
    assert (0, before) == (bench.under_way, others())


async def test_who_is_cancelled_leaves_nothing_behind() -> None:
    bench, before = Bench(may_go_on=False), others()

    async def consume() -> None:
        async for _ in as_finished(bench.things(), bench.work, 8):
            pass

    task = asyncio.create_task(consume())
    await settled()
    assert 8 == bench.under_way
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert (0, before, True) == (bench.under_way, others(), task.cancelled())


async def broken_things() -> AsyncIterator[int]:
    yield 1
    raise LookupError("no more")


async def broken_work(number: int) -> int:
    if number == 2:
        raise LookupError("no more")
    return number


@pytest.mark.parametrize(("things", "work"), [
    (broken_things, Bench().work),
    (lambda: each([1, 2]), broken_work),
])  # fmt: skip
async def test_the_first_error_comes_as_it_is_after_what_finished_before_it(
    things: Callable[[], AsyncIterator[int]], work: Callable[[int], Awaitable[int]]
) -> None:
    found, before = list[int](), others()
    with pytest.raises(LookupError, match="no more"):
        async for result in as_finished(things(), work, 1):
            found.append(result)
    assert ([1], before) == (found, others())


async def test_nothing_gives_nothing() -> None:
    assert [] == [result async for result in as_finished(each(()), broken_work, 3)]
