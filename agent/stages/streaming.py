"""The events of a question while it is answered, as an asynchronous stream.

The work runs in a task of its own, so that neither its timeouts nor its log context reach the consumer. If the consumer
stops, the work is cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.types import Event


@dataclass(frozen=True, slots=True)
class Channel:
    """The queue for the events of the work; `None` ends it."""

    events: asyncio.Queue[Event | None] = field(default_factory=asyncio.Queue)

    def __call__(self, name: str, data: Mapping[str, Any]) -> None:
        self.events.put_nowait(Event(name, data))

    def on_text(self, text: str | None) -> None:
        """Emit a piece of the answer as it is written."""
        self("answer.delta", {"text": text})


async def streamed(work: Callable[[Channel], Awaitable[object]]) -> AsyncGenerator[Event, None]:
    """Yield the events of the work; if it raises, raise that after all earlier events.

    >>> async def work(channel: Channel) -> None:
    ...     channel("question.received", {})
    >>> async def names() -> list[str]:
    ...     return [event.name async for event in streamed(work)]
    >>> asyncio.run(names())
    ['question.received']
    """
    channel = Channel()

    async def run() -> None:
        try:
            await work(channel)
        finally:
            channel.events.put_nowait(None)

    task = asyncio.create_task(run())
    try:
        while (event := await channel.events.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
