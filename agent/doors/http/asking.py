"""The routes that answer: ask, search, plan and check; and the runs of questions."""

from __future__ import annotations

from contextlib import aclosing
from functools import partial

import orjson
from starlette.requests import Request
from starlette.responses import Response

from agent import events
from agent.application.application import Application
from agent.doors.http.bodies import AskBody, CheckBody, PlanBody, SearchBody, read_body
from agent.doors.http.limits import Limits
from agent.doors.http.responses import json_response
from agent.doors.http.runs import Run, Runs
from agent.doors.http.streams import RunStream, followed, wants_events
from agent.doors.http.wire import require_searched, stream_event
from agent.doors.leaving import cancelled_on_disconnect
from agent.render import check_data, evidence_data, plan_data
from agent.render.shapes import RunData
from agent.types import Turn


class Asking:
    """Answers questions. If the client goes away, answering ends."""

    def __init__(self, application: Application, runs: Runs, limits: Limits) -> None:
        self._application, self._runs, self._limits = application, runs, limits

    async def ask(self, request: Request) -> Response:
        """Answer a question: with `Accept: text/event-stream` as events, with `Prefer: respond-async` as a run.

        An error before the first event sets the status of the response; it is no event.
        """
        body = await read_body(request, AskBody)
        is_detached = "respond-async" in request.headers.get("prefer", "")
        run = self.begin(body, is_detached, with_text=is_detached or wants_events(request))
        if is_detached:
            return json_response(
                _run_data(run), 202, {"Location": f"runs/{run.id}", "Preference-Applied": "respond-async"}
            )
        return await followed(request, run, self._limits)

    def begin(self, body: AskBody, is_detached: bool = False, with_text: bool = False) -> Run:
        """Start answering; `RunNotFound` if a run in `after` is not kept. `with_text` streams unchecked text."""
        after = [self._runs.turn(run_id) for run_id in body.after]
        collection = body.collection or self._application.settings.collection
        answering = partial(self._answer, body, after, with_text)
        return self._runs.start(body.question, collection, answering, is_detached)

    async def search(self, request: Request) -> Response:
        """Plan and retrieve, without an answer."""
        body = await read_body(request, SearchBody)
        searching = self._application.search(body.question, body.collection, body.options)
        found = await cancelled_on_disconnect(request.receive, searching)
        return json_response(evidence_data(body.question, found, body.debug))

    async def plan(self, request: Request) -> Response:
        """Split a question into sub-queries only."""
        body = await read_body(request, PlanBody)
        planning = self._application.plan(body.question, body.collection, body.options)
        return json_response(plan_data(await cancelled_on_disconnect(request.receive, planning), body.debug))

    async def check(self, request: Request) -> Response:
        """Return whether a chunk's rule holds for a query, and what the query lacks."""
        body = await read_body(request, CheckBody)
        chunk, verdict = await self._application.check(body.query, body.chunk_id, body.collection)
        return json_response(check_data(body.query, chunk, bool(verdict), verdict.missing))

    async def run(self, request: Request) -> Response:
        """Return a run: its state, and its answer once there is one."""
        return json_response(_run_data(self._runs.get(request.path_params["run_id"])))

    async def events(self, request: Request) -> Response:
        """Stream the events of a run after the one that `Last-Event-ID` names."""
        run = self._runs.get(request.path_params["run_id"])
        after = request.headers.get("last-event-id", "")
        return RunStream(run, self._limits, int(after) if after.isdecimal() and len(after) < 10 else 0)

    async def remove(self, request: Request) -> Response:
        """Cancel a running run, and forget it."""
        self._runs.remove(request.path_params["run_id"])
        return Response(status_code=204)

    async def _answer(self, body: AskBody, after: list[Turn], with_text: bool, run: Run) -> None:
        """Answer the question of a run, and add its events to the run."""
        with events.bind(run_id=run.id):
            async with (
                self._application.lend_agent(body.collection, body.options) as agent,
                aclosing(agent.stream(body.question, after, with_text=with_text)) as happening,
            ):
                run.add_event("run", {"run_id": run.id, "question": run.question, "collection": run.collection})
                async for event in happening:
                    if event.name == "answer.completed":
                        require_searched(event.data["answer"])
                        run.turn = event.data["answer"].turn
                    told = stream_event(event, body.debug)
                    if told is not None:
                        run.add_event(*told)


def _run_data(run: Run) -> RunData:
    return {
        "run_id": run.id,
        "state": run.state,
        "question": run.question,
        "collection": run.collection,
        "answer": None if run.answer is None else orjson.loads(run.answer),
        "problem": None if run.problem is None else run.problem.data(run.id),
    }
