"""OpenTelemetry spans, made from events and read back with the SDK's own in-memory exporter."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from agent.ask import Agent
from agent.events import bind, configure_logging, emit
from agent.events.trace_export import CollectorExporter, collector_address
from agent.events.tracing import MOST_OPEN, spans_of
from agent.settings.settings import Settings
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.ingest.index import index
from retrieval.stores.store import MemoryStore
from retrieval.types import Chunk
from tests.agent.logged import events_in
from tests.retrieval.conftest import free_port
from tests.retrieval.doubles import BagOfWords

CANARY = "canary-0123456789"
MS = 1_000_000


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def provider(exporter: InMemorySpanExporter) -> Iterator[TracerProvider]:
    made = TracerProvider()
    made.add_span_processor(SimpleSpanProcessor(exporter))
    yield made
    made.shutdown()


def named(exporter: InMemorySpanExporter) -> Mapping[str, ReadableSpan]:
    return {span.name: span for span in exporter.get_finished_spans()}


def parent(span: ReadableSpan) -> int | None:
    return span.parent.span_id if span.parent else None


def identity(span: ReadableSpan) -> int:
    assert span.context is not None
    return int(span.context.span_id)


def attribute(span: ReadableSpan, name: str) -> object:
    return (span.attributes or {}).get(f"versus.{name}")


def ms(span: ReadableSpan) -> float:
    assert span.start_time is not None
    assert span.end_time is not None
    return (span.end_time - span.start_time) / MS


def ask_twice() -> None:
    for run in ("r1", "r2"):
        with bind(run_id=run):
            emit("question.received", {"question": "?"})
            emit("search.completed", {})


@contextmanager
def collector() -> Iterator[tuple[str, list[str]]]:
    """The address of a collector, and the names of the spans it got."""
    names: list[str] = []
    add_servicer: Any = trace_service_pb2_grpc.add_TraceServiceServicer_to_server

    class Collecting(trace_service_pb2_grpc.TraceServiceServicer):
        def Export(self, request: Any, context: Any) -> Any:
            scopes = (scope for resource in request.resource_spans for scope in resource.scope_spans)
            names.extend(span.name for scope in scopes for span in scope.spans)
            return ExportTraceServiceResponse()

    server = grpc.server(ThreadPoolExecutor(1))
    add_servicer(Collecting(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"http://127.0.0.1:{port}", names
    finally:
        server.stop(None).wait()


async def small_agent() -> Agent:
    chunks, store = (
        [Chunk("c1", "An orc has armor class 6", "ORC"), Chunk("c2", "Wages are paid monthly", "WAGES")],
        MemoryStore(),
    )
    await index(chunks, store, BagOfWords(), sources={})
    lexicon = Lexicon.from_catalog(Catalog.from_chunks(chunks))
    return Agent(Settings(collection="small", planner="rules"), store, BagOfWords(), lexicon)


async def test_a_question_is_a_trace_with_its_stages_below(
    provider: TracerProvider, exporter: InMemorySpanExporter
) -> None:
    agent = await small_agent()
    with spans_of(provider):
        answer = await agent.ask("What is the armor class of an orc?")
    spans = exporter.get_finished_spans()
    (question,) = [span for span in spans if span.name == "question"]
    below = [span for span in spans if span is not question]
    kinds = {span.name for span in below}
    assert {"plan", "sub-query", "reason", "synthesize"} == kinds
    assert len(answer.evidence.retrieved) == sum(span.name == "sub-query" for span in spans)
    assert {identity(question)} == {parent(span) for span in below}
    assert (answer.run_id, answer.stop_reason) == (attribute(question, "run_id"), attribute(question, "stop_reason"))
    assert question.start_time is not None
    assert all(span.start_time is not None and span.start_time >= question.start_time - MS for span in below)


def test_times_and_tokens_are_those_of_the_events(provider: TracerProvider, exporter: InMemorySpanExporter) -> None:
    with spans_of(provider), bind(run_id="r1"):
        emit("question.received", {"question": "?"})
        emit("llm.called", {"model": "gpt-x", "purpose": "plan", "prompt_tokens": 7, "ms": 250.0})
        emit("answer.completed", {"usage": {"cost_usd": 0.5}, "timings_ms": {"reason": 20, "synthesize": 30.0}})
    spans = named(exporter)
    assert ("gpt-x", 7) == (attribute(spans["llm"], "model"), attribute(spans["llm"], "prompt_tokens"))
    assert [250, 20, 30] == [round(ms(spans[name]), 3) for name in ("llm", "reason", "synthesize")]
    assert spans["synthesize"].start_time == spans["reason"].end_time
    assert 0.5 == attribute(spans["question"], "cost_usd")


def test_a_failure_is_the_state_of_its_span(provider: TracerProvider, exporter: InMemorySpanExporter) -> None:
    with spans_of(provider), bind(run_id="r1"):
        emit("question.received", {"question": "?"})
        emit("subquery.failed", {"error": "StoreError", "message": "gone"})
        emit("question.failed", {"error": "LLMRefused", "message": "wrong key"})
    spans = named(exporter)
    assert ["StoreError: gone", "LLMRefused: wrong key"] == [
        spans[n].status.description for n in ("sub-query", "question")
    ]
    assert {StatusCode.ERROR} == {span.status.status_code for span in spans.values()}


async def test_questions_at_once_keep_their_spans_apart(
    provider: TracerProvider, exporter: InMemorySpanExporter
) -> None:
    agent = await small_agent()
    with spans_of(provider):
        await asyncio.gather(*(agent.ask(f"What is the armor class of orc {n}?") for n in range(8)))
    spans = exporter.get_finished_spans()
    runs = {identity(span): attribute(span, "run_id") for span in spans if span.name == "question"}
    assert 8 == len(set(runs.values()))
    assert all(runs[parent(span) or 0] == attribute(span, "run_id") for span in spans if span.name == "sub-query")


def test_a_search_ends_its_span_too(provider: TracerProvider, exporter: InMemorySpanExporter) -> None:
    with spans_of(provider):
        with bind(run_id="r1"):
            emit("question.received", {"question": "?"})
            emit("search.completed", {"passages": 3, "timings_ms": {"plan": 1.0}})
        assert "question" in named(exporter)


def test_a_program_s_own_span_is_the_parent(provider: TracerProvider, exporter: InMemorySpanExporter) -> None:
    with spans_of(provider), provider.get_tracer("theirs").start_as_current_span("request"), bind(run_id="r1"):
        emit("question.received", {"question": "?"})
        emit("answer.completed", {})
    spans = named(exporter)
    assert identity(spans["request"]) == parent(spans["question"])


def test_what_is_never_finished_ends_with_the_block_and_never_piles_up(
    provider: TracerProvider, exporter: InMemorySpanExporter
) -> None:
    with spans_of(provider):
        for number in range(MOST_OPEN + 5):
            with bind(run_id=f"r{number}"):
                emit("question.received", {"question": "?"})
        assert 5 == len(exporter.get_finished_spans())
    assert MOST_OPEN + 5 == len(exporter.get_finished_spans())


def test_secrets_are_masked(provider: TracerProvider, exporter: InMemorySpanExporter) -> None:
    with spans_of(provider, secrets=(CANARY, "")), bind(run_id="r1"):
        emit("question.received", {"question": f"{CANARY} and sk-1234567890"})
        emit("subquery.failed", {"error": "StoreError", "message": f"http://me:{CANARY}@host refused {CANARY}"})
        emit("question.failed", {"error": "X", "message": CANARY})
    told = "".join(span.to_json() for span in exporter.get_finished_spans())
    assert "*** and ***" in told
    assert CANARY not in told


def test_after_the_block_nothing_is_recorded(provider: TracerProvider, exporter: InMemorySpanExporter) -> None:
    with spans_of(provider):
        pass
    with bind(run_id="r1"):
        emit("question.received", {"question": "?"})
        emit("answer.completed", {})
    assert () == exporter.get_finished_spans()


def test_when_off_nothing_of_opentelemetry_is_imported() -> None:
    code = (
        "import sys; from agent.events import configure_logging, emit; from agent.settings.settings import Settings\n"
        "import agent.cli.app, agent.events.tracing, agent.ask\n"
        "with configure_logging(Settings(log_to='none')): emit('question.received', {})\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert "[]\n" == done.stdout


def test_where_nobody_listens_one_note_says_so_and_nothing_is_sent(
    empty_place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
    with configure_logging(Settings(log_dir=empty_place / "logs", spans="otlp")):
        ask_twice()
        started = time.monotonic()
    assert 1 == capfd.readouterr().err.count("note: no spans are sent: nobody listens at 127.0.0.1:")
    assert time.monotonic() - started < 5, "OpenTelemetry alone tries for seven seconds"
    assert "question.received" in [event["event"] for event in events_in(empty_place / "logs")]


def test_where_a_collector_listens_it_gets_the_spans_and_no_note_is_made(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with collector() as (endpoint, names):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        with configure_logging(Settings(log_to="none", spans="otlp")):
            ask_twice()
        told = capfd.readouterr().err  # once the collector is gone, gRPC may write of that itself
    assert (["question", "question"], "") == (names, told)


def test_a_collector_that_comes_late_gets_what_is_sent_from_then_on(exporter: InMemorySpanExporter) -> None:
    told: list[str] = []
    with closing(socket.socket()) as place:
        provider = TracerProvider()
        place.bind(("127.0.0.1", 0))
        provider.add_span_processor(SimpleSpanProcessor(CollectorExporter(exporter, place.getsockname(), told.append)))
        provider.get_tracer("test").start_span("early").end()
        place.listen()
        provider.get_tracer("test").start_span("late").end()
    assert (["late"], 1) == ([span.name for span in exporter.get_finished_spans()], len(told))


@pytest.mark.parametrize(
    ("variables", "address"),
    [
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://spans.example:443/"}, ("spans.example", 443)),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "a:1", "OTEL_EXPORTER_OTLP_ENDPOINT": "b:2"}, ("a", 1)),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://spans.example"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://spans.example:x"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "a:1", "https_proxy": "http://proxy:3128"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "a:1", "https_proxy": "http://proxy:3128", "no_proxy": "a"}, ("a", 1)),
    ],
)
def test_a_collector_is_looked_for_only_where_its_address_can_be_told(
    variables: Mapping[str, str], address: tuple[str, int] | None
) -> None:
    assert address == collector_address(variables)


def test_without_opentelemetry_the_work_goes_on_and_says_how_to_get_it(empty_place: Path) -> None:
    code = (
        "import sys; sys.modules['opentelemetry.exporter.otlp.proto.grpc.trace_exporter'] = None\n"
        "from agent.events import configure_logging; from agent.settings.settings import Settings\n"
        "with configure_logging(Settings(log_to='none', spans='otlp')): print('worked')"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=empty_place, env=environment, check=True
    )
    assert "worked\n" == done.stdout
    assert "install versus-rag[otel]" in done.stderr
