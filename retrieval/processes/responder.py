"""A process that is asked and replies, many requests at a time, for as long as it is wanted.

Requests go to its standard input and replies come back as JSON Lines, each with the number of its request. Request 0
says what to open. Its input ends when it is no longer wanted, and also when the process that asks dies, however that
happens: it then gives up what is under way and ends, and it ends even where a library holds the interpreter.
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
"""Opens what replies, as the first request says, and closes it."""
_LEAVE = 2.0
"""Seconds that a process has to end in when its input has ended."""
_PIECE = 1 << 16
_LONGEST = 1 << 28
"""Bytes of one reply, at most."""


class Responder:
    """The process, as seen by the one that asks; `responder` starts it.

    A request that is cancelled is worked on to its end, and its reply is dropped.
    """

    def __init__(self, module: str, process: Process) -> None:
        self._module, self._process = module, process
        self._numbers, self._owed = count(), dict[int, asyncio.Future[News]]()
        self._reading = asyncio.create_task(self._read())

    @property
    def number(self) -> int:
        """By which the system knows it."""
        return self._process.pid

    async def ask(self, request: News) -> News:
        """Return the reply to a request; `ProcessEnded` when the process ends before it has replied."""
        assert self._process.stdin is not None
        number = next(self._numbers)
        owed: asyncio.Future[News] = asyncio.get_running_loop().create_future()
        self._owed[number] = owed
        try:
            if self._reading.done():
                raise await self.ended()
            # Not orjson: a question may have a lone surrogate in it.
            self._process.stdin.write(json.dumps({"number": number, "request": request}).encode() + b"\n")
            with suppress(ConnectionError):  # it has ended, and how is told soon
                await self._process.stdin.drain()
            return await owed
        finally:
            del self._owed[number]

    async def ended(self) -> ProcessEnded:
        """Wait until the process has ended, and return how."""
        return await asyncio.shield(self._reading)

    async def close(self) -> None:
        """Have it end, or kill it when it does not."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LEAVE):
                    await self.ended()
        finally:
            await self.kill()

    async def kill(self) -> None:
        """End it at once."""
        if self._process.returncode is None:
            self._process.kill()
        await self.ended()

    async def _read(self) -> ProcessEnded:
        """Hand over each reply as it comes. When no more come, everybody who waits for one is told why."""
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
    """Start a process that replies, and end it after the block. `main(tell)` of the module calls `respond`.

    `ProcessEnded` when it can't open what `opening` says, `ProcessTrouble` when it can't be started. What it writes to
    its standard error comes out of that of this process.
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
    """Reply to the requests on standard input, each as soon as it can be, until that ends.

    For the process that is asked. An error of `opening` or of a reply that it does not catch ends the process.
    """
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    threading.Thread(target=_read_input, args=(lines, asyncio.get_running_loop()), daemon=True).start()
    first = await lines.get()
    if not first:
        return

    async def reply(line: bytes, to: Respond) -> None:
        asked = json.loads(line)
        said = await to(asked["request"])
        with suppress(BrokenPipeError):  # nobody waits for it any more
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
    """Nobody asks any more; it takes back what is under way."""


def _read_input(lines: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    """Hand over each line, and an empty one at the end; the process then ends soon, whatever it is doing."""
    begun = b""
    with suppress(RuntimeError):  # the loop is closed: the process ends by itself
        while piece := os.read(sys.stdin.fileno(), _PIECE):
            *whole, begun = (begun + piece).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(lines.put_nowait, line)
        # Its thread needs no interpreter, so it works even while one is held or taken apart; it exits with 1.
        faulthandler.dump_traceback_later(_LEAVE, exit=True, file=os.open(os.devnull, os.O_WRONLY))
        loop.call_soon_threadsafe(lines.put_nowait, b"")
