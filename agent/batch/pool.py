"""Several processes answer the questions of a batch: this one at once, each other one as soon as it is open.

A question goes to the process with the fewest running. If a process can't be opened or ends early, only its running
questions are lost; the others go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from typing import Protocol

from agent import events
from agent.batch.records import Response
from agent.batch.responding import Respond
from retrieval.errors import ProcessEnded, RetrievalError


class AnsweringProcess(Protocol):
    """Another process that answers questions; `number` is its process id."""

    @property
    def number(self) -> int: ...

    async def respond(self, question: str) -> Response: ...

    async def ended(self) -> ProcessEnded:
        """Wait until the process has ended, and return how."""
        ...


Opening = Callable[[], AbstractAsyncContextManager[AnsweringProcess]]
"""Starts another process, and ends it; raises `RetrievalError` if it can't be started."""


@dataclass(slots=True)
class _Place:
    respond: Respond
    under_way: int = 0


class Pool:
    """Asks this process and `more` others, which are started at question number `begin_at`; use it with `aclosing`.

    `note` is called for each process that is lost.
    """

    def __init__(self, here: Respond, opening: Opening, more: int, begin_at: int, note: Callable[[str], None]) -> None:
        self._places = [_Place(here)]
        self._opening, self._more, self._left, self._note = opening, more, begin_at, note
        self._context = copy_context()
        self._colleagues: list[asyncio.Task[None]] = []

    async def respond(self, question: str) -> Response:
        """Ask the process with the fewest running questions."""
        self._left -= 1
        if self._left <= 0 and not self._colleagues:
            self._colleagues = [self._begun() for _ in range(self._more)]
        place = min(self._places, key=lambda place: place.under_way)
        place.under_way += 1
        try:
            return await place.respond(question)
        finally:
            place.under_way -= 1

    async def aclose(self) -> None:
        """End the other processes."""
        for task in self._colleagues:
            task.cancel()
        if self._colleagues:
            await asyncio.wait(self._colleagues)

    def _begun(self) -> asyncio.Task[None]:
        """Start the use of another process, in the context of the batch: it serves no single question."""
        return asyncio.create_task(self._use_another(), context=self._context.copy())

    async def _use_another(self) -> None:
        try:
            async with self._opening() as colleague:
                with self._place(colleague.respond):
                    events.emit("batch.joined", {"process": colleague.number})
                    raise await colleague.ended()
        except RetrievalError as error:
            self._note(f"one process less answers the questions: {error}")

    @contextmanager
    def _place(self, respond: Respond) -> Iterator[None]:
        place = _Place(respond)
        self._places.append(place)
        try:
            yield
        finally:
            self._places.remove(place)
