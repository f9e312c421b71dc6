"""What is read at once and stays is not searched for garbage meanwhile.

Python looks through all that it holds each time some tens of thousands of objects were made. A catalog is as many, all
of them in use, and would be read three times as slowly.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Put off the collection of garbage, in this process, until this ends.

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
