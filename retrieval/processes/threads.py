"""Background threads that give way to the event loop."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

_NICE = 5
"""A positive niceness gives way. With 256 concurrent sub-queries, loop lag p99 fell from 26 to 12-23 ms
(benchmarks.load).
"""


def background(workers: int, name: str) -> ThreadPoolExecutor:
    """Return a pool whose threads give way to all others: they keep cores busy, and the event loop must not wait.

    >>> background(1, "sums").submit(sum, [1, 2]).result()
    3
    """
    return ThreadPoolExecutor(workers, name, _give_way)


def _give_way() -> None:
    if sys.platform == "linux":  # elsewhere threads have no niceness of their own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


def processors() -> int:
    """Return how many processors this process may use.

    >>> processors() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
