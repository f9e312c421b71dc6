"""An evaluation as tables and as JSON: first the means, then which entries were lost, and at which stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from agent.escape import one_line
from agent.evaluation.scores import Evaluation, Judged, Score
from agent.render.table_layout import Sheet
from agent.render.terminal import heading
from agent.render.words import counted

SHOWN = 20
"""Most lost entries that are listed; the JSON has all."""

MEASURES = ("chunks>", "precision>", "recall>", "F1>")
_MEANING = {
    "plain": "whole question, top {depth}",
    "planned": "sub-queries, no filter",
    "screen": "left by the screens",
    "threshold": "relevant enough",
    "gap": "before the gap",
    "follow-up": "with the second look",
    "fusion": "what an answer rests on",
}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An evaluation with its subject: the file, the collection, the depth of plain retrieval."""

    evaluation: Evaluation
    questions: str
    collection: str
    depth: int
    skipped: int = 0


def evaluation_view(done: Evaluated) -> RenderableType:
    """Return the means by stage and by way, then the missed entries, and those that can't be found at all."""
    judged = done.evaluation.judged
    what = f"{counted(len(judged), 'question')} of {Path(done.questions).name}, collection {done.collection}"
    without = f"skipped: {counted(done.skipped, 'question')} without wanted entries"
    skipped = [Text(without, style="dim")] if done.skipped else []
    tables = (Text(), _stages(done), Text(), _ways(done))
    return Group(heading(what), *skipped, *tables, *_losses(judged), *_notes(judged))


def evaluation_data(done: Evaluated) -> dict[str, Any]:
    """Return the same as JSON, with every question."""
    evaluation = done.evaluation
    return {
        "questions_file": done.questions,
        "collection": done.collection,
        "depth": done.depth,
        "questions": len(evaluation.judged),
        "skipped": done.skipped,
        "stages": {stage: numbers(score) for stage, score in evaluation.stages.items()},
        "ways": {way: _timed(score, evaluation.ms[way]) for way, score in evaluation.ways.items()},
        "results": [_result(judged) for judged in evaluation.judged],
    }


def _stages(done: Evaluated) -> Sheet:
    table = Sheet("stage", *MEASURES, "")
    for stage, score in done.evaluation.stages.items():
        meaning = Text(_MEANING[stage].format(depth=done.depth), style="dim")
        table.add(Text(stage, style="cyan"), *cells(score), meaning)
    return table


def _ways(done: Evaluated) -> Sheet:
    evaluation = done.evaluation
    table = Sheet("way", *MEASURES, "median ms>")
    for way, score in evaluation.ways.items():
        table.add(Text(way, style="cyan"), *cells(score), f"{evaluation.ms[way]:.0f}")
    return table


def _losses(judged: Sequence[Judged]) -> Iterator[RenderableType]:
    """Yield a table of the wanted entries that were lost, by the stage that lost them."""
    order = [*_MEANING, None]
    found = [(loss, one.case.id) for one in judged for loss in one.losses]
    if not found:
        return
    table = Sheet("lost at", "question", "in the end", "wanted")
    for loss, id_ in sorted(found, key=lambda pair: (pair[0].found_again, order.index(pair[0].stage)))[:SHOWN]:
        end = Text("found again", style="green") if loss.found_again else Text("missing", style="red")
        table.add(loss.stage or "never found", one_line(id_), end, one_line(loss.wanted))
    yield from (Text(), table)
    yield from _rest(len(found))


def _notes(judged: Sequence[Judged]) -> Iterator[RenderableType]:
    unmatched = [(one.case, entry) for one in judged for entry in one.unmatched]
    if unmatched:
        fit = f"no chunk of this collection fits {counted(len(unmatched), 'wanted entry')}, counted as not found:"
        yield from (Text(), Text(fit, style="yellow"))
        for case, entry in unmatched[:SHOWN]:
            yield Padding(Text(f"line {case.line}, {one_line(case.id)}: {one_line(entry)}"), (0, 0, 0, 2), expand=False)
        yield from _rest(len(unmatched))
    failed = sum(one.failed for one in judged)
    if failed:
        yield Text(f"{counted(failed, 'sub-query')} failed, so these numbers are too low; see the log", style="red")


def _rest(count: int) -> Iterator[Text]:
    if count > SHOWN:
        yield Text(f"and {count - SHOWN} more; --json has all", style="dim")


def _result(one: Judged) -> dict[str, Any]:
    return {
        "id": one.case.id,
        "line": one.case.line,
        "question": one.case.question,
        "stages": {stage: numbers(score) for stage, score in one.stages.items()},
        "ways": {way: _timed(score, one.ms[way]) for way, score in one.ways.items()},
        "lost": [{"wanted": o.wanted, "stage": o.stage, "found_again": o.found_again} for o in one.losses],
        "unmatched": list(one.unmatched),
        "failed_sub_queries": one.failed,
    }


def numbers(score: Score) -> dict[str, float]:
    """Return a score as JSON."""
    return {name: round(value, 4) for name, value in asdict(score).items()}


def _timed(score: Score, ms: float) -> dict[str, float]:
    return {**numbers(score), "ms": round(ms, 3)}


def cells(score: Score) -> tuple[str, ...]:
    """Return a score as a table row, under `MEASURES`."""
    return f"{score.chunks:.1f}", *(f"{value:.2f}" for value in (score.precision, score.recall, score.f1))
