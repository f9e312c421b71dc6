"""Errors of requests that more than one door has."""

from __future__ import annotations

from agent.errors import AgentError


class ClientGone(AgentError):
    """The client went away before its answer was there."""


class TooLarge(AgentError):
    """The body is longer than it may be."""


class TooSlow(AgentError):
    """The body did not come in the time that it may take."""
