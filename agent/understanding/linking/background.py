"""Run CPU-bound work off the event loop, one piece at a time, and stop waiting at a deadline.

A thread cannot be stopped. After its deadline it is abandoned: it is a daemon, so neither the next question nor the end
of the program waits for it.
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
class ComputeQueue:
    """A queue for the computations of one agent.

    >>> asyncio.run(ComputeQueue().do(lambda: 6 * 7))
    42
    """

    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def do(self, work: Callable[[], T], *, until: float | None = None, brief: bool = False) -> T:
        """Return what `work` returns, or raise what it raises; raise `TimeoutError` if it is not done at `until`.

        `until` is a time of the event loop. `brief` work, of a millisecond, runs directly on the event loop.
        """
        if brief and (until is None or asyncio.get_running_loop().time() < until):
            return work()
        async with asyncio.timeout_at(until), self._turn:
            return await in_thread(work)


async def in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a thread of its own, with the context of the caller; a cancelled caller abandons it."""
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
        except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
            failed = error
        with suppress(RuntimeError):  # the loop was closed meanwhile: no caller waits any more
            loop.call_soon_threadsafe(settle, result, failed)

    Thread(target=run, name="versus-thinking", daemon=True).start()
    return await done
