"""How a batch ends before its end: nothing new is begun, and what is under way gets a moment or all it needs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.batch.tally import Ending

GRACE = 1.0
"""Seconds that questions under way get after an interruption."""


class StopPolicy:
    """One batch's way to stop; call it from the event loop only."""

    def __init__(self) -> None:
        self.ending: Ending = "complete"
        self.error: Exception | None = None
        self.stopped = threading.Event()
        """For threads that wait for questions."""
        self._patience: asyncio.Timeout | None = None
        self._end: float | None = None

    def interrupt(self) -> None:
        """Stop as soon as what is under way has had its moment; who says it twice means at once."""
        again = self.ending == "interrupted"
        self.ending = "interrupted"
        self.stopped.set()
        self._end = asyncio.get_running_loop().time() + (0 if again else GRACE)
        if self._patience is not None and not self._patience.expired():
            self._patience.reschedule(self._end)

    def limit(self, ending: Ending, error: Exception | None = None) -> None:
        """Stop when what is under way is done: a limit is reached, or nothing new can be asked."""
        if not self.stopped.is_set():
            self.ending = ending
            self.stopped.set()
        self.error = self.error or error

    @asynccontextmanager
    async def patience(self) -> AsyncIterator[None]:
        """End the block when an interruption has waited long enough."""
        try:
            async with asyncio.timeout_at(self._end) as self._patience:
                yield
        except TimeoutError:
            if self._patience is None or not self._patience.expired():
                raise
        finally:
            self._patience = None
