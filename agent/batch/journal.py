"""The replies that a batch has paid for, on disk before they are used: `agent.llm.recorded`, one file for each output.

When the batch is complete the file may be deleted; before, it would only have to be paid again.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from agent.batch.errors import BatchError
from agent.batch.output import beside
from agent.types import Usage

_SUM = """
    SELECT count(*), {prompt_tokens}, {completion_tokens}, {cost_usd} FROM replies
""".format(
    **{
        name: f"coalesce(sum(json_extract(reply, '$.usage.{name}')), 0)"
        for name in ("prompt_tokens", "completion_tokens", "cost_usd")
    }
)


def journal_of(output: Path) -> Path:
    """Where the journal of an output is."""
    return beside(output, ".journal.sqlite")


def spent(journal: Path) -> Usage:
    """Return what the replies in a journal have cost; nothing when there is none. Blocks."""
    if not journal.exists():
        return Usage()
    try:
        with closing(sqlite3.connect(journal)) as database:
            calls, prompt, completion, cost = database.execute(_SUM).fetchone()
    except sqlite3.Error as error:
        raise BatchError(
            f"the journal {journal} can't be read ({error}); delete it to pay for all of it again"
        ) from error
    return Usage(calls, prompt, completion, cost)
