"""Objects that belong to one event loop (connections, locks, tasks), recreated for the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class PerLoop(Generic[Thing]):
    """Returns the same object within one event loop; a second `asyncio.run` of a program gets a new one.

    >>> async def numbers() -> list[int]:
    ...     return made.here()
    >>> made = PerLoop(list)
    >>> asyncio.run(numbers()) is asyncio.run(numbers())
    False
    """

    def __init__(self, make: Callable[[], Thing]) -> None:
        self._make = make
        self._kept: tuple[asyncio.AbstractEventLoop, Thing] | None = None

    def here(self) -> Thing:
        """Return the object of the running loop."""
        loop = asyncio.get_running_loop()
        if self._kept is None or self._kept[0] is not loop:
            self._kept = (loop, self._make())
        return self._kept[1]
