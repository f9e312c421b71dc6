"""A rate limit below a provider's limits per minute, in requests and in tokens.

asyncio-throttle counts the units of the last minute. Alone it would let every waiter poll the clock a hundred times a
second and serve whoever polls first; under a lock only the first waiter polls, and all are served in order of arrival.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from agent.llm.per_loop import PerLoop

_MINUTE = 60.0
_UNITS = 1000
"""Tokens are counted in units of a thousandth of the limit; otherwise a minute would have a million entries."""


class RateLimiter:
    """Allows so many requests and tokens per minute; without a limit, all at once.

    `minute` is in seconds, for tests. A cancelled waiter delays nobody. A request with more tokens than a minute allows
    waits for several minutes.

    >>> async def two() -> str:
    ...     limiter = RateLimiter(requests_per_minute=60)
    ...     await limiter.reserve(100)
    ...     await limiter.reserve(100)
    ...     return "both at once: a minute has room for them"
    >>> asyncio.run(two())
    'both at once: a minute has room for them'
    """

    def __init__(
        self,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        *,
        minute: float = _MINUTE,
    ) -> None:
        self._requests = _Limit(requests_per_minute, 1, minute) if requests_per_minute else None
        unit = max(1, (tokens_per_minute or 0) // _UNITS)
        self._tokens = _Limit(tokens_per_minute // unit, unit, minute) if tokens_per_minute else None

    async def reserve(self, tokens: int) -> None:
        """Wait until one more request with so many tokens is allowed, and count it."""
        if self._tokens is not None:
            await self._tokens.take(tokens)
        if self._requests is not None:
            await self._requests.take(1)


@dataclass
class _Limit:
    """A limit of units per minute, first come, first served."""

    units: int
    unit: int
    minute: float
    _turn: PerLoop[asyncio.Lock] = field(default_factory=lambda: PerLoop(asyncio.Lock))
    _throttler: Any = None

    def __post_init__(self) -> None:
        from asyncio_throttle.throttler import Throttler

        # Only one waiter polls the clock, so it may poll rarely.
        self._throttler = Throttler(self.units, self.minute, retry_interval=self.minute / 1000)

    async def take(self, amount: int) -> None:
        async with self._turn.here():
            for _ in range(-(-amount // self.unit)):
                await self._throttler.acquire()
