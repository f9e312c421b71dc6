"""The progress and the result of a batch, for people and for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from agent.batch.tally import Ending, Tally
from agent.escape import one_line
from agent.render.table_layout import grid
from agent.render.words import counted

_ENDINGS: dict[Ending, str] = {
    "complete": "complete",
    "interrupted": "interrupted",
    "questions": "stopped at the limit of questions (--max-questions)",
    "budget": "stopped at the limit of costs (--max-cost)",
    "refused": "stopped: the language model refuses to answer",
    "failed": "stopped by an error",
}


def progress_data(tally: Tally) -> dict[str, Any]:
    """Return one line of `--json`: the progress of the batch."""
    return {"event": "progress", **_counts(tally)}


def summary_data(tally: Tally, ending: Ending, output: Path) -> dict[str, Any]:
    """Return the last line of `--json`; `ending` is `complete` or why the batch stopped."""
    usage = tally.spent()
    return {
        "event": "summary",
        "ending": ending,
        **_counts(tally),
        "copied": tally.copied,
        "earlier": tally.earlier,
        "errors": dict(tally.errors),
        "notes": list(tally.notes),
        "seconds": round(tally.seconds, 3),
        "llm_calls": usage.llm_calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "output": str(output),
    }


def progress_line(tally: Tally) -> str:
    """Return the text beside the bar.

    >>> progress_line(Tally(failed=2))
    '0.0/s · 2 failed'
    """
    left = tally.seconds_left
    parts = [f"{tally.rate:.1f}/s"]
    parts += [f"{_duration(left)} left"] if left is not None else []
    parts += [f"${tally.cost_usd:.2f}"] if tally.spent().llm_calls else []
    parts += [f"{tally.failed} failed"] if tally.failed else []
    return " · ".join(parts)


def summary_view(tally: Tally, ending: Ending, output: Path) -> RenderableType:
    """Return a table of the results, with advice on resuming an incomplete batch."""
    table = grid(2, gap=2)
    for name, value in _rows(tally, output):
        table.add_row(Text(name), Text(one_line(value)))
    end = Text(_ENDINGS[ending], style="green" if ending == "complete" else "yellow")
    return Group(table, end, *_advice(tally, ending))


def _rows(tally: Tally, output: Path) -> list[tuple[str, str]]:
    usage = tally.spent()
    kinds = ", ".join(f"{number} {kind}" for kind, number in tally.errors.most_common())
    rows = [
        ("answered", str(tally.answered)),
        ("answered in part", str(tally.in_part)),
        ("failed", f"{tally.failed} ({kinds})" if kinds else str(tally.failed)),
    ]
    if tally.total is not None and tally.total != tally.done:
        rows.append(("left", str(tally.total - tally.done)))
    rows += [("asked once", counted(tally.copied, "copy"))] if tally.copied else []
    rows += [("from earlier runs", str(tally.earlier))] if tally.earlier else []
    if usage.llm_calls:
        tokens = usage.prompt_tokens + usage.completion_tokens
        rows.append(
            ("language model", f"{counted(usage.llm_calls, 'call')}, {counted(tokens, 'token')}, ${usage.cost_usd:.4f}")
        )
    if tally.started is not None:
        rows.append(("time", f"{_duration(tally.seconds)}, {tally.rate:.1f} questions a second"))
    return [*rows, *(("note", note) for note in tally.notes), ("output", str(output))]


def _advice(tally: Tally, ending: Ending) -> list[Text]:
    if ending != "complete":
        return [Text("give the same command again to go on where it stopped", style="dim")]
    if tally.failed:
        return [Text("--retry-failed asks the failed ones again", style="dim")]
    return []


def _counts(tally: Tally) -> dict[str, Any]:
    left = tally.seconds_left
    return {
        "done": tally.done,
        "total": tally.total,
        "answered": tally.answered,
        "in_part": tally.in_part,
        "failed": tally.failed,
        "rate": round(tally.rate, 3),
        "seconds_left": None if left is None else round(left, 1),
        "cost_usd": round(tally.cost_usd, 6),
    }


def _duration(seconds: float) -> str:
    """Return a duration as people write it.

    >>> _duration(5), _duration(3723)
    ('5 s', '1 h 02 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"
