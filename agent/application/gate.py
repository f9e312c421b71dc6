"""A limit on running and waiting questions, which can be closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.errors import Busy, Draining


class Gate:
    """Lets `running` questions run at a time and `waiting` wait in order; a further one is `Busy`.

    After it is closed, a further one is `Draining`; those running or waiting by then finish.

    >>> async def many(gate: Gate) -> None:
    ...     async with gate.place(), gate.place():
    ...         pass
    >>> asyncio.run(many(Gate(running=1, waiting=0)))
    Traceback (most recent call last):
    agent.errors.Busy: 1 question is being answered and 0 wait, which is all that may; ask again in a moment
    """

    def __init__(self, running: int, waiting: int) -> None:
        self._most_running, self._most_waiting = running, waiting
        self._places = asyncio.Semaphore(running)
        self.running = self.waiting = 0
        self.is_closed = False
        self._changed = asyncio.Event()

    def close(self) -> None:
        """Admit no further question."""
        self.is_closed = True

    def require_open(self) -> None:
        """Raise `Draining` if it is closed."""
        if self.is_closed:
            raise Draining("this server is about to stop; ask another one, or ask again later")

    async def emptied(self) -> None:
        """Wait until no question runs or waits."""
        while self.running or self.waiting:
            self._changed.clear()
            await self._changed.wait()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place for the duration of the block."""
        self.require_open()
        if self._places.locked() and self.waiting >= self._most_waiting:
            raise Busy(self.running, self.waiting)
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
            self._changed.set()
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1
            self._places.release()
            self._changed.set()
