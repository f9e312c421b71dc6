"""Makers of logs: events through the real emitter into a real file, and lines as another program could write them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from agent.events import bind, configure_logging, emit
from agent.settings.settings import load


def line(event: str, **fields: object) -> bytes:
    """One line of a log."""
    return json.dumps({"event": event, "level": "info", "timestamp": "2026-11-22T12:00:00Z", **fields}).encode() + b"\n"


def ids(run: str, question: str | None = None) -> dict[str, str]:
    return {"run_id": run, "question_id": question or run}


def retrieved(
    kept: int = 5, unique_added: int = 3, dropped: Mapping[str, int] | None = None, **more: object
) -> dict[str, Any]:
    """The fields of `subquery.retrieved` that are counted."""
    numbers = {"rounds": 1, "fetched": 48, "kept": kept, "unique_added": unique_added, "ms": 10.0}
    return {**numbers, "dropped": dict(dropped or {}), **more}


def answered(stop_reason: str = "complete", ms: float = 100.0, cost: float = 0.0, **more: object) -> dict[str, Any]:
    """The fields of `answer.completed` that are counted."""
    usage = {"llm_calls": int(cost > 0), "prompt_tokens": 10 * (cost > 0), "completion_tokens": 0, "cost_usd": cost}
    return {"stop_reason": stop_reason, "unanswered": [], "usage": usage, "timings_ms": {"total": ms}, **more}


def ask(folder: Path, run: str, question: str, searched: Sequence[Mapping[str, object]] = (), **end: object) -> None:
    """Log a question with its sub-queries and its end, as an agent does."""
    settings = load({"log_dir": folder, "log_level": "debug"})
    with configure_logging(settings), bind(run_id=run, question_id=run):
        emit("question.received", {"question": question, "chars": len(question)})
        for number, fields in enumerate(searched, 1):
            with bind(sub_query=f"q{number}"):
                emit("subquery.retrieved", fields)
        emit("answer.completed", answered(**end))  # type: ignore[arg-type]


def events_in(folder: Path) -> list[dict[str, Any]]:
    """All events of a folder's files, in the order of the files' names."""
    return [json.loads(each) for file in sorted(folder.glob("*.jsonl")) for each in file.read_bytes().splitlines()]


def remove(path: Path) -> None:
    with suppress(FileNotFoundError):
        path.unlink()


def nearest_rank(values: Sequence[float], percent: int) -> Any:
    """A percentile as the figures may tell it: off by one percent, and then rounded to a thousandth of a millisecond.

    The two errors add up; `approx` with `rel` and `abs` would allow for the larger one alone.
    """
    exact = sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]
    return pytest.approx(exact, rel=0, abs=0.0101 * exact + 0.0006)
