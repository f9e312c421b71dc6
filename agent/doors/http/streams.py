"""Server-sent events of a run. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from agent.doors.http.limits import Limits
from agent.doors.http.problems import problem_response
from agent.doors.http.runs import Run
from agent.doors.leaving import cancelled_on_disconnect


async def followed(request: Request, run: Run, limits: Limits) -> Response:
    """Return the response to a run: with `Accept: text/event-stream` its events, else its result.

    An error before the first event sets the status of the response; it is no event.
    """
    try:
        await cancelled_on_disconnect(request.receive, run.begun())
        if run.events and wants_events(request):
            return RunStream(run, limits)
        await cancelled_on_disconnect(request.receive, run.ended())
    except BaseException:
        run.leave()
        raise
    if run.answer is not None:
        return Response(run.answer, media_type="application/json", headers={"Cache-Control": "no-store"})
    assert run.problem is not None
    return problem_response(run.problem, run.id)


def wants_events(request: Request) -> bool:
    """Return True if a client asks for events, not only for the result."""
    return "text/event-stream" in request.headers.get("accept", "")


class RunStream(EventSourceResponse):
    """The events of a run after a given one. The stream ends when the client goes away."""

    def __init__(self, run: Run, limits: Limits, after: int = 0) -> None:
        self._run, self._after = run, after
        super().__init__(
            self._events(),
            sep="\n",
            ping=limits.ping_s,
            shutdown_grace_period=limits.drain_s,
            headers={"Cache-Control": "no-store"},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the run ends; leave the run even if the stream never began."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._run.leave()

    async def _events(self) -> AsyncGenerator[ServerSentEvent, None]:
        async with aclosing(self._run.follow(self._after)) as told:
            async for each in told:
                yield ServerSentEvent(each.data, event=each.event, id=str(each.id), sep="\n")
