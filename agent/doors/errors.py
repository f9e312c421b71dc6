"""Errors of requests that several doors share."""

from __future__ import annotations

from agent.errors import AgentError


class ClientGone(AgentError):
    """The client went away before its answer was ready."""


class TooLarge(AgentError):
    """The body exceeds its size limit."""


class TooSlow(AgentError):
    """The body did not arrive in time."""
