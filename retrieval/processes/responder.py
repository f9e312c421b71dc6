"""A process that replies to many concurrent requests for as long as it is needed.

Requests go to its standard input and replies come back as JSON Lines, each with the number of its request. Request 0
says what to open. Its input ends when it is no longer needed, and also when the requesting process dies: it then
cancels its work and exits, even if a library holds the interpreter.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import os
import sys
import threading
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from itertools import count

from retrieval.errors import ProcessEnded
from retrieval.processes.worker import Ending, News, Tell, news_of, started

Respond = Callable[[News], Awaitable[News]]
Opening = Callable[[News], AbstractAsyncContextManager[Respond]]
"""Opens the replier that the first request describes, and closes it."""
_LEAVE = 2.0
"""Seconds for a process to exit after its input has ended."""
_PIECE = 1 << 16
_LONGEST = 1 << 28
"""The most bytes of one reply."""


class Responder:
    """The process as seen by the requesting one; `responder` starts it.

    A cancelled request is still completed, and its reply dropped.
    """

    def __init__(self, module: str, process: Process) -> None:
        self._module, self._process = module, process
        self._numbers, self._owed = count(), dict[int, asyncio.Future[News]]()
        self._reading = asyncio.create_task(self._read())

    @property
    def number(self) -> int:
        """Its process id."""
        return self._process.pid

    async def ask(self, request: News) -> News:
        """Return the reply to a request; `ProcessEnded` if the process ends first."""
        assert self._process.stdin is not None
        number = next(self._numbers)
        owed: asyncio.Future[News] = asyncio.get_running_loop().create_future()
        self._owed[number] = owed
        try:
            if self._reading.done():
                raise await self.ended()
            # Not orjson: a question may have a lone surrogate in it.
            self._process.stdin.write(json.dumps({"number": number, "request": request}).encode() + b"\n")
            with suppress(ConnectionError):  # it has ended; the reason follows
                await self._process.stdin.drain()
            return await owed
        finally:
            del self._owed[number]

    async def ended(self) -> ProcessEnded:
        """Wait until the process has ended, and return how."""
        return await asyncio.shield(self._reading)

    async def close(self) -> None:
        """Ask it to exit, and kill it if it does not."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LEAVE):
                    await self.ended()
        finally:
            await self.kill()

    async def kill(self) -> None:
        """Kill it at once."""
        if self._process.returncode is None:
            self._process.kill()
        await self.ended()

    async def _read(self) -> ProcessEnded:
        """Deliver each reply as it arrives. At the end, fail all waiting requests with the reason."""
        assert self._process.stdout is not None
        said = ""
        try:
            async for line in self._process.stdout:
                news = news_of(self._module, line) or {}
                said = news.get("error", said)
                self._hand_over(news)
        except ValueError as error:  # of the stream, for a line without an end
            said = f"the process for {self._module} said what is no reply ({error})"
            self._process.kill()
        ending = Ending(await self._process.wait(), "")
        ended = ProcessEnded(said or f"the process for {self._module} {ending}")
        for owed in self._owed.values():
            if not owed.done():
                owed.set_exception(ended)
        return ended

    def _hand_over(self, news: News) -> None:
        owed = self._owed.get(news.get("number", -1))
        if owed is not None and not owed.done():
            owed.set_result(news.get("reply", {}))


@asynccontextmanager
async def responder(module: str, opening: News) -> AsyncIterator[Responder]:
    """Start a process that replies, and end it after the block. The module's `main(tell)` calls `respond`.

    `ProcessEnded` if it can't open what `opening` says, `ProcessTrouble` if it can't be started. It shares the standard
    error of this process.
    """
    found = Responder(module, await started(module, [], stderr=None, longest=_LONGEST))
    try:
        await found.ask(opening)
    except BaseException:
        await asyncio.shield(found.kill())
        raise
    try:
        yield found
    finally:
        await asyncio.shield(found.close())


async def respond(opening: Opening, tell: Tell) -> None:
    """Reply to the requests on standard input, each as soon as possible, until the input ends.

    Runs in the replying process. An error of `opening`, or one that a reply does not catch, ends the process.
    """
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    threading.Thread(target=_read_input, args=(lines, asyncio.get_running_loop()), daemon=True).start()
    first = await lines.get()
    if not first:
        return

    async def reply(line: bytes, to: Respond) -> None:
        asked = json.loads(line)
        said = await to(asked["request"])
        with suppress(BrokenPipeError):  # nobody waits for it anymore
            tell({"number": asked["number"], "reply": said})

    async with opening(json.loads(first)["request"]) as to:
        tell({"number": 0, "reply": {}})
        try:
            async with asyncio.TaskGroup() as group:
                while line := await lines.get():
                    group.create_task(reply(line, to))
                raise _InputEnded
        except* _InputEnded:
            pass


class _InputEnded(Exception):
    """The input has ended; raised to cancel the work in progress."""


def _read_input(lines: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    """Deliver each line, and an empty one at the end; the process then exits soon, whatever it is doing."""
    begun = b""
    with suppress(RuntimeError):  # the loop is closed: the process exits by itself
        while piece := os.read(sys.stdin.fileno(), _PIECE):
            *whole, begun = (begun + piece).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(lines.put_nowait, line)
        # Its thread needs no interpreter, so it works even if that is blocked or shutting down; it exits with 1.
        faulthandler.dump_traceback_later(_LEAVE, exit=True, file=os.open(os.devnull, os.O_WRONLY))
        loop.call_soon_threadsafe(lines.put_nowait, b"")
