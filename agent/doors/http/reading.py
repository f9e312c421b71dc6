"""The routes that show collections, chunks with a marked cell, and the state of the server."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

from agent.application.application import Application
from agent.doors.http.errors import Unreadable
from agent.doors.http.metrics import Metrics
from agent.doors.http.responses import json_response
from agent.render.collections import cell_data, description_data, listing_data, whole_chunk_data
from agent.render.shapes import MarkedChunkData


class Reading:
    """Shows the collections and their chunks, and whether the server is ready."""

    def __init__(
        self,
        application: Application,
        metrics: Metrics,
        page_of: Callable[[Scope, MarkedChunkData], Response],
    ) -> None:
        self._application, self._metrics = application, metrics
        self._page_of = page_of

    async def collections(self, request: Request) -> Response:
        """Return all collections of the store."""
        return json_response(listing_data(await self._application.collections()))

    async def collection(self, request: Request) -> Response:
        """Return the contents of one collection."""
        return json_response(description_data(await self._application.collection(request.path_params["name"])))

    async def chunk(self, request: Request) -> Response:
        """Return a chunk with its tables; `?table=&row=&column=`, indexes from 0 as in a citation, mark a cell.

        A browser, which accepts HTML, gets a page, except with `?as=json`.
        """
        name, chunk_id = request.path_params["name"], request.path_params["chunk_id"]
        chunk = await self._application.chunk(chunk_id, name)
        marked = None
        if "row" in request.query_params or "column" in request.query_params:
            row, column, table = (_place(request, axis) for axis in ("row", "column", "table"))
            cell = await self._application.read_cell(chunk_id, f"#{row}", f"#{column}", table, name)
            marked = cell_data(cell)
        data: MarkedChunkData = {**whole_chunk_data(chunk), "marked": marked}
        if "text/html" in request.headers.get("accept", "") and request.query_params.get("as") != "json":
            return self._page_of(request.scope, data)
        return json_response(data, headers={"Vary": "Accept"})

    async def live(self, request: Request) -> Response:
        """Return 200 if the process responds."""
        return json_response({"status": "live"})

    async def ready(self, request: Request) -> Response:
        """Return 200 if questions are accepted, and the collection of the settings can be opened."""
        self._application.gate.require_open()
        await self._application.ready()
        return json_response({"status": "ready"})

    async def metrics(self, request: Request) -> Response:
        """Return the metrics for Prometheus."""
        return PlainTextResponse(self._metrics.exposition(), media_type="text/plain; version=0.0.4")


def _place(request: Request, axis: str) -> int:
    """Return an index from the query of an address; 0 if it is absent."""
    told = request.query_params.get(axis, "0")
    if not told.isdecimal() or len(told) > 9:
        raise Unreadable(f"{axis}={told!r} is no place; places are numbers from 0, as a citation's `cell` tells them")
    return int(told)
