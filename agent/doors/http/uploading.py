"""Files that are uploaded into a collection, if the server allows it.

A file is stored under its own name in a folder of the server; an upload of the same name replaces it. No form of a
foreign page can send `PUT`, and a browser asks before it sends one to another server.
"""

from __future__ import annotations

import asyncio
import uuid
from functools import partial
from pathlib import Path

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from agent.application.application import Application
from agent.doors.errors import ClientGone
from agent.doors.http.errors import NotAllowed, UnusableFile
from agent.doors.http.limits import Limits
from agent.doors.http.runs import Run, Runs
from agent.doors.http.streams import followed
from agent.render import report_data

_NAME_BYTES = 200


class Uploading:
    """Stores files in `folder`, one at a time; with None it accepts none."""

    def __init__(self, application: Application, runs: Runs, limits: Limits, folder: Path | None) -> None:
        self._application, self._runs, self._limits, self._folder = application, runs, limits, folder
        self._reading = asyncio.Lock()

    async def put(self, request: Request) -> Response:
        """Read a file into a collection: with `Accept: text/event-stream` stream progress, else return the report."""
        if self._folder is None:
            raise NotAllowed("this server takes no files; `versus serve --allow-ingest FOLDER` does")
        self._application.gate.require_open()
        collection = await self._application.one_collection(request.path_params["name"])
        name = file_name(request.path_params["file"])
        incoming = self._folder / f".{uuid.uuid4().hex}.part"
        try:
            await _received(request, incoming)
            reading = partial(self._read, incoming, self._folder / collection / name)
            run = self._runs.start(name, collection, reading, is_kept=False)
            return await followed(request, run, self._limits)
        except BaseException:
            incoming.unlink(missing_ok=True)
            raise

    async def _read(self, incoming: Path, place: Path, run: Run) -> None:
        """Move the file to its place and ingest it; a file that can't be read is removed."""
        loop = asyncio.get_running_loop()

        def on_progress(stage: str, done: int, total: int) -> None:
            loop.call_soon_threadsafe(
                partial(run.add_event, "progress", {"stage": stage, "done": done, "total": total})
            )

        try:
            async with self._reading:
                await asyncio.to_thread(_put, incoming, place)
                try:
                    report = await self._application.ingest([place], run.collection, on_progress)
                except Exception:
                    await asyncio.to_thread(place.unlink, missing_ok=True)
                    raise
        finally:
            await asyncio.to_thread(incoming.unlink, missing_ok=True)
        await asyncio.sleep(0)  # the progress reports of the thread come before the end
        run.add_event("ingested", report_data(report, run.collection))


def file_name(told: str) -> str:
    """Return the name under which a file is stored; `UnusableFile` if it could lead elsewhere, or is hidden.

    >>> file_name("rules.md")
    'rules.md'
    >>> file_name("../rules.md")
    Traceback (most recent call last):
    agent.doors.http.errors.UnusableFile: '../rules.md' can't be the name of a file here; ...
    """
    is_plain = told.isprintable() and not set(told) & set('/\\:*?"<>|') and not told.startswith(".")
    if not told or not is_plain or len(told.encode("utf-8", "replace")) > _NAME_BYTES:
        advice = "give one of letters and digits, and the ending of its kind"
        raise UnusableFile(f"{told[:80]!r} can't be the name of a file here; {advice}")
    return told


def _put(incoming: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    incoming.replace(place)


async def _received(request: Request, incoming: Path) -> None:
    """Write the body to a file, as it arrives."""
    incoming.parent.mkdir(parents=True, exist_ok=True)
    with incoming.open("wb") as file:
        try:
            async for piece in request.stream():
                await asyncio.to_thread(file.write, piece)
        except ClientDisconnect:
            raise ClientGone("the client went away before its file was there") from None
