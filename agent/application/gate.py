"""How many questions are answered at once, and how many may wait for that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.errors import Busy


class Gate:
    """Lets `running` through at a time and `waiting` wait, in their order; one more is `Busy`.

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

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place for the time of the block."""
        if self._places.locked() and self.waiting >= self._most_waiting:
            raise Busy(self.running, self.waiting)
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1
            self._places.release()
