"""Errors that only this door has."""

from __future__ import annotations

from agent.errors import AgentError


class Unreadable(AgentError):
    """The body is no JSON, or the request says that it is something else."""


class WrongKind(AgentError):
    """The body is said to be something else than this address takes."""


class HeadTooLarge(AgentError):
    """The address and the headers are longer than they may be."""


class Refused(AgentError):
    """The request has no key that is known."""


class NotAllowed(AgentError):
    """The server was not started for this."""


class UnusableFile(AgentError):
    """A file that is sent has a name that it can't be kept under."""


class RunNotFound(AgentError):
    """No run of this id is kept, or none with an answer: it never was, or so many came after it."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"no run {run_id!r} with an answer is kept here; only the latest are. Ask the question again")


class TooFast(AgentError):
    """One caller asks more often than it may."""


class DeadlinePassed(AgentError):
    """The time was up before anything could be looked up."""


class SearchFailed(AgentError):
    """No search of the question succeeded."""


class UnknownHost(AgentError):
    """The request names a host that this server is not."""
