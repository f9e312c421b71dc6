"""The fields of a batch's events: which record was written, how far the batch is, how it ended."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from agent.batch.records import Record, status_of
from agent.batch.tally import Ending, Tally

Fields = dict[str, Any]


def recorded_fields(record: Record) -> Fields:
    """Return the fields of `batch.recorded`.

    >>> recorded_fields({"line": 2, "id": "line-2", "error": {"type": "QuestionError", "message": "no JSON"}})
    {'line': 2, 'id': 'line-2', 'status': 'failed', 'same_as': None, 'error': 'QuestionError'}
    """
    error = record["error"]["type"] if "error" in record else None
    named = {"line": record["line"], "id": record["id"], "status": status_of(record)}
    return {**named, "same_as": record.get("same_as"), "error": error}


def progress_fields(tally: Tally) -> Fields:
    """Return the fields of `batch.progress`; `rate` is records per second."""
    return {**_counts(tally), "rate": round(tally.rate, 3)}


def completed_fields(tally: Tally, ending: Ending, output: Path) -> Fields:
    """Return the fields of `batch.completed`."""
    more = {"copies": tally.copied, "seconds": round(tally.seconds, 3), "notes": list(tally.notes)}
    return {"output": os.path.realpath(output), "ending": ending, **_counts(tally), **more}


def _counts(tally: Tally) -> Fields:
    counts = {"answered": tally.answered, "in_part": tally.in_part, "failed": tally.failed}
    return {"done": tally.done, "total": tally.total, **counts, "cost_usd": round(tally.cost_usd, 6)}
