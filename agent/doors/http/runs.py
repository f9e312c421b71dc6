"""Runs: each question with the events of its answering, for clients that follow now or later.

A run is a task of its own; clients may follow its events from the first or from any later one. When the last follower
of a run that is not detached leaves before the end, the run is cancelled.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.doors.errors import ClientGone
from agent.doors.http.errors import RunNotFound
from agent.doors.http.problems import BUG, Problem, problem_of
from agent.errors import Draining
from agent.render import to_json
from agent.render.shapes import RunState
from agent.types import Turn


@dataclass(frozen=True, slots=True)
class RunEvent:
    """An event as it is sent, with `data` as JSON; `id` counts the events of a run from 1."""

    id: int
    event: str
    data: str


@dataclass(eq=False)
class Run:
    """One question, running or ended. A detached run goes on without followers."""

    id: str
    question: str
    collection: str
    is_detached: bool = False
    state: RunState = "running"
    events: list[RunEvent] = field(default_factory=list)
    turn: Turn | None = None
    problem: Problem | None = None
    error: Exception | None = None
    _task: asyncio.Task[None] | None = None
    _followers: int = 0
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def add_event(self, event: str, data: Mapping[str, Any]) -> None:
        """Add an event and wake the followers."""
        self.events.append(RunEvent(len(self.events) + 1, event, to_json(data)))
        self._wake()

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start the work in a task of the run."""
        self._task = asyncio.create_task(self._working(work))
        return self._task

    async def follow(self, after: int = 0) -> AsyncGenerator[RunEvent, None]:
        """Yield the events after number `after`, past and future, until the run ends."""
        self._followers += 1
        try:
            while True:
                news = self._news
                for told in self.events[after:]:
                    after = told.id
                    yield told
                if after < len(self.events):
                    continue
                if self.state != "running":
                    return
                await news.wait()
        finally:
            self._followers -= 1
            self.leave()

    async def begun(self) -> None:
        """Wait for the first event, or for an end without one."""
        while self.state == "running" and not self.events:
            await self._news.wait()

    async def ended(self) -> None:
        """Wait for the end."""
        while self.state == "running":
            await self._news.wait()

    def leave(self) -> None:
        """Cancel the run if nobody follows it."""
        if not self._followers and not self.is_detached:
            self.cancel(ClientGone("the client went away"))

    def cancel(self, why: Exception) -> None:
        """Cancel a running run; an ended run stays as it is."""
        if self.state == "running" and self._task is not None:
            self.error = self.error or why
            self._task.cancel()

    @property
    def answer(self) -> str | None:
        """The JSON of the answer, if there is one: the data of the last event."""
        return self.events[-1].data if self.state == "answered" else None

    async def _working(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
            self._end("answered")
        except asyncio.CancelledError:
            self.problem = problem_of(self.error or Draining("the server stopped"))
            self._fail("cancelled")
        except Exception as error:  # noqa: BLE001 - followers get it as a problem
            self.error, self.problem = error, problem_of(error)
            self._fail("failed")
        finally:
            if self.state == "running":  # reporting the failure failed too, for example on a full disk
                self.problem = BUG
                self._end("failed")

    def _fail(self, state: RunState) -> None:
        assert self.problem is not None
        if self.events:
            self.add_event("error", self.problem.data(self.id))
        self._end(state)

    def _end(self, state: RunState) -> None:
        self.state = state
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Runs:
    """The runs of a server: all that are running, and the latest of those that have ended."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[str, Run] = {}
        self._under_way = set[Run]()

    def start(
        self,
        question: str,
        collection: str,
        work: Callable[[Run], Coroutine[Any, Any, None]],
        is_detached: bool = False,
        is_kept: bool = True,
    ) -> Run:
        """Start a run; only its starter can follow a run that is not kept."""
        run = Run(uuid.uuid4().hex, question, collection, is_detached)
        if is_kept:
            self._kept[run.id] = run
            self._forget()
        self._under_way.add(run)
        run.begin(work(run)).add_done_callback(lambda _: self._under_way.discard(run))
        return run

    def get(self, run_id: str) -> Run:
        """Return the run of this id; `RunNotFound` if it is not kept."""
        self._forget()
        if run_id not in self._kept:
            raise RunNotFound(run_id)
        return self._kept[run_id]

    def remove(self, run_id: str) -> None:
        """Cancel a running run, and forget it."""
        run = self.get(run_id)
        run.cancel(ClientGone("the run was cancelled"))
        del self._kept[run_id]

    def turn(self, run_id: str) -> Turn:
        """Return the turn that a follow-up continues; `RunNotFound` also for a run without an answer."""
        turn = self.get(run_id).turn
        if turn is None:
            raise RunNotFound(run_id)
        return turn

    async def ended(self) -> None:
        """Wait until no run is running."""
        for run in list(self._under_way):
            await run.ended()

    def end(self) -> None:
        """Cancel all running runs; their followers get an error."""
        for run in self._under_way:
            run.cancel(Draining("the server stopped before the answer was there"))

    def _forget(self) -> None:
        ended = [run_id for run_id, run in self._kept.items() if run.state != "running"]
        for run_id in ended[: max(0, len(ended) - self._most)]:
            del self._kept[run_id]
