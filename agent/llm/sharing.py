"""Calls that are under way, each shared by all who want the same: one does the work, all get the result.

Someone who is cancelled does not hurt the others; when the last one is, the call is cancelled too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from agent.llm.protocol import OnText, Reply

Work = Callable[[OnText | None], Awaitable[Reply]]


@dataclass(slots=True, eq=False)
class _Listener:
    on_text: OnText
    heard: bool = False

    def tell(self, text: str | None) -> None:
        self.heard = text is not None
        self.on_text(text)


@dataclass(slots=True)
class _Call:
    """One call under way: what was streamed so far, and who hears it."""

    task: asyncio.Task[Reply] | None = None
    sharers: int = 0
    said: list[str] = field(default_factory=list)
    listeners: list[_Listener] = field(default_factory=list)

    def stream(self, text: str | None) -> None:
        if text is None:
            self.said.clear()
        else:
            self.said.append(text)
        for listener in self.listeners:
            listener.tell(text)


class SharedCalls:
    """The calls of one event loop, by their keys."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}

    async def join(self, key: str, work: Work, on_text: OnText | None) -> Reply:
        """Return what `work` gives, or the same call that is under way; `on_text` hears all of it in any case."""
        call = self._calls.get(key) or self._begin(key, work, streaming=on_text is not None)
        listener = None if on_text is None else _Listener(on_text)
        call.sharers += 1
        try:
            if listener is not None:
                if call.said:
                    listener.tell("".join(call.said))
                call.listeners.append(listener)
            reply = await _result(call)
        except asyncio.CancelledError:
            if call.sharers == 1:
                self._forget(key, call)  # who comes now must not get a call that is about to end
                await _cancelled(call)
            raise
        finally:
            call.sharers -= 1
            if listener in call.listeners:
                call.listeners.remove(listener)
        if listener is not None and not listener.heard and reply.text:
            listener.tell(reply.text)  # the call was begun by someone who does not listen
        return reply

    def _begin(self, key: str, work: Work, streaming: bool) -> _Call:
        call = self._calls[key] = _Call()
        call.task = asyncio.ensure_future(work(call.stream if streaming else None))
        call.task.add_done_callback(lambda task: self._forget(key, call))
        return call

    def _forget(self, key: str, call: _Call) -> None:
        if self._calls.get(key) is call:
            del self._calls[key]


async def _result(call: _Call) -> Reply:
    assert call.task is not None
    return await asyncio.shield(call.task)


async def _cancelled(call: _Call) -> None:
    """End the work of a call, and look at how it ended, or asyncio would complain that no one did."""
    assert call.task is not None
    call.task.cancel()
    await asyncio.gather(call.task, return_exceptions=True)
