"""The progress of a question for an MCP client: the plan, each sub-query, the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent.types import Event

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Called with the steps done, the known total, and a message."""


class Progress:
    """Counts the events of a question; the plan, the answer and every sub-query are one step each."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._done = self._planned = 0

    async def follow(self, event: Event) -> None:
        """Report the event, if it is a step."""
        match event.name:
            case "plan.created":
                self._planned = len(event.data["plan"].sub_queries)
                await self._step("planned", self._planned + 2)
            case "subquery.retrieved":
                # A follow-up wave runs more sub-queries than planned, so the total may grow.
                total = max(self._planned, self._done) + 2
                await self._step(f"searched: {event.data['retrieved'].sub_query.text}", total)
            case "answer.completed":
                await self._step("answered", self._done + 1)

    async def _step(self, message: str, total: int) -> None:
        self._done += 1
        await self._report(self._done, total, message)
