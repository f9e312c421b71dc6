"""The connections of a server: how many there may be, and how long each may take to send its head and to read.

uvicorn waits without limit for the rest of a head and for a client that does not read; a few hundred such clients would
block the server.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from agent.doors.http.limits import Limits

if sys.platform != "win32":
    import resource

_FULL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_CLOSING_S = 2
"""Seconds that connections have to send their remaining data, once the questions of a server have ended."""
_OTHER_FILES = 1000
"""Open files besides the connections: those of collections, of the log, and connections to a language model."""


def bounded_config(app: ASGIApp, limits: Limits) -> uvicorn.Config:
    """Return the configuration of a server whose connections keep these limits."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_CLOSING_S,
        h11_max_incomplete_event_size=limits.head_bytes,
        http=partial(BoundedProtocol, limits),  # type: ignore[arg-type] # it is called like the class
        ws="none",
    )


def allow_open_files(connections: int) -> None:
    """Raise this process's limit of open files to what so many connections need, if the system allows it."""
    if sys.platform == "win32":
        return
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(connections + _OTHER_FILES, most)
    if allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class BoundedProtocol(H11Protocol):
    """A connection that ends when sending the head of a request, or reading a response, takes too long."""

    def __init__(self, limits: Limits, **served: Any) -> None:
        super().__init__(**served)
        self._most = limits.connections
        self._head, self._reading = _Timer(limits.head_s), _Timer(limits.send_s)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as that of uvicorn
        """Start the timer for the head, or refuse a connection beyond the limit."""
        super().connection_made(transport)
        if len(self.connections) > self._most:
            transport.write(_FULL)
            transport.close()
            return
        self._head.start(transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        super().connection_lost(exc)
        self._head.stop()
        self._reading.stop()

    def data_received(self, data: bytes) -> None:
        """Process received data; if the head is still incomplete, the rest has to come in time."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._head.stop()
        elif not self.transport.is_closing():
            self._head.start(self.transport.abort)

    def pause_writing(self) -> None:
        """Start the timer for reading: the client reads more slowly than the server writes."""
        super().pause_writing()
        self._reading.start(self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer for reading: the client has read."""
        super().resume_writing()
        self._reading.stop()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; data that was sent and not read has to be read in time."""
        super().timeout_keep_alive_handler()
        self._reading.start(self.transport.abort)


class _Timer:
    """Calls a function after so many seconds, unless it is stopped before."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._handle: asyncio.TimerHandle | None = None

    def start(self, then: Callable[[], None]) -> None:
        """Start counting; a running timer goes on."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(self._seconds, then)

    def stop(self) -> None:
        """Stop counting, without a call."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
