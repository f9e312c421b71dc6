"""Errors that end a batch as a whole. An error of one question is a record of the output, never one of these."""

from __future__ import annotations

from agent.errors import AgentError


class BatchError(AgentError):
    """The input or output of a batch can't be read or written, or another process is writing it."""


class Halted(BaseException):
    """A question was given up because the batch ends: it is neither answered nor failed, and a resume asks it again.

    Like a cancellation it is no `Exception`, so that no handler takes it for the failure of a question.
    """
