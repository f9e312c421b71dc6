"""Clients that go away before their answer is there, and what they leave behind in the server that was asked."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from agent.application.application import Application
from benchmarks.memory import memory

CLIENTS = 32
"""How many clients ask, one question after the other, where each tenth is cut off."""
EACH_CUT = 10
CHROMA_POOL = 10
"""How many connections to its database Chroma keeps open at most."""
QUESTION = "What does a level 4 fighter need to roll to hit armor class 3?"
STREAM = {"Accept": "text/event-stream"}


@dataclass(frozen=True, slots=True)
class Left:
    """What a process has under way and holds: its tasks, open files by name, questions, and megabytes of memory."""

    tasks: int
    files: tuple[str, ...]
    questions: int
    megabytes: float

    @classmethod
    def now(cls, application: Application) -> Left:
        """Of this process."""
        gc.collect()
        return cls(len(asyncio.all_tasks()), open_files(), application.gate.running, memory())


def open_files() -> tuple[str, ...]:
    """Each open file of this process by its path, or its sort where it has none: `socket`, `pipe`, `anon_inode`."""
    names = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the folder itself, which was open while it was listed
            names.append(str(descriptor.readlink()).split(":", 1)[0])
    return tuple(sorted(names))


async def ask_and_leave(url: str, number: int, first: int = 0) -> Counter[str]:
    """So many questions by some clients, each with a number of its own from `first` on; each tenth is cut off, behind
    its first event or while nothing came yet.
    """
    outcomes: Counter[str] = Counter()
    numbers = iter(range(first, first + number))

    async def asking() -> None:
        async with httpx.AsyncClient(timeout=60) as client:
            for n in numbers:
                outcomes[await _one(client, url, n)] += 1

    await asyncio.gather(*(asking() for _ in range(CLIENTS)))
    return outcomes


async def _one(client: httpx.AsyncClient, url: str, n: int) -> str:
    body = {"question": f"{QUESTION} ({n})"}
    if n % EACH_CUT:
        answered = await client.post(f"{url}/v1/ask", json=body, headers=STREAM if n % 2 else {})
        return str(answered.status_code)
    if n % (2 * EACH_CUT):
        async with client.stream("POST", f"{url}/v1/ask", json=body, headers=STREAM) as response:
            async for _ in response.aiter_lines():
                break
        return "cut off behind its first event"
    try:
        async with asyncio.timeout(0.001 * (n // EACH_CUT % 20)):
            await client.post(f"{url}/v1/ask", json=body)
    except TimeoutError:
        return "cut off while it waited"
    return "answered before it was cut off"


def left_behind(before: Left, after: Left, megabytes: float = 20) -> list[str]:
    """What is there after that was not before, and should not be."""
    rows = [("tasks", before.tasks, after.tasks), ("questions", before.questions, after.questions)]
    found = [f"{then - now} more {name}" for name, now, then in rows if then > now]
    opened = Counter(after.files) - Counter(before.files)
    found += [f"{number} more of {name}" for name, number in opened.items() if not _pooled(name, after)]
    grown = after.megabytes - before.megabytes
    return found + ([f"{grown:.0f} MB more"] if grown > megabytes else [])


def _pooled(name: str, left: Left) -> bool:
    """Whether Chroma holds the file open for the next question: it opens its database up to ten times under load.

    Measured on chromadb 1.5.9: 3 times after one query, 6 after four at once, 10 after 16 and after 64 at once.
    """
    return name.endswith("/chroma.sqlite3") and left.files.count(name) <= CHROMA_POOL
