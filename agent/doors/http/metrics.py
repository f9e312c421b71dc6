"""The metrics of the server for Prometheus."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.application.gate import Gate
from agent.events import observed
from agent.monitoring.checks import judged
from agent.monitoring.prometheus import Metric, exposition, lines_of
from agent.monitoring.summary import Summary
from agent.settings.checks import CheckSettings


class Metrics:
    """Counts the responses by route and status, and the events of their questions, as in the log.

    The gate is read when the metrics are requested.
    """

    def __init__(self, gate: Gate, checks: CheckSettings, clock: Callable[[], float]) -> None:
        self._gate, self._checks, self._clock = gate, checks, clock
        self._summary = Summary()
        self._responses: Counter[tuple[str, str, str]] = Counter()
        self._seconds: Counter[str] = Counter()

    def counted(self, app: ASGIApp) -> ASGIApp:
        """Return the application with its responses counted."""

        async def counting(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            started, status = self._clock(), "none"

            async def noted(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = str(message["status"])
                await send(message)

            try:
                with observed(self._observe, logging.INFO):
                    await app(scope, receive, noted)
            finally:
                route = getattr(scope.get("endpoint"), "__name__", "other")
                self._responses[scope["method"] if scope["method"] in _METHODS else "other", route, status] += 1
                self._seconds[route] += self._clock() - started  # type: ignore[assignment]

        return counting

    def _observe(self, name: str, fields: Mapping[str, object]) -> None:
        self._summary.add({"event": name, **fields})

    def exposition(self) -> str:
        """Return all metrics with help and type, and those of `versus logs --prometheus`; ends with a line break."""
        responses = [
            ({"method": method, "route": route, "status": status}, float(number))
            for (method, route, status), number in sorted(self._responses.items())
        ]
        seconds = [({"route": route}, float(total)) for route, total in sorted(self._seconds.items())]
        metrics = (
            Metric("http_responses_total", "counter", "Responses; none is a client that went away before.", responses),
            Metric("http_seconds_total", "counter", "Time that responses took, streams to their end.", seconds),
            Metric("questions_running", "gauge", "Questions that are being answered.", [({}, self._gate.running)]),
            Metric("questions_waiting", "gauge", "Questions that wait for a place.", [({}, self._gate.waiting)]),
        )
        lines = "\n".join(line for metric in metrics for line in lines_of(metric))
        return f"{lines}\n{exposition(self._summary, judged(self._summary, self._checks))}"


_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
