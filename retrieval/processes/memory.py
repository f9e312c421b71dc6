"""Suspend garbage collection while long-lived data is loaded.

Python scans all its objects after some tens of thousands of allocations. A catalog has that many, all of them in use,
and would load three times as slowly.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Suspend garbage collection in this process until the block ends.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
