"""Questions as OpenTelemetry spans, derived from the events: there is no second instrumentation to maintain.

    question ── plan
             ├─ sub-query …
             ├─ llm …
             ├─ reason
             └─ synthesize

Needs `versus-rag[otel]`. Nothing of OpenTelemetry is imported before `spans_of` is called.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent.errors import SettingsError
from agent.events.emitting import observed
from agent.events.logfile import MASK, plain

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

log = logging.getLogger(__name__)
MOST_OPEN = 10_000
"""Running questions at once; beyond that the oldest counts as abandoned."""
_MS = 1_000_000
_SHOWN = (
    "stop_reason", "verdict", "planner", "effort", "text", "rounds", "fetched", "kept", "stop", "cut", "unique_added",
    "best_score", "effective_threshold", "model", "purpose", "prompt_tokens", "completion_tokens", "cost_usd",
)  # fmt: skip
_INSTALL = "OpenTelemetry is not installed; install versus-rag[otel], or unset VERSUS_SPANS"


@contextmanager
def spans_of(provider: TracerProvider, secrets: Sequence[str] = ()) -> Iterator[None]:
    """Turn every question inside the block into a trace of this provider, or a child of the current span.

    >>> with spans_of(provider):  # doctest: +SKIP
    ...     answer = await agent.ask("Who wins …?")
    """
    import agent

    spans = _Spans(provider.get_tracer("versus", agent.__version__), tuple(s for s in secrets if len(s) >= 8))
    try:
        with observed(spans.on_event):
            yield
    finally:
        spans.close()


@contextmanager
def exported_spans(secrets: Sequence[str] = ()) -> Iterator[None]:
    """Send spans by OTLP inside the block; the usual `OTEL_…` variables configure the destination.

    If nobody listens, one note says so and nothing waits. A failed export is retried until `OTEL_EXPORTER_OTLP_TIMEOUT`
    (10 seconds) is over. `SettingsError` if OpenTelemetry is not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        from agent.events.trace_export import CollectorExporter, collector_address
    except ImportError as error:
        raise SettingsError(_INSTALL) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "versus"}))
    exporter = CollectorExporter(OTLPSpanExporter(), collector_address(os.environ), _note)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        with spans_of(provider, secrets):
            yield
    finally:
        provider.shutdown()


@dataclass(slots=True)
class _Spans:
    """The spans of the running questions."""

    tracer: Tracer
    secrets: tuple[str, ...]
    open: OrderedDict[str, tuple[Span, int]] = field(default_factory=OrderedDict)

    def on_event(self, name: str, given: Mapping[str, object]) -> None:
        """Turn one event into the beginning or end of a span, or into a finished span with a duration."""
        now, key = time.time_ns(), str(given.get("question_id") or given.get("run_id") or "")
        if name == "question.received":
            self._begin(key, given, now)
            return
        if key not in self.open:
            return
        began = self.open[key][1]
        if name == "plan.created":
            self._piece(key, "plan", began, now, given)
        elif name in ("subquery.retrieved", "llm.called"):
            kind = "sub-query" if name == "subquery.retrieved" else "llm"
            self._piece(key, kind, now - _ns(given.get("ms")), now, given)
        elif name in ("subquery.failed", "llm.failed"):
            self._piece(key, "sub-query" if name == "subquery.failed" else "llm", now, now, given)
        elif name in ("answer.completed", "question.failed", "search.completed"):
            self._end(key, given, now)

    def close(self) -> None:
        """End all open spans."""
        for span, _ in self.open.values():
            span.end()
        self.open.clear()

    def _begin(self, key: str, given: Mapping[str, object], now: int) -> None:
        span = self.tracer.start_span("question", start_time=now, attributes=self._attributes(given, ("question",)))
        self.open[key] = (span, now)
        if len(self.open) > MOST_OPEN:
            self.open.popitem(last=False)[1][0].end()

    def _end(self, key: str, given: Mapping[str, object], now: int) -> None:
        """End a question. Reasoning may have had several passes; its span is their sum, placed before the writing."""
        timings = given.get("timings_ms")
        if isinstance(timings, Mapping):
            writing = now - _ns(timings.get("synthesize"))
            self._piece(key, "reason", writing - _ns(timings.get("reason")), writing, {})
            self._piece(key, "synthesize", writing, now, {})
        span, _ = self.open.pop(key)
        usage = given.get("usage")
        span.set_attributes(self._attributes({**given, **(usage if isinstance(usage, Mapping) else {})}))
        self._note_failure(span, given)
        span.end(now)

    def _piece(self, key: str, name: str, start: int, end: int, given: Mapping[str, object]) -> None:
        from opentelemetry.trace import set_span_in_context

        parent = set_span_in_context(self.open[key][0])
        piece = self.tracer.start_span(name, context=parent, start_time=start, attributes=self._attributes(given))
        self._note_failure(piece, given)
        piece.end(end)

    def _note_failure(self, span: Span, given: Mapping[str, object]) -> None:
        from opentelemetry.trace import StatusCode

        if given.get("error"):
            span.set_status(StatusCode.ERROR, self._masked(f"{given['error']}: {given.get('message', '')}"))

    def _attributes(self, given: Mapping[str, object], more: tuple[str, ...] = ()) -> dict[str, Any]:
        named = ("run_id", "question_id", "sub_query", *more, *_SHOWN)
        values = {name: given[name] for name in named if isinstance(given.get(name), str | int | float)}
        return {f"versus.{name}": self._masked(value) for name, value in values.items()}

    def _masked(self, value: object) -> Any:
        value = plain(value)
        for secret in self.secrets:
            value = value.replace(secret, MASK) if isinstance(value, str) else value
        return value


def _note(reason: str) -> None:
    log.warning("no spans are sent: %s", reason)
    sys.stderr.write(f"note: no spans are sent: {reason}\n")


def _ns(ms: object) -> int:
    return int(ms * _MS) if isinstance(ms, int | float) else 0
