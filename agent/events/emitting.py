"""Emit events: log them, pass them to observers, and bind them to their run and question."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

import structlog
from structlog.contextvars import bind_contextvars, bound_contextvars, get_contextvars, merge_contextvars
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, WrappedLogger

from agent.errors import LogError
from agent.events.catalogue import CATALOGUE
from agent.events.logfile import render_line

LOGGER = "versus"
Observer = Callable[[str, Mapping[str, object]], None]
"""Called with an event's name and its fields, including the bound ids, whatever the log level."""

_observers: ContextVar[tuple[tuple[Observer, int], ...]] = ContextVar("observers", default=())
"""Observers, each with the lowest level that it receives."""
_silent: ContextVar[bool] = ContextVar("silent", default=False)
_LEVELS: Mapping[str, int] = {
    definition.name: logging.getLevelNamesMapping()[definition.level.upper()] for definition in CATALOGUE
}
_own = logging.getLogger(LOGGER)


def emit(name: str, fields: Mapping[str, object]) -> None:
    """Record an event of the catalogue; an unknown name is a `KeyError`.

    >>> emit("batch.progress", {"done": 1, "total": 2, "failed": 0})
    """
    level = _LEVELS[name]
    if _silent.get():
        return
    for observe, quietest in _observers.get():
        if level >= quietest:
            observe(name, {**fields, **get_contextvars()})
    if _own.isEnabledFor(level):
        _log.log(level, name, data=fields)


def has_listener(name: str) -> bool:
    """Return True if an event has a listener, so that frequent events need not be built for none.

    >>> has_listener("chunk.dropped")
    False
    """
    level = _LEVELS[name]
    observed_from = min((quietest for _, quietest in _observers.get()), default=logging.CRITICAL)
    return not _silent.get() and (level >= observed_from or _own.isEnabledFor(level))


def emit_failure(error: BaseException) -> None:
    """Record `command.failed` with the traceback of an error that ends the command, unless it was about the log."""
    if isinstance(error, LogError):
        return  # a missing log would be created by this event
    emit("command.failed", {"error": type(error).__name__, "message": str(error), "exc_info": error})


@contextmanager
def bind(
    *,
    run_id: str | None = None,
    question_id: str | None = None,
    sub_query: str | None = None,
    batch_id: str | None = None,
) -> Iterator[None]:
    """Add these ids to every event inside the block, in this task and in those it starts.

    A question that is asked inside the block uses `run_id` as the id of its run.

    >>> with bind(run_id="r1", sub_query="q2"):
    ...     emit("chunk.dropped", {"chunk_id": "c9", "title": "", "rule": "gap", "reason": "beyond the cliff"})
    """
    given = {"run_id": run_id, "question_id": question_id, "sub_query": sub_query, "batch_id": batch_id}
    with bound_contextvars(**{name: value for name, value in given.items() if value is not None}):
        yield


def bind_task(*, sub_query: str) -> None:
    """Add this id to all further events of the calling task, and of the tasks it starts."""
    bind_contextvars(sub_query=sub_query)


def current_run_id() -> str:
    """Return the id of the bound run, or a new one.

    >>> with bind(run_id="r1"):
    ...     current_run_id()
    'r1'
    """
    return str(get_contextvars().get("run_id") or uuid.uuid4().hex)


def bound_ids() -> dict[str, str]:
    """Return the bound ids, for a process that continues the work.

    >>> with bind(run_id="r1"):
    ...     bound_ids()
    {'run_id': 'r1'}
    """
    return dict(get_contextvars())


@contextmanager
def silent() -> Iterator[None]:
    """Record nothing inside the block; for trial runs that must not be counted as work."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


@contextmanager
def observed(observer: Observer, level: int = logging.DEBUG) -> Iterator[None]:
    """Pass every event from `level` on inside the block to `observer`, in this task and in those it starts.

    >>> with observed(lambda name, fields: print(name, fields["run_id"])), bind(run_id="r1"):
    ...     emit("question.received", {})
    question.received r1
    """
    token = _observers.set((*_observers.get(), (observer, level)))
    try:
        yield
    finally:
        _observers.reset(token)


def _lift_data(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Lift the data to the top level; it never overwrites the event's own fields."""
    return {**event.pop("data", {}), **event}


_log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
    logging.getLogger(LOGGER),
    processors=[
        merge_contextvars,
        _lift_data,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
        render_line,
    ],
    wrapper_class=structlog.stdlib.BoundLogger,
)
logging.getLogger(LOGGER).addHandler(logging.NullHandler())
