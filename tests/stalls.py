"""When the machine let nobody run: what a test of a deadline must not hold against the code."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_STEP = 0.01
_LONG = 0.05
"""A thread that wakes so much later than it asked to, in seconds, has been kept from running."""


class Stalled(list[float]):
    """How long this process was kept from running, each time, in seconds.

    Many waits too short to be noticed make a long one, so the sum is at least what the system says of all of them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._before = _kept_waiting()

    def __call__(self) -> float:
        return max(sum(self), _kept_waiting() - self._before)


def _kept_waiting() -> float:
    """How many seconds the threads of this process were ready to run while others ran; 0 where no system tells."""
    nanoseconds = 0
    for thread in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # it ended meanwhile
            nanoseconds += int(thread.read_text().split()[1])
    return nanoseconds / 1e9


@contextmanager
def stalls() -> Iterator[Stalled]:
    """Watch for stalls from a thread of its own until the block ends.

    A paused machine, a processor that others use and a collection of garbage all look the same from here: a sleep of
    a hundredth of a second that takes longer.

    >>> with stalls() as stalled:
    ...     began = time.monotonic()
    ...     seconds = time.monotonic() - began
    >>> seconds < 1 + stalled()
    True
    """
    ending, stalled = threading.Event(), Stalled()

    def watch() -> None:
        before, ended = time.monotonic(), False
        while not ended:
            ended = ending.wait(_STEP)
            now = time.monotonic()
            if (late := now - before - _STEP) > _LONG:
                stalled.append(late)
            before = now

    watching = threading.Thread(target=watch, name="stalls")
    watching.start()
    try:
        yield stalled
    finally:
        ending.set()
        watching.join()
