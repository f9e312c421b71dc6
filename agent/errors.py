"""Errors of the agent, sorted by who must act.

    AgentError
    ├── QuestionError      the question can't be used (empty, too long): ask another
    ├── Busy               a server has no place for another question now: ask again in a moment
    ├── CellNotFound       a chunk has no such table, row or column: name one of those that the message lists
    ├── FileError          a file that was named is missing, is a folder, or can't be read: name another
    ├── LogError           a log can't be read, or does not hold what was asked for: name another
    ├── SettingsError      a setting is wrong: fix the flag, variable or file that the message names
    └── LLMError           the language model could not answer: try again later, or go on without it (--planner rules)
        ├── LLMRefused     it will not, however often it is asked (key, quota, address): fix what is named
        │   └── RequestRefused   it will not take this one request, and perhaps the next
        └── BudgetExceeded the question may not spend more calls, tokens or money: raise the limit that is named

A batch as a whole can fail with a `BatchError` (agent.batch.errors), which is an `AgentError` too.

What fails inside one sub-query is data in the answer, not an exception. Errors of `retrieval` pass through.
"""

from __future__ import annotations


class AgentError(Exception):
    """Base of everything `agent` raises on purpose."""


class QuestionError(AgentError):
    """The question is empty or longer than the limit."""


class Busy(AgentError):
    """As many questions are answered, and as many wait, as a server lets."""

    def __init__(self, running: int, waiting: int) -> None:
        being = "1 question is" if running == 1 else f"{running} questions are"
        super().__init__(f"{being} being answered and {waiting} wait, which is all that may; ask again in a moment")


class Draining(AgentError):
    """A server takes no new questions, since it is about to stop."""


class CellNotFound(AgentError):
    """A chunk has no table, row or column that is called so; the message lists those that it has."""


class FileError(AgentError):
    """A file or folder that was named is not there, is not what is wanted, or can't be read."""


class LogError(AgentError):
    """A log can't be read, or does not hold what was asked for. It is never written to the log: reading writes none."""


class SettingsError(AgentError):
    """A setting is missing or out of range; the message names it and where it came from."""


class LLMError(AgentError):
    """The language model gave no usable answer."""


class LLMRefused(LLMError):
    """The language model will not answer, however often it is asked."""


class RequestRefused(LLMRefused):
    """The language model will not take this request; that says nothing about others."""


class BudgetExceeded(LLMError):
    """A call that the budget of the question does not allow; nothing was sent."""
