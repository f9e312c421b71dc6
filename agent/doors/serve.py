"""All doors of one server, and the server itself: how it starts, and how it stops.

On the first signal it accepts no more questions, gives running ones some seconds to end, and stops; on the second it
stops at once.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import uvicorn
from starlette.responses import Response
from starlette.types import Scope

from agent.application.application import Application
from agent.application.gate import Gate
from agent.doors.connections import allow_open_files, bounded_config
from agent.doors.http.app import HttpDoor, OtherDoors, http_door, refused
from agent.doors.http.guard import Keys
from agent.doors.http.limits import Limits
from agent.doors.http.problems import problem_of
from agent.doors.mcp.http import mcp_over_http
from agent.doors.openai.door import is_of_openai, openai_routes
from agent.doors.openai.errors import RequestError, error_response
from agent.doors.prefix import Prefixed
from agent.doors.serving import LOOPBACK, Serving
from agent.errors import AgentError, SettingsError
from agent.settings.settings import Settings


def doors(application: Application, serving: Serving, limits: Limits) -> HttpDoor:
    """Return the HTTP door, with MCP under `/mcp` and the endpoint for OpenAI clients beside it."""
    mcp = mcp_over_http(application)
    others = OtherDoors([*mcp.routes, *openai_routes(application, limits.ping_s)], mcp.running, _refused)
    keys = Keys(application.settings.named_api_keys())
    door = http_door(application, keys, serving.hosts(), limits, others, serving.uploads)
    return replace(door, app=Prefixed(door.app, serving.prefix)) if serving.prefix else door


def _refused(scope: Scope, error: Exception) -> Response:
    """Return the response to a refused request, in the format of the door that it was for."""
    if not is_of_openai(scope):
        return refused(scope, error)
    problem = problem_of(error)
    return error_response(RequestError(problem.detail, None, problem.kind.name, problem.kind.status))


def require_keys(settings: Settings, serving: Serving) -> None:
    """Raise `SettingsError` if others could ask without a key, and no setting allows it.

    >>> require_keys(Settings(), Serving(host="0.0.0.0"))
    Traceback (most recent call last):
    agent.errors.SettingsError: others could ask it on 0.0.0.0 without a key; set VERSUS_API_KEYS, or say --no-auth
    """
    if serving.host in LOOPBACK or serving.needs_no_key or settings.api_keys:
        return
    raise SettingsError(f"others could ask it on {serving.host} without a key; set VERSUS_API_KEYS, or say --no-auth")


def listening(serving: Serving) -> socket.socket:
    """Return a socket at the address; `AgentError` if it can't be opened."""
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    try:
        return socket.create_server((serving.host.strip("[]"), serving.port), family=family, backlog=2048)
    except OSError as error:
        why = error.strerror or error
        place = f"{serving.host}:{serving.port}"
        raise AgentError(f"{place} can't be served ({why}); choose others with --host and --port") from error


async def serve(
    settings: Settings,
    serving: Serving,
    listener: socket.socket,
    limits: Limits | None = None,
    opened: Callable[[], None] = lambda: None,
) -> None:
    """Serve until a signal ends it. `opened` is called after each opening of a collection."""
    limits = limits or Limits()
    allow_open_files(limits.connections)
    async with Application.open(settings, Gate(limits.running, limits.waiting), opened) as application:
        door = doors(application, serving, limits)
        await DrainingServer(door, limits).serve([listener])


class DrainingServer(uvicorn.Server):
    """A server that finishes running answers before it stops."""

    def __init__(self, door: HttpDoor, limits: Limits) -> None:
        super().__init__(bounded_config(door.app, limits))
        self._door, self._limits = door, limits
        self._draining: asyncio.Task[None] | None = None

    @property
    def is_draining(self) -> bool:
        """True if the server is stopping, and accepts no more questions."""
        return self._door.gate.is_closed

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Drain on the first signal, stop at once on the second."""
        if self._draining is not None:
            self.should_exit = self.force_exit = True
            return
        self._draining = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        await self._door.drain(self._limits.drain_s)
        self.should_exit = True
