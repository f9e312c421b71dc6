"""A thread that stays, for what keeps a core busy.

To start a thread makes the event loop wait until the system has run it, some milliseconds on a busy machine; so one
thread is used for all pieces of work. It is left to itself, and another one begun, only where somebody did not wait
for the end of a piece.
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

from agent.understanding.linking.background import Thinking

T = TypeVar("T")
S = TypeVar("S")
_Jobs = SimpleQueue[Callable[[], None] | None]
"""What a thread has still to do; None ends it."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Worker(Thinking):
    """Where the questions of one agent compute, each when it is its turn, in a thread that ends with the agent.

    >>> asyncio.run(Worker().do(lambda: 6 * 7))
    42
    """

    _idle: list[_Jobs] = field(default_factory=list)
    """The thread, as long as nothing is done in it."""

    def __post_init__(self) -> None:
        weakref.finalize(self, _end, self._idle)

    async def do(self, work: Callable[[], T], *, until: float | None = None, brief: bool = False) -> T:
        """Return what `work` returns, or raise what it raises; `TimeoutError` when it is not done at `until`.

        `until` is a time of the event loop. What is `brief`, a millisecond, is done right here.
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
    """The result of work that a thread does from now on, with the context of the caller."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def job() -> None:
        try:
            done = context.run(work)
        except BaseException as error:  # noqa: BLE001 - it is raised where the work is waited for
            tell(result.set_exception, error)
        else:
            tell(result.set_result, done)

    def tell(settle: Callable[[S], None], said: S) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if result.done() else settle(said))

    thread.put(job)
    return result


def _started() -> _Jobs:
    """A new thread. It is a daemon: the end of a program waits for nothing that nobody waits for."""
    jobs: _Jobs = SimpleQueue()
    Thread(target=_do, args=(jobs,), name="versus-thinking", daemon=True).start()
    return jobs


def _do(jobs: _Jobs) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # else what it computed with would be held until there is more to do


def _end(idle: list[_Jobs]) -> None:
    for jobs in idle:
        jobs.put(None)
