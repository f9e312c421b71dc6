"""Everything that happens is an event: a name from one catalogue, with data as fields, on one line of JSON.

`emit` costs almost nothing and prints nothing until a log is configured: the command line does that with
`configure_logging`; a program that uses the library keeps its own logging. `python -m agent.events` generates
`logs/README.md` from the catalogue.
"""

from __future__ import annotations

from agent.events.catalogue import CATALOGUE, EventDefinition, catalogue_page
from agent.events.configuring import configure_logging, secrets_of
from agent.events.emitting import (
    Observer,
    bind,
    bind_task,
    bound_ids,
    current_run_id,
    emit,
    emit_failure,
    has_listener,
    observed,
    silent,
)

__all__ = [
    "CATALOGUE",
    "EventDefinition",
    "Observer",
    "bind",
    "bind_task",
    "bound_ids",
    "catalogue_page",
    "configure_logging",
    "current_run_id",
    "emit",
    "emit_failure",
    "has_listener",
    "observed",
    "secrets_of",
    "silent",
]
