"""Errors that only this door has."""

from __future__ import annotations

from agent.errors import AgentError


class Unreadable(AgentError):
    """The body is no JSON, or the request declares another type."""


class WrongKind(AgentError):
    """The content type is not the one that this address accepts."""


class HeadTooLarge(AgentError):
    """The address and the headers exceed their size limit."""


class Refused(AgentError):
    """The request has no known key."""


class NotAllowed(AgentError):
    """The server was not started with this feature."""


class UnusableFile(AgentError):
    """An uploaded file has a name under which it can't be stored."""


class RunNotFound(AgentError):
    """No run of this id is kept, or none with an answer: it never existed, or newer runs have replaced it."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"no run {run_id!r} with an answer is kept here; only the latest are. Ask the question again")


class TooFast(AgentError):
    """A caller asks more often than its limit allows."""


class DeadlinePassed(AgentError):
    """The deadline passed before anything was looked up."""


class SearchFailed(AgentError):
    """No search of the question succeeded."""


class UnknownHost(AgentError):
    """The request names a host that is not this server."""
