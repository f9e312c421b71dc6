"""Several processes answer the questions of a batch: this one at once, each other one from when it is open.

A question goes to the process that has the fewest. One that can't be opened or ends too early costs what it has under
way, and the rest go on without it.
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


class Colleague(Protocol):
    """Another process that answers questions; its `number` is the system's."""

    @property
    def number(self) -> int: ...

    async def respond(self, question: str) -> Response: ...

    async def ended(self) -> ProcessEnded:
        """Wait until it has ended, and say how."""
        ...


Opening = Callable[[], AbstractAsyncContextManager[Colleague]]
"""Starts another process, and ends it; a `RetrievalError` says why it can't be had."""


@dataclass(slots=True)
class _Place:
    respond: Respond
    under_way: int = 0


class Pool:
    """Asks here, and at `more` colleagues, which are begun when the `begin_at`th question comes; for `aclosing`.

    `note` is told of each that is lost.
    """

    def __init__(self, here: Respond, opening: Opening, more: int, begin_at: int, note: Callable[[str], None]) -> None:
        self._places = [_Place(here)]
        self._opening, self._more, self._left, self._note = opening, more, begin_at, note
        self._context = copy_context()
        self._colleagues: list[asyncio.Task[None]] = []

    async def respond(self, question: str) -> Response:
        """Ask where the fewest questions are under way."""
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
        """The use of another process, in the context of the batch: it is for no single question."""
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
