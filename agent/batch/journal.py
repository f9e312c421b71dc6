"""The replies that a batch has paid for, on disk before they are used: `agent.llm.recorded`, one file per output.

The file may be deleted when the batch is complete; deleted earlier, the replies have to be paid again.
"""

from __future__ import annotations

from pathlib import Path

from agent.batch.errors import BatchError
from agent.batch.output import beside
from agent.errors import SettingsError
from agent.llm import recorded
from agent.types import Usage


def journal_of(output: Path) -> Path:
    """Return the path of an output's journal."""
    return beside(output, ".journal.sqlite")


def journal_usage(journal: Path) -> Usage:
    """Return the usage of all replies in a journal; zero without a journal. Blocks."""
    try:
        return recorded.stored_usage(journal)
    except SettingsError as error:
        raise BatchError(f"the journal can't be read: {error}. What a deleted one had is paid for again") from error
