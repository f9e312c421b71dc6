"""Work that keeps a core busy, off the event loop: one piece at a time, and nobody waits for one past their time.

A thread can't be stopped. One whose question has run out of time is left to itself: it is a daemon, so neither the
next question nor the end of the program waits for it.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Thinking:
    """Where the questions of one agent compute, each when it is its turn.

    >>> asyncio.run(Thinking().do(lambda: 6 * 7))
    42
    """

    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def do(self, work: Callable[[], T], *, until: float | None = None, brief: bool = False) -> T:
        """Return what `work` returns, or raise what it raises; `TimeoutError` when it is not done at `until`.

        `until` is a time of the event loop. What is `brief`, a millisecond, is done right here.
        """
        if brief and (until is None or asyncio.get_running_loop().time() < until):
            return work()
        async with asyncio.timeout_at(until), self._turn:
            return await in_thread(work)


async def in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a thread of its own, with the context of the caller; a cancelled caller leaves it behind."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failed = None, None
        try:
            result = context.run(work)
        except BaseException as error:  # noqa: BLE001 - it is raised where the work is waited for
            failed = error
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits any more
            loop.call_soon_threadsafe(settle, result, failed)

    Thread(target=run, name="versus-thinking", daemon=True).start()
    return await done
