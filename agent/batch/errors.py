"""Why a batch as a whole had to end. What goes wrong with one question is a record of it, never one of these."""

from __future__ import annotations

from agent.errors import AgentError


class BatchError(AgentError):
    """The input or output of a batch can't be read or written, or another process writes it."""


class Halted(BaseException):
    """A question that was given up because the batch ends: neither answered nor failed, and asked again by a resume.

    Like a cancellation it is no `Exception`, so that nobody takes it for the failure of a question.
    """
