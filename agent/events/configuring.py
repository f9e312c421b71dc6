"""The destinations of events while a program runs: a file, standard error, a console, a collector of spans."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from pydantic import SecretStr

from agent.errors import SettingsError
from agent.escape import one_line
from agent.events.catalogue import CATALOGUE
from agent.events.console import ConsoleHandler
from agent.events.emitting import LOGGER
from agent.events.logfile import JsonLinesHandler, StderrLinesHandler
from agent.events.tracing import exported_spans
from agent.settings.settings import Settings
from retrieval.keys import secrets_in

QUIET = ("aiohttp", "httpx", "httpx2", "httpcore", "httpcore2", "chromadb", "openai")
"""Verbose libraries, limited to WARNING."""
_NOTHING = logging.CRITICAL + 1
"""A level that no event has."""
_NAMES = frozenset(definition.name for definition in CATALOGUE)


@contextmanager
def configure_logging(settings: Settings) -> Iterator[None]:
    """Write events inside the block where the settings say. For programs, not for libraries.

    By default that is `log_dir/versus-YYYYMMDD.jsonl`. A folder that can't be written is reported once on stderr, and
    the work continues without a log. A warning of `retrieval` also goes to stderr, as a line that begins with `note:`.
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
    try:
        exported.enter_context(exported_spans(secrets_of(settings)))
    except SettingsError as error:
        sys.stderr.write(f"note: no spans are sent: {error}\n")


_NO_WORD = 8
"""Length from which on a password is unlikely to occur in ordinary words."""


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """Return every key among the settings, and every longer password of an address, for the log to mask."""
    values = [getattr(settings, name) for name in type(settings).model_fields]
    keys = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
    within = [secret for value in values if isinstance(value, str) for secret in secrets_in(value)]
    return (*keys, *settings.named_api_keys().values(), *(secret for secret in within if len(secret) >= _NO_WORD))


def _is_written(settings: Settings) -> bool:
    """Return True if events are written or exported at all."""
    return settings.log_to != "none" or settings.log_format == "console"


def _handlers(settings: Settings) -> list[logging.Handler]:
    secrets, chosen = secrets_of(settings), list[logging.Handler]()
    if settings.log_to == "file":
        chosen.append(JsonLinesHandler(settings.log_dir, secrets, settings.log_max_bytes))
    if settings.log_format == "console":
        return [*chosen, ConsoleHandler(secrets)]
    return [*chosen, StderrLinesHandler(secrets) if settings.log_to == "stderr" else _Notes()]


class _Notes(logging.Handler):
    """Shows the warnings of `retrieval` to the user, such as an index that was rebuilt."""

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, "event", None) in _NAMES:
            sys.stderr.write(f"note: {one_line(record.getMessage())}\n")
