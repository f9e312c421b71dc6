"""The replies that a batch has paid for, on disk before they are used: `agent.llm.recorded`, one file for each output.

When the batch is complete the file may be deleted; before, it would only have to be paid again.
"""

from __future__ import annotations

from pathlib import Path

from agent.batch.errors import BatchError
from agent.batch.output import beside
from agent.errors import SettingsError
from agent.llm import recorded
from agent.types import Usage


def journal_of(output: Path) -> Path:
    """Where the journal of an output is."""
    return beside(output, ".journal.sqlite")


def spent(journal: Path) -> Usage:
    """Return what the replies in a journal have cost; nothing when there is none. Blocks."""
    try:
        return recorded.spent(journal)
    except SettingsError as error:
        raise BatchError(f"the journal can't be read: {error}. What a deleted one had is paid for again") from error
