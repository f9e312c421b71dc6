"""When a command looks for garbage: not while it starts, not while it answers one question, and not when it ends.

What is imported and opened stays, one question leaves little, and what is left at the end goes with the process. To
look through all of that takes a quarter of the time of a short command.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def short_lived() -> Iterator[None]:
    """Look for no garbage until `gc.enable`, nor at the end of the process in what is there at the end of the block.

    For the whole of a program: `with short_lived(): app()`.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage inside the block.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
