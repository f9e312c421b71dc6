"""An answer streamed as server-sent events, read to its end.

`openai` has a reader too, but it leaves a generator behind at the end of each stream, for the event loop to collect
later. This one leaves nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress

from agent.llm.responses import Draft

_FIELD = b"data:"
_DONE = b"[DONE]"
_LINGER = 0.1
"""Seconds that a finished server has to end its stream, so that the connection can be reused."""


async def read_stream(chunks: AsyncIterator[bytes], draft: Draft, on_text: Callable[[str], None]) -> None:
    """Add all pieces of a stream to the draft, and pass on their text."""
    async with aclosing(events(chunks)) as datas:
        async for data in datas:
            if data == _DONE:
                break
            on_text(draft.piece(data))
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER):
                async for _ in datas:
                    pass


async def events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the data of each server-sent event; chunks may begin and end anywhere.

    Chat completions have one line of data in an event, so a line is an event
    (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    """
    unfinished: list[bytes] = []
    async for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            line = b"".join([*unfinished, end])
            unfinished.clear()
            if line.startswith(_FIELD):
                yield line.removeprefix(_FIELD).strip()
        unfinished.append(rest)
    last = b"".join(unfinished)
    if last.startswith(_FIELD):
        yield last.removeprefix(_FIELD).strip()
