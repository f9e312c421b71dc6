"""Everything that happens is an event: a name from one catalogue, with data as fields, on one line of JSON.

`emit` costs next to nothing and prints nothing until somebody asks for a log: the command line does, with
`configure_logging`; a program that uses the library keeps its own logging. `logs/README.md` is generated from
the catalogue by `python -m agent.events`.
"""

from __future__ import annotations

import logging
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import structlog
from pydantic import SecretStr
from structlog.contextvars import bind_contextvars, bound_contextvars, get_contextvars, merge_contextvars
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, WrappedLogger

from agent import logfile
from agent.errors import LogError, SettingsError
from agent.escape import one_line
from agent.settings import Settings

LOGGER = "versus"
QUIET = ("httpx", "httpcore", "chromadb", "openai")
"""Talkative libraries, kept at WARNING."""
_NOTHING = logging.CRITICAL + 1
"""A level that no event has."""
Observer = Callable[[str, Mapping[str, object]], None]
"""Called with an event's name and its fields, the bound ids among them, whatever the log level."""

_observers: ContextVar[tuple[Observer, ...]] = ContextVar("observers", default=())
_silent: ContextVar[bool] = ContextVar("silent", default=False)


@dataclass(frozen=True, slots=True)
class EventDefinition:
    """One entry of the catalogue."""

    name: str
    level: str
    fields: tuple[str, ...]
    meaning: str


_RETRIEVED = (
    "text", "rounds", "fetched", "kept", "stop", "error", "ms", "best_score", "dynamic_threshold", "absolute_min",
    "effective_threshold", "cut", "dropped", "unique_added", "hits",
)  # fmt: skip
_ANSWERED = (
    "stop_reason", "verdict", "text", "citations", "findings", "unanswered", "not_looked_up", "evidence", "usage",
    "timings_ms", "notes",
)  # fmt: skip
_CALLED = ("model", "purpose", "prompt_tokens", "completion_tokens", "cost_usd", "ms")
_BATCH_DONE = ("done", "total", "answered", "in_part", "failed", "cost_usd")

CATALOGUE: tuple[EventDefinition, ...] = (
    EventDefinition("question.received", "info", ("question", "chars"), "A question came in."),
    EventDefinition("plan.created", "info", ("planner", "effort", "sub_queries"),
                    "It was split into sub-queries, each with all that is needed to run it again."),
    EventDefinition("plan.extended", "info", ("round", "needs", "sub_queries"),
                    "Facts were missing; these sub-queries look for them, with wider limits."),
    EventDefinition("planner.fallback", "warning", ("reason",), "The language model made no plan; the rules did."),
    EventDefinition("plan.corrected", "info", ("reason",), "The language model read what the question does not say."),
    EventDefinition("subquery.retrieved", "info", _RETRIEVED, "One sub-query was searched, screened and cut. "
                    "Cuts and `best_score` are of chunks not asked for by name."),
    EventDefinition("chunk.dropped", "debug", ("chunk_id", "title", "rule", "reason"), "A candidate was removed."),
    EventDefinition("subquery.failed", "warning", ("text", "error", "message"),
                    "One sub-query failed, or was not searched before the deadline; the others go on."),
    EventDefinition("subquery.skipped", "info", ("text", "stop", "low_quality_limit"),
                    "One sub-query was not searched: so many before it, in a row, lost more chunks than they kept."),
    EventDefinition("llm.called", "info", _CALLED, "A language model answered."),
    EventDefinition("llm.retried", "warning", ("model", "attempt", "error"), "A call failed and is tried again."),
    EventDefinition("llm.failed", "warning", ("model", "purpose", "error"), "A call failed for good."),
    EventDefinition("answer.completed", "info", _ANSWERED, "The answer was checked and handed over. "
                    "`unanswered` was looked for and not found; what is `not_looked_up` was not searched."),
    EventDefinition("search.completed", "info", ("passages", "timings_ms"),
                    "A question was planned and perhaps searched; no answer was wanted."),
    EventDefinition("question.failed", "error", ("error", "message"), "A question ended without an answer."),
    EventDefinition("batch.recorded", "info", ("line", "id", "status", "same_as", "error"),
                    "The record of a line is on disk for good: `answered`, `in_part` or `failed` with the type of its "
                    "error. Records that a resume finds are not told again, and a kill may lose the last of these."),
    EventDefinition("batch.progress", "info", (*_BATCH_DONE, "rate"),
                    "Some questions of a file are done, told every ten seconds; the counts are of the whole output."),
    EventDefinition("batch.completed", "info", ("output", "ending", *_BATCH_DONE, "copies", "seconds", "notes"),
                    "A batch ended, `complete` or why it stopped. The counts and the cost are of the whole output, "
                    "with what earlier runs wrote; `seconds` are of this run."),
    EventDefinition("ingest.completed", "info",
                    ("files", "chunks", "tables", "rules", "embedded", "updated", "unchanged", "removed", "warnings",
                     "skipped"),
                    "Sources were read and stored. `updated` chunks were written with a vector that was known; "
                    "`skipped` are the files of folders that were not read, by kind."),
    EventDefinition("index.rebuilt", "warning", ("collection", "chunks", "reason"),
                    "An index was destroyed or missing, and is built again from the chunks that were kept."),
    EventDefinition("vectors.lost", "warning", ("collection", "reason"),
                    "Chroma can't read the vectors of a collection that is taken over; its texts are embedded again."),
    EventDefinition("command.failed", "error", ("error", "message", "exception"),
                    "A command gave up; `exception` is the traceback, without the values of variables."),
    EventDefinition("log.message", "warning", ("logger", "message"), "A library said something."),
)  # fmt: skip

_DEFINED: Mapping[str, EventDefinition] = {definition.name: definition for definition in CATALOGUE}
_LEVELS: Mapping[str, int] = {
    definition.name: logging.getLevelNamesMapping()[definition.level.upper()] for definition in CATALOGUE
}
_own = logging.getLogger(LOGGER)


def emit(name: str, fields: Mapping[str, object]) -> None:
    """Record an event of the catalogue; a name that is not in it is a `KeyError`.

    >>> emit("batch.progress", {"done": 1, "total": 2, "failed": 0})
    """
    level = _LEVELS[name]
    if _silent.get():
        return
    for observe in _observers.get():
        observe(name, {**fields, **get_contextvars()})
    if _own.isEnabledFor(level):
        _log.log(level, name, data=fields)


def is_heard(name: str) -> bool:
    """Say whether anybody listens to an event; for those that are many, and that would be put together for nobody.

    >>> is_heard("chunk.dropped")
    False
    """
    return not _silent.get() and (bool(_observers.get()) or _own.isEnabledFor(_LEVELS[name]))


def emit_failure(error: BaseException) -> None:
    """Record `command.failed` with the traceback of an error that ends the command, unless it was about the log."""
    if isinstance(error, LogError):
        return  # the log that was looked for in vain would be there the next time
    emit("command.failed", {"error": type(error).__name__, "message": str(error), "exc_info": error})


@contextmanager
def bind(
    *,
    run_id: str | None = None,
    question_id: str | None = None,
    sub_query: str | None = None,
    batch_id: str | None = None,
) -> Iterator[None]:
    """Put these on every event inside the block, in this task and in those it starts.

    A question that is asked inside the block has its `run_id` as the id of its run.

    >>> with bind(run_id="r1", sub_query="q2"):
    ...     emit("chunk.dropped", {"chunk_id": "c9", "title": "", "rule": "gap", "reason": "beyond the cliff"})
    """
    given = {"run_id": run_id, "question_id": question_id, "sub_query": sub_query, "batch_id": batch_id}
    with bound_contextvars(**{name: value for name, value in given.items() if value is not None}):
        yield


def bind_task(*, sub_query: str) -> None:
    """Put this on every event of the task that calls it, from here on, and of those it starts."""
    bind_contextvars(sub_query=sub_query)


def run_here() -> str:
    """The id of the run that is bound, or a new one when none is.

    >>> with bind(run_id="r1"):
    ...     run_here()
    'r1'
    """
    return str(get_contextvars().get("run_id") or uuid.uuid4().hex)


@contextmanager
def silent() -> Iterator[None]:
    """Record nothing inside the block: for what is only tried, and would be counted as work."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


@contextmanager
def observed(observer: Observer) -> Iterator[None]:
    """Show every event inside the block to `observer`, in this task and in those it starts.

    >>> with observed(lambda name, fields: print(name, fields["run_id"])), bind(run_id="r1"):
    ...     emit("question.received", {})
    question.received r1
    """
    token = _observers.set((*_observers.get(), observer))
    try:
        yield
    finally:
        _observers.reset(token)


@contextmanager
def configure_logging(settings: Settings) -> Iterator[None]:
    """Inside the block, write events where the settings say. For programs, not for libraries.

    By default that is `log_dir/versus-YYYYMMDD.jsonl`. A folder that can't be written is reported once on stderr, and
    the work goes on without a log. An event that `retrieval` warns of is also told on stderr, as a line that begins
    with `note:`.
    """
    root, own = logging.getLogger(), logging.getLogger(LOGGER)
    before = (root.handlers, root.level, own.level)
    handlers = _handlers(settings)
    root.handlers, root.level = handlers, logging.WARNING
    own.setLevel(settings.log_level.upper() if _is_written(settings) else _NOTHING)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    try:
        with ExitStack() as exported:
            if settings.spans == "otlp":
                _export_spans(exported, settings)
            yield
    finally:
        logging.captureWarnings(False)
        root.handlers, root.level = before[0], before[1]
        own.setLevel(before[2])
        for handler in handlers:
            handler.close()


def _export_spans(exported: ExitStack, settings: Settings) -> None:
    from agent.spans import exported_spans

    try:
        exported.enter_context(exported_spans(secrets_of(settings)))
    except SettingsError as error:
        sys.stderr.write(f"note: no spans are sent: {error}\n")


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """Every key among the settings, so that the log can mask it wherever it turns up."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    return tuple(value.get_secret_value() for value in values if isinstance(value, SecretStr))


def _is_written(settings: Settings) -> bool:
    """Whether anything is to be made of events: a batch of a million has many."""
    return settings.log_to != "none" or settings.log_format == "console"


def _handlers(settings: Settings) -> list[logging.Handler]:
    secrets, chosen = secrets_of(settings), list[logging.Handler]()
    if settings.log_to == "file":
        chosen.append(logfile.JsonLinesHandler(settings.log_dir, secrets, settings.log_max_bytes))
    if settings.log_format == "console":
        from agent.logconsole import ConsoleHandler

        return [*chosen, ConsoleHandler(secrets)]
    return [*chosen, logfile.StderrLinesHandler(secrets) if settings.log_to == "stderr" else _Notes()]


class _Notes(logging.Handler):
    """Tells the user what a library warns of as an event: what it did on its own, and should not do in silence."""

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, "event", None) in _DEFINED:
            sys.stderr.write(f"note: {one_line(record.getMessage())}\n")


def catalogue_page() -> str:
    """The text of `logs/README.md`."""
    rows = (f"| `{e.name}` | {e.level} | {_listed(e.fields)} | {e.meaning} |" for e in CATALOGUE)
    return _PAGE.format(rows="\n".join(rows))


def _listed(fields: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in fields)


def _spread(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Lift the data to the top; what describes the event itself is not overwritten."""
    return {**event.pop("data", {}), **event}


_log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
    logging.getLogger(LOGGER),
    processors=[
        merge_contextvars,
        _spread,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
        logfile.render_line,
    ],
    wrapper_class=structlog.stdlib.BoundLogger,
)
logging.getLogger(LOGGER).addHandler(logging.NullHandler())

_PAGE = """\
# The log

`versus` writes what it does to this folder (`VERSUS_LOG_DIR`), one file a day (`versus-YYYYMMDD.jsonl`, by UTC),
one event a line, each line one JSON object. Several processes may write at once, and files may be moved away while
they do. Secrets are masked; line breaks and control characters are escaped; long texts are shortened. Used as a
library, `versus` writes no log unless the program asks for one (`agent.events.configure_logging`).

| setting | effect |
|---|---|
| `VERSUS_LOG_LEVEL=debug` | adds every dropped chunk, with its reason |
| `VERSUS_LOG_TO=stderr` | writes the lines to stderr instead of a file; `none` writes none |
| `VERSUS_LOG_FORMAT=console` | shows the events on stderr in a form for people, besides the file |
| `VERSUS_LOG_MAX_BYTES=100000000` | sets a file of that size aside as `versus-YYYYMMDD.0001.jsonl`, and so on |
| `VERSUS_SPANS=otlp` | sends each question as OpenTelemetry spans (needs `versus-rag[otel]`) |

`versus logs` sums them up and judges them, `versus logs show RUN_ID` tells one question's story, and
`versus replay RUN_ID` runs its plan again to show what other settings change.

Every event has `event`, `level` and `timestamp`; where they apply also `run_id`, `question_id` and `sub_query`. All
that happens in one `versus batch` has the same `batch_id`, but for what libraries say.
The names are those of the JSON output. Each of `sub_queries` has `id`, `text`, `purpose`, `depends_on`, `entities`,
`chunk_types`, `tags`, `min_score` and `collection`; each of `hits` has `chunk_id`, `title`, `distance` and `relevance`;
each of `evidence` has `chunk_id`, `title`, `score` and `found_by`; `usage` has `llm_calls`, `prompt_tokens`,
`completion_tokens` and `cost_usd`; `timings_ms` has `plan`, `retrieve`, `reason`, `synthesize` and `total`.

| event | level | fields | meaning |
|---|---|---|---|
{rows}

What dropped how much today, for instance:

```sh
jq -r 'select(.event == "subquery.retrieved") | [.sub_query, .kept, .cut, (.dropped | tostring)] | @tsv' logs/*.jsonl
```

This page is generated from the catalogue in `agent/events.py`: `python -m agent.events > logs/README.md`.
"""


if __name__ == "__main__":
    print(catalogue_page(), end="")  # noqa: T201
