"""Errors of the agent, sorted by who must act.

    AgentError
    ├── QuestionError      the question can't be used (empty, too long): ask another
    └── SettingsError      a setting is wrong: fix the flag, variable or file that the message names

What fails inside one sub-query is data in the answer, not an exception. Errors of `retrieval` pass through.
"""

from __future__ import annotations


class AgentError(Exception):
    """Base of everything `agent` raises on purpose."""


class QuestionError(AgentError):
    """The question is empty or longer than the limit."""


class SettingsError(AgentError):
    """A setting is missing or out of range; the message names it and where it came from."""
