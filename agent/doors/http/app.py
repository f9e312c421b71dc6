"""The HTTP application: its routes, the guard before them, and the mapping of errors to problems."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Scope

from agent.application.application import Application
from agent.application.gate import Gate
from agent.doors.http.asking import Asking
from agent.doors.http.guard import Guard, Keys, RefusalResponse
from agent.doors.http.limits import Limits
from agent.doors.http.metrics import Metrics
from agent.doors.http.openapi import openapi_json
from agent.doors.http.page.pages import Pages
from agent.doors.http.problems import problem_of, problem_response
from agent.doors.http.reading import Reading
from agent.doors.http.runs import Runs
from agent.doors.http.uploading import Uploading
from agent.errors import AgentError
from retrieval.errors import RetrievalError


def refused(scope: Scope, error: Exception) -> Response:
    """Return the problem response for a refused request."""
    return problem_response(problem_of(error))


@dataclass(frozen=True, slots=True)
class OtherDoors:
    """Doors beside this one: their routes, what has to run as long as the server does, and the response to a refused
    request, for doors with another error format.
    """

    routes: Sequence[BaseRoute] = ()
    running: Callable[[], AbstractAsyncContextManager[object]] = nullcontext
    refused: RefusalResponse = refused


@dataclass(frozen=True, slots=True)
class HttpDoor:
    """An ASGI application, with what is needed to stop it."""

    app: ASGIApp
    gate: Gate
    runs: Runs

    async def drain(self, seconds: float) -> None:
        """Accept no more questions, give running ones `seconds` to end, and then end them."""
        self.gate.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.gate.emptied()
                await self.runs.ended()
        self.runs.end()


def http_door(
    application: Application,
    keys: Keys,
    hosts: Collection[str] | None,
    limits: Limits,
    other: OtherDoors | None = None,
    uploads: Path | None = None,
) -> HttpDoor:
    """Return the door to an application, with `other` doors beside it. `hosts` are the host names that requests may
    use; None allows any. `uploads` is the folder for uploaded files; None accepts none.
    """
    other = other or OtherDoors()
    runs, metrics = Runs(limits.kept_runs), Metrics(application.gate, application.settings, time.monotonic)
    asking = Asking(application, runs, limits)
    pages = Pages(asking, runs, keys, application.settings.collection, takes_files=uploads is not None)
    reading = Reading(application, metrics, pages.chunk)
    uploading = Uploading(application, runs, limits, uploads)
    routes = [*routes_of(asking, reading, uploading), *pages.routes(), *other.routes]

    def tell(scope: Scope, error: Exception) -> Response:
        return pages.refused(scope, error) or other.refused(scope, error)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with other.running():
            yield

    inner = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(
            (AgentError, RetrievalError, ValidationError, HTTPException, Exception), _problem_handler
        ),
    )
    return HttpDoor(metrics.counted(Guard(inner, keys, hosts, limits, tell)), application.gate, runs)


def routes_of(asking: Asking, reading: Reading, uploading: Uploading) -> list[BaseRoute]:
    """Return every route of this door."""
    return [
        Route("/v1/ask", asking.ask, methods=["POST"]),
        Route("/v1/search", asking.search, methods=["POST"]),
        Route("/v1/plan", asking.plan, methods=["POST"]),
        Route("/v1/check", asking.check, methods=["POST"]),
        Route("/v1/runs/{run_id}", asking.run, methods=["GET"]),
        Route("/v1/runs/{run_id}", asking.remove, methods=["DELETE"]),
        Route("/v1/runs/{run_id}/events", asking.events, methods=["GET"]),
        Route("/v1/collections", reading.collections, methods=["GET"]),
        Route("/v1/collections/{name}", reading.collection, methods=["GET"]),
        Route("/v1/collections/{name}/chunks/{chunk_id:path}", reading.chunk, methods=["GET"]),
        Route("/v1/collections/{name}/files/{file}", uploading.put, methods=["PUT"]),
        Route("/health/live", reading.live, methods=["GET"]),
        Route("/health/ready", reading.ready, methods=["GET"]),
        Route("/metrics", reading.metrics, methods=["GET"]),
        Route("/openapi.json", _openapi, methods=["GET"]),
    ]


async def _openapi(request: Request) -> Response:
    """Return the OpenAPI 3.1 document of this API."""
    return Response(openapi_json(), media_type="application/json")


async def _problem_handler(request: Request, error: Exception) -> Response:
    return problem_response(problem_of(error))
