"""Rate limits: how many go through in a (short) minute, in what order, and what a cancelled waiter leaves behind."""

from __future__ import annotations

import asyncio
import time

import pytest

from agent.llm.limits import RateLimiter
from tests.stalls import stalls

MINUTE = 0.3


async def arrivals(limiter: RateLimiter, tokens: list[int]) -> list[tuple[int, float]]:
    """Who went through when, in the order in which they did."""
    began, through = time.monotonic(), list[tuple[int, float]]()

    async def one(number: int) -> None:
        await limiter.reserve(tokens[number])
        through.append((number, time.monotonic() - began))

    await asyncio.gather(*map(one, range(len(tokens))))
    return through


@pytest.mark.parametrize(
    ("limiter", "tokens", "at_once"),
    [
        (RateLimiter(requests_per_minute=4, minute=MINUTE), [1] * 10, 4),
        (RateLimiter(tokens_per_minute=40, minute=MINUTE), [10] * 10, 4),
        (RateLimiter(tokens_per_minute=4_000_000, minute=MINUTE), [1_000_000] * 10, 4),
        (RateLimiter(9, 40, minute=MINUTE), [10] * 10, 4),
        (RateLimiter(4, 4000, minute=MINUTE), [10] * 10, 4),
    ],
    ids=["requests", "tokens", "many tokens", "both, tokens bind", "both, requests bind"],
)
async def test_only_so_much_goes_through_in_any_minute_and_first_come_is_first_served(
    limiter: RateLimiter, tokens: list[int], at_once: int
) -> None:
    with stalls() as stalled:
        through = await arrivals(limiter, tokens)
    times = [moment for _, moment in through]

    assert list(range(10)) == [number for number, _ in through]
    # Times are taken after the limiter took its own, by up to a turn of the event loop.
    assert all(times[n + at_once] - times[n] >= MINUTE - 0.02 for n in range(10 - at_once))
    assert 0.1 + stalled() > times[at_once - 1]
    assert 2 * MINUTE + 0.3 + stalled() > times[-1]


async def test_without_limits_nothing_waits() -> None:
    limiter = RateLimiter()
    async with asyncio.timeout(10):
        for _ in range(10_000):
            await limiter.reserve(1_000_000)


async def test_a_request_larger_than_a_minute_waits_for_as_many() -> None:
    with stalls() as stalled:
        (_, first), (_, second) = await arrivals(RateLimiter(tokens_per_minute=10, minute=MINUTE), [10, 20])

    assert 0.1 + stalled() > first
    assert 2 * MINUTE - 0.02 <= second < 3 * MINUTE + stalled()


async def test_a_cancelled_waiter_takes_nothing_and_holds_up_nobody() -> None:
    limiter = RateLimiter(requests_per_minute=1, minute=MINUTE)
    await limiter.reserve(1)
    with stalls() as stalled:
        began = time.monotonic()
        waiting = [asyncio.create_task(limiter.reserve(1)) for _ in range(5)]
        await asyncio.sleep(0)
        for each in waiting[:4]:
            each.cancel()
        await waiting[4]
        seconds = time.monotonic() - began

    assert MINUTE + 0.2 + stalled() > seconds
    assert [True] * 4 + [False] == [each.cancelled() for each in waiting]


def test_it_serves_one_event_loop_after_the_other() -> None:
    limiter = RateLimiter(requests_per_minute=2, minute=0.1)
    for _ in range(2):
        asyncio.run(arrivals(limiter, [1] * 5))
