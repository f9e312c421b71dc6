"""Whoever waits shares one run: in how many runs, with whom, and what becomes of errors and of those who leave."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.embedding.batching import DELIVERED_AT_ONCE, Coalescer
from retrieval.errors import CollectionNotFound


class Doubling:
    """Doubles numbers, when it is let; remembers its runs and how many went on at once."""

    def __init__(self) -> None:
        self.runs: list[list[int]] = []
        self.at_once = self.most = 0
        self.started, self.go = asyncio.Event(), asyncio.Event()
        self.go.set()
        self.error: Exception | None = None

    async def __call__(self, numbers: list[int]) -> Sequence[int]:
        self.runs.append(numbers)
        self.started.set()
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            await self.go.wait()
            await asyncio.sleep(0)
        finally:
            self.at_once -= 1
        if self.error is not None:
            raise self.error
        return [2 * number for number in numbers]


async def ask_all(shared: Coalescer[int, int], numbers: Sequence[int]) -> list[int | BaseException]:
    return await asyncio.gather(*(shared.ask(number) for number in numbers), return_exceptions=True)


async def test_all_who_wait_share_one_run() -> None:
    double = Doubling()

    assert [2, 4, 6] == await ask_all(Coalescer(double), [1, 2, 3])
    assert [[1, 2, 3]] == double.runs


async def test_a_run_waits_for_those_who_come_one_behind_the_other() -> None:
    double = Doubling()
    shared = Coalescer(double)

    async def ask_behind(place: int) -> int:
        for _ in range(place):
            await asyncio.sleep(0)
        return await shared.ask(place)

    assert [0, 2, 4, 6] == await asyncio.gather(*map(ask_behind, range(4)))
    assert [[0, 1, 2, 3]] == double.runs


async def test_free_lanes_share_the_work_evenly() -> None:
    double = Doubling()

    assert [0, 2, 4, 6, 8] == await ask_all(Coalescer(double, lanes=2), range(5))
    assert [[0, 1, 2], [3, 4]] == double.runs


async def test_no_run_is_larger_than_the_largest() -> None:
    double = Doubling()
    await ask_all(Coalescer(double, largest=2), range(5))

    assert [[0, 1], [2, 3], [4]] == double.runs


async def test_items_of_different_keys_are_not_mixed_and_the_oldest_goes_first() -> None:
    double = Doubling()
    await ask_all(Coalescer(double, key=lambda number: number % 2), [1, 2, 3, 4])

    assert [[1, 3], [2, 4]] == double.runs


@given(st.lists(st.integers(), max_size=40), st.integers(1, 4), st.integers(1, 7), st.integers(1, 3))
def test_everyone_gets_their_own_result_within_the_bounds(
    numbers: list[int], lanes: int, largest: int, keys: int
) -> None:
    async def check() -> None:
        double = Doubling()
        shared = Coalescer(double, key=lambda number: number % keys, lanes=lanes, largest=largest)

        assert [2 * number for number in numbers] == await ask_all(shared, numbers)
        assert sorted(numbers) == sorted(number for run in double.runs for number in run)
        assert all(len(run) <= largest and len({number % keys for number in run}) == 1 for run in double.runs)
        assert double.most <= lanes

    asyncio.run(check())


async def test_an_error_reaches_each_waiter_as_its_own_exception() -> None:
    double = Doubling()
    double.error = CollectionNotFound("rules", ["others"])
    double.error.__cause__ = KeyError("rules")
    one, two = await ask_all(Coalescer(double), [1, 2])

    assert isinstance(one, CollectionNotFound)
    assert isinstance(two, CollectionNotFound)
    assert one is not two
    assert (("rules", ("others",), str(double.error)),) * 2 == tuple((e.name, e.available, str(e)) for e in (one, two))
    assert double.error.__cause__ is one.__cause__


async def test_after_an_error_the_next_run_is_new() -> None:
    double = Doubling()
    double.error = ValueError("once")
    shared = Coalescer(double)
    await ask_all(shared, [1])
    double.error = None

    assert [4] == await ask_all(shared, [2])


async def test_a_run_that_forgets_somebody_is_an_error_and_nobody_waits_forever() -> None:
    async def forget(numbers: list[int]) -> list[int]:
        return numbers[1:]

    results = await ask_all(Coalescer(forget), [1, 2])

    assert [ValueError, ValueError] == [type(result) for result in results]


async def test_who_leaves_before_the_run_takes_the_item_along() -> None:
    double = Doubling()
    shared = Coalescer(double)
    double.go.clear()
    first = asyncio.create_task(shared.ask(1))
    await double.started.wait()
    leaving, staying = asyncio.create_task(shared.ask(2)), asyncio.create_task(shared.ask(3))
    await asyncio.sleep(0)
    leaving.cancel()
    double.go.set()

    assert (2, 6) == (await first, await staying)
    assert [[1], [3]] == double.runs
    assert leaving.cancelled()


async def test_when_the_last_one_leaves_the_run_ends_and_the_lane_is_free() -> None:
    double = Doubling()
    shared = Coalescer(double)
    double.go.clear()
    tasks = [asyncio.create_task(shared.ask(number)) for number in (1, 2)]
    await double.started.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for _ in range(5):
        await asyncio.sleep(0)

    assert 0 == double.at_once
    assert 1 == len(asyncio.all_tasks())
    double.go.set()
    assert [6] == await ask_all(shared, [3])


async def test_a_cancelled_run_cancels_its_waiters() -> None:
    async def cancelled(numbers: list[int]) -> list[int]:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await Coalescer(cancelled).ask(1)


async def test_results_of_one_run_are_delivered_in_several_turns_of_the_event_loop() -> None:
    run, turn = Doubling(), 0
    shared: Coalescer[int, int] = Coalescer(run)
    woken: list[int] = []

    async def ask(number: int) -> None:
        await shared.ask(number)
        woken.append(turn)

    asked = asyncio.gather(*map(ask, range(5 * DELIVERED_AT_ONCE)))
    while not asked.done():
        await asyncio.sleep(0)
        turn += 1
    assert [DELIVERED_AT_ONCE] * 5 == list(Counter(woken).values())
    assert 1 == len(run.runs)
