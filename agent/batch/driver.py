"""Work on many items concurrently: each result is yielded as soon as it is ready, and a limit bounds the running work.

A slow consumer holds up the intake; a consumer that goes away ends the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import TypeVar

Thing = TypeVar("Thing")
Result = TypeVar("Result")


async def as_finished(
    things: AsyncIterable[Thing], work: Callable[[Thing], Awaitable[Result]], limit: int
) -> AsyncGenerator[Result, None]:
    """Yield the results as they finish; at most `limit` are running or wait to be consumed.

    The first error, of `things` or of `work`, ends everything; it is raised after the results that finished before it.

    >>> async def doubled() -> list[int]:
    ...     async def double(n: int) -> int:
    ...         return 2 * n
    ...     return [result async for result in as_finished(each((1, 2, 3)), double, 2)]
    >>> asyncio.run(doubled())
    [2, 4, 6]
    """
    results: asyncio.Queue[tuple[Result] | None] = asyncio.Queue()
    room = asyncio.Semaphore(limit)

    async def all_of_it() -> None:
        try:
            async with aclosing(_generated(things)) as source, asyncio.TaskGroup() as group:
                turn = asyncio.Lock()
                for _ in range(limit):
                    group.create_task(_worker(source, turn, work, room, results))
        finally:
            results.put_nowait(None)

    task = asyncio.create_task(all_of_it())
    try:
        while (result := await results.get()) is not None:
            yield result[0]
            room.release()
        await _ended(task)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def each(things: Iterable[Thing] | AsyncIterable[Thing]) -> AsyncIterator[Thing]:
    """Yield the items of any iterable, asynchronous or not."""
    if isinstance(things, AsyncIterable):
        async for thing in things:
            yield thing
    else:
        for thing in things:
            yield thing


async def _generated(things: AsyncIterable[Thing]) -> AsyncGenerator[Thing, None]:
    """Yield the items as a generator, which can be closed."""
    async for thing in things:
        yield thing


async def _worker(
    source: AsyncIterator[Thing],
    turn: asyncio.Lock,
    work: Callable[[Thing], Awaitable[Result]],
    room: asyncio.Semaphore,
    results: asyncio.Queue[tuple[Result] | None],
) -> None:
    while True:
        await room.acquire()
        async with turn:
            try:
                thing = await anext(source)
            except StopAsyncIteration:
                return
        results.put_nowait((await work(thing),))


async def _ended(task: asyncio.Task[None]) -> None:
    """Wait for the end, and raise its first error without the exception groups around it."""
    try:
        await task
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from None
