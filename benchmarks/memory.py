"""How much memory a process has, and had at most. Nothing of versus is imported, for peers are measured by it too."""

from __future__ import annotations

import os
import re
import resource
from pathlib import Path

_PROCESS = Path("/proc/self")


def memory() -> float:
    """Megabytes that this process has in memory."""
    pages = int((_PROCESS / "statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def most_memory() -> float:
    """The most megabytes that it had; `getrusage` counts those of the process that started it too."""
    return _most(_PROCESS)


def most_memory_of_children() -> float:
    """The most megabytes that one of the running processes had that this one's first thread has started."""
    children = (_PROCESS / "task" / str(os.getpid()) / "children").read_text(encoding="ascii").split()
    return max((_most(_PROCESS.parent / number) for number in children), default=0.0)


def _most(process: Path) -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", (process / "status").read_text(encoding="utf-8"))
    return int(found[1]) * 1024 / 1e6 if found else 0.0
