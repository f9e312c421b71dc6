"""Cancellation of work when its client goes away."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.types import Receive

from agent.doors.errors import ClientGone

T = TypeVar("T")


async def cancelled_on_disconnect(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """Do the work; if the client goes away first, cancel it, wait for its end and raise `ClientGone`.

    The body must already be read: the next message of the request is then the disconnect.
    """
    doing = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        raise ClientGone("the client went away before its answer was there")
    finally:
        doing.cancel()
        leaving.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
