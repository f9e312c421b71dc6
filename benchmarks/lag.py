"""How late an event loop is: what every benchmark of many questions at once samples.

Nothing of versus is imported, for peers are measured by it too.
"""

from __future__ import annotations

import asyncio
import time

TICK = 0.005


class Lag:
    """How late a timer of 5 ms fires in the running loop, sampled all the while from now on.

    lag = Lag()
    await work()
    late = lag.taken()
    """

    def __init__(self) -> None:
        self._late: list[float] = []
        self._ticking = asyncio.create_task(self._tick())

    def taken(self) -> list[float]:
        """The milliseconds since this was last asked."""
        late, self._late = self._late, []
        return late

    def stop(self) -> list[float]:
        """The same, and no more is sampled."""
        self._ticking.cancel()
        return self.taken()

    async def _tick(self) -> None:
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            self._late.append((time.perf_counter() - due) * 1000)
