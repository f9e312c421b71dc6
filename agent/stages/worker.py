"""A persistent thread for CPU-bound work.

Starting a thread blocks the event loop until the system runs it, some milliseconds on a busy machine. So one thread
does all pieces of work. It is abandoned, and another one started, only if a caller did not wait for the end of a piece.
"""

from __future__ import annotations

import asyncio
import contextvars
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from agent.understanding.linking.background import ComputeQueue

T = TypeVar("T")
S = TypeVar("S")
_Jobs = SimpleQueue[Callable[[], None] | None]
"""The pending jobs of a thread; None ends it."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Worker(ComputeQueue):
    """A queue for the computations of one agent, with a thread that ends with the agent.

    >>> asyncio.run(Worker().do(lambda: 6 * 7))
    42
    """

    _idle: list[_Jobs] = field(default_factory=list)
    """The thread, while it has no work."""

    def __post_init__(self) -> None:
        weakref.finalize(self, _end, self._idle)

    async def do(self, work: Callable[[], T], *, until: float | None = None, brief: bool = False) -> T:
        """Return what `work` returns, or raise what it raises; raise `TimeoutError` if it is not done at `until`.

        `until` is a time of the event loop. `brief` work, of a millisecond, runs directly on the event loop.
        """
        if brief and (until is None or asyncio.get_running_loop().time() < until):
            return work()
        async with asyncio.timeout_at(until), self._turn:
            thread = self._idle.pop() if self._idle else _started()
            done = _begun(work, thread)
            try:
                return await done
            finally:
                if done.cancelled():
                    thread.put(None)
                else:
                    self._idle.append(thread)


def _begun(work: Callable[[], T], thread: _Jobs) -> asyncio.Future[T]:
    """Start the work in a thread, with the context of the caller, and return its future result."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def job() -> None:
        try:
            done = context.run(work)
        except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
            tell(result.set_exception, error)
        else:
            tell(result.set_result, done)

    def tell(settle: Callable[[S], None], said: S) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile: no caller waits any more
            loop.call_soon_threadsafe(lambda: None if result.done() else settle(said))

    thread.put(job)
    return result


def _started() -> _Jobs:
    """Start a new thread. It is a daemon, so that the end of a program does not wait for abandoned work."""
    jobs: _Jobs = SimpleQueue()
    Thread(target=_do, args=(jobs,), name="versus-thinking", daemon=True).start()
    return jobs


def _do(jobs: _Jobs) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # else its data would be held until the next job


def _end(idle: list[_Jobs]) -> None:
    for jobs in idle:
        jobs.put(None)
