"""How a batch ends early: nothing new begins, and running questions get a grace period or all the time they need."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.batch.tally import Ending

GRACE = 1.0
"""Seconds that running questions get after an interruption."""


class StopPolicy:
    """The stop policy of one batch; call it from the event loop only."""

    def __init__(self) -> None:
        self.ending: Ending = "complete"
        self.error: Exception | None = None
        self.stopped = threading.Event()
        """Set when the batch stops; threads that wait for questions check it."""
        self._patience: asyncio.Timeout | None = None
        self._end: float | None = None

    def interrupt(self) -> None:
        """Stop after the grace period; on a second call, at once."""
        again = self.ending == "interrupted"
        self.ending = "interrupted"
        self.stopped.set()
        self._end = asyncio.get_running_loop().time() + (0 if again else GRACE)
        if self._patience is not None and not self._patience.expired():
            self._patience.reschedule(self._end)

    def limit(self, ending: Ending, error: Exception | None = None) -> None:
        """Stop when the running questions are done: a limit is reached, or nothing new can be asked."""
        if not self.stopped.is_set():
            self.ending = ending
            self.stopped.set()
        self.error = self.error or error

    @asynccontextmanager
    async def patience(self) -> AsyncIterator[None]:
        """End the block when the grace period after an interruption is over."""
        try:
            async with asyncio.timeout_at(self._end) as self._patience:
                yield
        except TimeoutError:
            if self._patience is None or not self._patience.expired():
                raise
        finally:
            self._patience = None
