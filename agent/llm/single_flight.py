"""Single flight: concurrent calls with the same key share one call, and all get its result.

A cancelled sharer does not affect the others; when the last one is cancelled, so is the call. Its usage is reported to
one of them. If it fails, perhaps for lack of its starter's time or money, the others ask once more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from agent.errors import LLMError, LLMRefused
from agent.llm.protocol import OnText, Reply
from agent.types import Usage

Work = Callable[[OnText | None], Awaitable[Reply]]


@dataclass(slots=True, eq=False)
class _Listener:
    on_text: OnText
    heard: bool = False

    def send(self, text: str | None) -> None:
        self.heard = text is not None
        self.on_text(text)


@dataclass(slots=True)
class _Call:
    """One running call: the text streamed so far, and its listeners."""

    key: str
    task: asyncio.Task[Reply] | None = None
    paid: bool = False
    sharers: int = 0
    streamed: list[str] = field(default_factory=list)
    listeners: list[_Listener] = field(default_factory=list)

    def stream(self, text: str | None) -> None:
        if text is None:
            self.streamed.clear()
        else:
            self.streamed.append(text)
        for listener in self.listeners:
            listener.send(text)


class SharedCalls:
    """The running calls of one event loop, by key."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}

    async def join(self, key: str, work: Work, on_text: OnText | None) -> Reply:
        """Return the result of `work`, or of the running call with this key; `on_text` gets all of its text."""
        shared = key in self._calls
        try:
            return await self._joined(self._call(key, work, on_text), on_text)
        except LLMError as error:
            if not shared or isinstance(error, LLMRefused):
                raise
        return await self._joined(self._call(key, work, on_text), on_text)

    async def _joined(self, call: _Call, on_text: OnText | None) -> Reply:
        assert call.task is not None
        listener = None if on_text is None else _Listener(on_text)
        call.sharers += 1
        try:
            if listener is not None:
                if call.streamed:
                    listener.send("".join(call.streamed))
                call.listeners.append(listener)
            reply = await asyncio.shield(call.task)
        except asyncio.CancelledError:
            if call.sharers == 1:
                self._forget(call)  # a new caller must not get a call that is about to end
                call.task.cancel()
                await asyncio.gather(call.task, return_exceptions=True)  # or asyncio warns of an unread exception
            raise
        finally:
            call.sharers -= 1
            if listener in call.listeners:
                call.listeners.remove(listener)
        if listener is not None and not listener.heard and reply.text:
            listener.send(reply.text)  # the call's starter does not listen, so nothing was streamed
        paid, call.paid = call.paid, True
        return replace(reply, usage=Usage()) if paid else reply

    def _call(self, key: str, work: Work, on_text: OnText | None) -> _Call:
        if key in self._calls:
            return self._calls[key]
        call = self._calls[key] = _Call(key)
        call.task = asyncio.ensure_future(work(None if on_text is None else call.stream))
        call.task.add_done_callback(lambda task: self._forget(call))
        return call

    def _forget(self, call: _Call) -> None:
        if self._calls.get(call.key) is call:
            del self._calls[call.key]
