"""Everything that happens is an event: a name from one catalogue, with data as fields, on one line of JSON.

`emit` costs next to nothing and prints nothing until somebody asks for a log: the command line does, with
`configure_logging`; a program that uses the library keeps its own logging. `logs/README.md` is generated from
the catalogue by `python -m agent.events`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, WrappedLogger

from agent import logfile
from agent.escape import one_line
from agent.settings import Settings

LOGGER = "versus"
QUIET = ("httpx", "httpcore", "chromadb", "openai")
"""Talkative libraries, kept at WARNING."""


@dataclass(frozen=True, slots=True)
class EventDefinition:
    """One entry of the catalogue."""

    name: str
    level: str
    fields: tuple[str, ...]
    meaning: str


_RETRIEVED = (
    "rounds", "fetched", "kept", "stop", "error", "ms", "best_score", "dynamic_threshold", "absolute_min",
    "effective_threshold", "cut", "dropped", "unique_added",
)  # fmt: skip

CATALOGUE: tuple[EventDefinition, ...] = (
    EventDefinition("question.received", "info", ("question", "chars"), "A question came in."),
    EventDefinition("plan.created", "info", ("planner", "effort", "sub_queries"), "It was split into sub-queries."),
    EventDefinition("subquery.retrieved", "info", _RETRIEVED, "One sub-query was searched, screened and cut."),
    EventDefinition("chunk.dropped", "debug", ("chunk_id", "title", "rule", "reason"), "A candidate was removed."),
    EventDefinition("subquery.failed", "warning", ("error", "message"), "One sub-query failed; the others go on."),
    EventDefinition("subquery.skipped", "info", ("stop", "low_quality_limit"),
                    "One sub-query was not searched: so many before it, in a row, lost more chunks than they kept."),
    EventDefinition("llm.called", "info", ("model", "purpose", "prompt_tokens", "completion_tokens", "ms"),
                    "A language model answered."),
    EventDefinition("llm.retried", "warning", ("model", "attempt", "error"), "A call failed and is tried again."),
    EventDefinition("answer.completed", "info", ("stop_reason", "citations", "unanswered", "timings_ms"),
                    "The answer was checked and handed over."),
    EventDefinition("batch.progress", "info", ("done", "total", "failed"), "Some questions of a file are done."),
    EventDefinition("ingest.completed", "info",
                    ("files", "chunks", "tables", "rules", "embedded", "unchanged", "removed", "warnings"),
                    "Sources were read and stored."),
    EventDefinition("index.rebuilt", "warning", ("collection", "chunks", "reason"),
                    "An index was destroyed or missing, and is built again from the chunks that were kept."),
    EventDefinition("vectors.lost", "warning", ("collection", "reason"),
                    "Chroma can't read the vectors of a collection that is taken over; its texts are embedded again."),
    EventDefinition("command.failed", "error", ("error", "message", "exception"),
                    "A command gave up; `exception` is the traceback, without the values of variables."),
    EventDefinition("log.message", "warning", ("logger", "message"), "A library said something."),
)  # fmt: skip

_DEFINED: Mapping[str, EventDefinition] = {definition.name: definition for definition in CATALOGUE}


def emit(name: str, fields: Mapping[str, object]) -> None:
    """Record an event of the catalogue; a name that is not in it is a `KeyError`.

    >>> emit("batch.progress", {"done": 1, "total": 2, "failed": 0})
    """
    level = _DEFINED[name].level
    number = logging.getLevelNamesMapping()[level.upper()]
    if logging.getLogger(LOGGER).isEnabledFor(number):
        _log.log(number, name, data=fields)


def emit_failure(error: BaseException) -> None:
    """Record `command.failed` with the traceback of an error that ends the command."""
    emit("command.failed", {"error": type(error).__name__, "message": str(error), "exc_info": error})


@contextmanager
def bind(*, run_id: str | None = None, question_id: str | None = None, sub_query: str | None = None) -> Iterator[None]:
    """Put these on every event inside the block, in this task and in those it starts.

    >>> with bind(run_id="r1", sub_query="q2"):
    ...     emit("chunk.dropped", {"chunk_id": "c9", "title": "", "rule": "gap", "reason": "beyond the cliff"})
    """
    given = {"run_id": run_id, "question_id": question_id, "sub_query": sub_query}
    with bound_contextvars(**{name: value for name, value in given.items() if value is not None}):
        yield


@contextmanager
def configure_logging(settings: Settings) -> Iterator[None]:
    """Inside the block, write events to `log_dir/versus-YYYYMMDD.jsonl`. For programs, not for libraries.

    A folder that can't be written is reported once on stderr, and the work goes on without a log. An event that
    `retrieval` warns of is also told on stderr, as a line that begins with `note:`.
    """
    root, own = logging.getLogger(), logging.getLogger(LOGGER)
    key = settings.openai_api_key
    handler = logfile.JsonLinesHandler(settings.log_dir, secrets=(key.get_secret_value(),) if key else ())
    before = (root.handlers, root.level, own.level)
    root.handlers, root.level = [handler, _Notes()], logging.WARNING
    own.setLevel(settings.log_level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.handlers, root.level = before[0], before[1]
        own.setLevel(before[2])
        handler.close()


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
one event a line, each line one JSON object. Several processes may write at once. Secrets are masked; line breaks
and control characters are escaped; long texts are shortened. `VERSUS_LOG_LEVEL=debug` adds every dropped chunk.

Every event has `event`, `level` and `timestamp`; where they apply also `run_id`, `question_id` and `sub_query`.
The names are those of the JSON output.

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
