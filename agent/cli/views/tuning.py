"""Tuned cuts as a table, as lines for `versus.toml`, and as JSON, with a verdict whether they are worth using."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from agent.cli.views.evaluation import MEASURES, cells, numbers
from agent.evaluation.tuning import GRID, Halves, Tuned
from agent.render.table_layout import Sheet
from agent.render.terminal import heading
from agent.render.words import counted
from agent.settings.settings import POLICY_FIELDS
from retrieval.types import Policy

_NAMES = {policy: setting for setting, policy in POLICY_FIELDS.items()}


def tuned_view(tuned: Tuned, path: str, collection: str) -> RenderableType:
    """Return the figures on both halves, the verdict, the lines for `versus.toml`, and the cost."""
    learned, held_out = tuned.questions
    what = f"{counted(learned + held_out, 'question')} of {Path(path).name}, collection {collection}"
    lines = [Text(line) for line in (["", *toml_lines(tuned)] if tuned.changes else [])]
    halves = Text(f"learned on {learned}, held out {held_out}: every second question", style="dim")
    return Group(
        heading(what), halves, Text(), _figures(tuned), Text(), Text(verdict(tuned)), *lines, Text(), *_notes(tuned)
    )


def tuned_data(tuned: Tuned, path: str, collection: str) -> dict[str, Any]:
    """Return the same as JSON."""
    learned, held_out = tuned.questions
    return {
        "questions_file": path,
        "collection": collection,
        "questions": {"learned": learned, "held_out": held_out},
        "in_force": _halves(tuned.in_force),
        "best": _halves(tuned.best),
        "changes": {_NAMES[name]: value for name, value in tuned.changes.items()},
        "is_better": tuned.is_better,
        "verdict": verdict(tuned),
        "versus_toml": "".join(f"{line}\n" for line in toml_lines(tuned)),
        "cost": {"searches": tuned.cost.searches, "tried": tuned.cost.tried, "seconds": round(tuned.cost.seconds, 3)},
        "failed_sub_queries": tuned.failed,
        "unmatched": tuned.unmatched,
    }


def verdict(tuned: Tuned) -> str:
    """Return in a sentence whether the best numbers are worth using."""
    if not tuned.changes:
        return "The settings in force are as good as any that were tried: change nothing."
    if not tuned.is_better:
        return "On the questions held out the settings in force are as good: keep them. The best on the learned half:"
    return "Better on both halves. For versus.toml:"


def toml_lines(tuned: Tuned) -> list[str]:
    """Return the numbers that differ from those in force, as lines of `versus.toml`."""
    return [f"{_NAMES[name]} = {value:g}" for name, value in tuned.changes.items()]


def _figures(tuned: Tuned) -> Sheet:
    table = Sheet("settings", "half", *MEASURES)
    for name, halves in (("in force", tuned.in_force), ("best found", tuned.best)):
        table.add(Text(name, style="cyan"), "learned", *cells(halves.learned))
        table.add("", "held out", *cells(halves.held_out))
    return table


def _notes(tuned: Tuned) -> Iterator[Text]:
    cost = tuned.cost
    searched = f"{counted(cost.searches, 'search')} in {cost.seconds:.1f} s"
    yield Text(f"cost: {searched}; {cost.tried} settings tried on the candidates at hand", style="dim")
    if tuned.unmatched:
        fit = f"no chunk of this collection fits {counted(tuned.unmatched, 'wanted entry')}"
        yield Text(f"{fit}, counted as not found; versus eval without --tune names them", style="yellow")
    if tuned.failed:
        failed = counted(tuned.failed, "sub-query")
        yield Text(f"{failed} failed, so these numbers are too low; see the log", style="red")


def _halves(halves: Halves) -> dict[str, Any]:
    scores = {"learned": numbers(halves.learned), "held_out": numbers(halves.held_out)}
    return {"settings": _settings(halves.policy), **scores}


def _settings(policy: Policy) -> dict[str, float]:
    return {_NAMES[name]: getattr(policy, name) for name in GRID}
