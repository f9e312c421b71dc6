"""What the tests of the HTTP door share: doors without a network, a server with one, and the events of a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx
from pydantic import SecretStr
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from agent.application.application import Application
from agent.application.gate import Gate
from agent.doors.http.app import HttpDoor
from agent.doors.http.limits import Limits
from agent.doors.serve import DrainingServer, doors, listening
from agent.doors.serving import Serving
from agent.settings.settings import Settings
from tests.agent.asking import until

FARE = "What is the fare of the Reed?"
URL = "http://localhost"
ALICE, BOB = "alice-has-this-key", "bob-has-another-one"


@dataclass(frozen=True, slots=True)
class Opened:
    """A door that is open, a client before it, and what is behind it."""

    door: HttpDoor
    client: httpx.AsyncClient
    application: Application


@asynccontextmanager
async def opened(
    settings: Settings, limits: Limits | None = None, serving: Serving | None = None
) -> AsyncIterator[Opened]:
    """The doors of these settings, without a network."""
    limits = limits or Limits()
    async with Application.open(settings, Gate(limits.running, limits.waiting)) as application:
        door = doors(application, serving or Serving(), limits)
        transport = httpx.ASGITransport(app=door.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
            yield Opened(door, client, application)


def events_in(stream: str) -> Iterator[tuple[str, Any]]:
    """The names and the data of a stream; comments, which are pings, are left out."""
    for block in stream.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            yield fields["event"], json.loads(fields["data"])


def folded(events: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """What the events come to: all that is known so far, and with the last one the whole answer."""
    known: dict[str, Any] = {"retrieved": [], "needs": [], "text": ""}
    for name, data in events:
        match name:
            case "retrieved":
                known["retrieved"].append(data)
            case "text":
                known["text"] = data.get("replace", known["text"]) + data.get("delta", "")
            case "followup":
                known["needs"] += data["needs"]
            case "plan":
                known["plan"] = data
            case "answer":
                known = dict(data)
            case _:
                known |= data
    return known


@dataclass(frozen=True, slots=True)
class Running:
    """A server on loopback, its address, and what is behind it."""

    server: DrainingServer
    url: str
    application: Application
    ended: asyncio.Task[None]


@asynccontextmanager
async def running(
    settings: Settings, limits: Limits, serving: Serving | None = None, prefix: str = ""
) -> AsyncIterator[Running]:
    """A real server on a free port, in this event loop; it is stopped at the end of the block.

    With a `prefix` it stands behind a proxy that takes that off, and knows nothing else.
    """
    with listening(Serving(port=0)) as listener:
        async with Application.open(settings, Gate(limits.running, limits.waiting)) as application:
            door = doors(application, serving or Serving(), limits)
            server = DrainingServer(replace(door, app=behind(prefix, door.app)), limits)
            ended = asyncio.create_task(server.serve([listener]))
            await until(lambda: server.started)
            try:
                yield Running(server, f"http://127.0.0.1:{listener.getsockname()[1]}{prefix}", application, ended)
            finally:
                server.should_exit = True
                await ended


def behind(prefix: str, app: ASGIApp) -> ASGIApp:
    """The application behind a proxy that answers what has not this prefix itself."""

    async def proxied(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if not scope["path"].startswith(prefix):
                await Response(status_code=404)(scope, receive, send)
                return
            raw: bytes = scope["raw_path"]
            scope = {**scope, "path": scope["path"][len(prefix) :], "raw_path": raw[len(prefix) :]}
        await app(scope, receive, send)

    return proxied


@asynccontextmanager
async def asking(
    url: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None, path: str = "/v1/ask"
) -> AsyncIterator[None]:
    """A question under way; at the end of the block its client goes away."""
    async with httpx.AsyncClient(timeout=30) as client:
        asked = asyncio.create_task(client.post(url + path, json=body, headers=headers))
        try:
            yield
        finally:
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)


def with_keys(settings: Settings) -> Settings:
    """The same with two keys."""
    return Settings(
        chroma=settings.chroma,
        collection="ferries",
        planner="rules",
        log_to="none",
        api_keys=SecretStr(f"alice:{ALICE},bob:{BOB}"),
    )
