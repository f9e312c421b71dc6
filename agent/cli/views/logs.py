"""The output of `versus logs`: the summary of a log as screens and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from agent.escape import one_line
from agent.monitoring.batches import BatchRun, Records
from agent.monitoring.checks import Check, worst
from agent.monitoring.histogram import Histogram
from agent.monitoring.summary import EndedQuestion, Run, Summary
from agent.monitoring.tally import STAGES, Tally
from agent.render.table_layout import Sheet
from agent.render.terminal import heading
from agent.render.words import counted

SHOWN = 10
"""Most needs, rules and runs on a screen; the JSON has a hundred needs and all runs that are kept."""
_COLOURS = {"good": "green", "warning": "yellow", "critical": "bold red", "no data": "dim"}
_QUESTION = 60


def summary_data(summary: Summary, checks: Sequence[Check]) -> dict[str, Any]:
    """Return the summary as an object; durations in milliseconds, percentiles within one percent."""
    return {
        "level": worst(tuple(checks)),
        "checks": [_check_data(check) for check in checks],
        "events": summary.events,
        "events_not_wanted": summary.not_wanted,
        "from": summary.first or None,
        "to": summary.last or None,
        **_tally_data(summary.total, summary.unfinished),
        "outcomes": dict(summary.outcomes.most(100)),
        "models": {name: asdict(spent) for name, spent in summary.models.items()},
        "unanswered": [{"need": need, "count": count} for need, count in summary.needs.most(100)],
        "unanswered_error": summary.needs.error,
        "slowest": [asdict(ended) for ended in summary.slowest],
        "costliest": [asdict(ended) for ended in summary.costliest],
        "warnings_and_errors": dict(summary.troubles.most(100)),
        "broken_lines": {"count": summary.broken, "first": [asdict(broken) for broken in summary.broken_first]},
        "runs": [_run_data(run) for run in _latest(summary)],
        "runs_not_listed": summary.runs_forgotten,
        "records": _records_data(summary.batches.records),
        "batches": [_batch_data(batch) for batch in reversed(summary.batches.latest.values())],
        "batches_not_listed": summary.batches.forgotten,
    }


def summary_view(summary: Summary, checks: Sequence[Check]) -> RenderableType:
    """Return the summary for people: the questions, the checks, then the details."""
    judged = Group(_checks(checks), *_advice(checks))
    parts = [judged, _latency(summary.total), _chunks(summary.total), *_models(summary), *_lists(summary)]
    parts += _batches(summary)
    return Group(_head(summary), *_apart([*parts, *_runs(summary), *_broken(summary)]))


def live_view(summary: Summary, checks: Sequence[Check]) -> RenderableType:
    """Return the summary on one screen, for watching."""
    notable = [check for check in checks if check.level in ("warning", "critical")]
    state = Text(f"{worst(tuple(checks))}", style=_COLOURS[worst(tuple(checks))]).append(" · Ctrl-C ends", style="dim")
    return Group(
        _head(summary),
        state,
        *_advice(notable),
        *_apart([_latency(summary.total), *_batches(summary), *_runs(summary)]),
    )


def _apart(parts: Iterable[RenderableType]) -> Iterator[RenderableType]:
    for part in parts:
        yield from (Text(), part)


def _tally_data(tally: Tally, unfinished: int | None = None) -> dict[str, Any]:
    questions = {"answered": tally.answered, "in_part": tally.in_part, "failed": tally.failed}
    questions |= {"stopped": tally.stopped, "searched": tally.searched}
    whole = {} if unfinished is None else {"unfinished": unfinished}
    return {
        "questions": {"total": tally.ended + (unfinished or 0), **questions, **whole},
        "latency_ms": {stage: _percentiles(tally.latency[stage]) for stage in STAGES if stage in tally.latency},
        "llm": {**asdict(tally.spent), "retries": tally.retries, "failures": tally.llm_failures},
        "planner_fallbacks": tally.fallbacks,
        "sub_queries": {
            "total": tally.sub_queries,
            "failed": tally.sub_queries_failed,
            "skipped": tally.sub_queries_skipped,
            "rounds": tally.rounds,
            "fetched": tally.fetched,
            "kept": tally.kept,
            "filtered": tally.filtered,
            "unique_added": tally.unique_added,
            "kept_one": tally.kept_one,
            "kept_none": tally.kept_none,
            "unique_none": tally.unique_none,
        },
        "per_sub_query": {
            name: _rounded(count / tally.sub_queries) if tally.sub_queries else None
            for name, count in (
                ("kept", tally.kept),
                ("filtered", tally.filtered),
                ("unique_added", tally.unique_added),
            )
        },
        "dropped": dict(tally.dropped.most(100)),
    }


def _percentiles(durations: Histogram) -> dict[str, float | int | None]:
    ranks = {f"p{percent}": _rounded(durations.percentile(percent)) for percent in (50, 95, 99)}
    return {"count": durations.count, "mean": _mean(durations), **ranks, "max": _rounded(durations.largest)}


def _mean(durations: Histogram) -> float | None:
    return _rounded(durations.total / durations.count) if durations.count else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _check_data(check: Check) -> dict[str, Any]:
    limits = {"warning": check.limits.warning, "critical": check.limits.critical}
    advice = {"measures": check.measures, "advice": check.advice}
    return {"name": check.name, "level": check.level, "value": _rounded(check.value), **limits, **advice}


def _run_data(run: Run) -> dict[str, Any]:
    times = {"from": run.first or None, "to": run.last or None}
    return {"run_id": run.run_id, **times, "question": run.question, **_tally_data(run.tally)}


def _records_data(records: Records) -> dict[str, Any]:
    counts = {"answered": records.answered, "in_part": records.in_part, "failed": records.failed}
    return {"total": records.total, **counts, "errors": dict(records.errors.most(100)), "copies": records.copies}


def _batch_data(batch: BatchRun) -> dict[str, Any]:
    times = {"from": batch.first or None, "to": batch.last or None}
    end = {"ending": batch.ending or None, "output": batch.output or None}
    return {"batch_id": batch.batch_id, **times, **end, **_records_data(batch.records), "whole": dict(batch.whole)}


def _head(summary: Summary) -> RenderableType:
    total, spent = summary.total, summary.total.spent
    questions = counted(total.ended + summary.unfinished, "question")
    ends = [f"{total.answered:,} answered", f"{total.in_part:,} in part", f"{total.failed:,} failed"]
    ends += [f"{total.stopped:,} stopped"] if total.stopped else []
    ends += [f"{total.searched:,} searched only"] if total.searched else []
    ends += [f"{summary.unfinished:,} unfinished"] if summary.unfinished else []
    line = Text(f"{counted(summary.events, 'event')}, {_between(summary)}", style="dim")
    tokens = counted(spent.prompt_tokens + spent.completion_tokens, "token")
    calls = f"{counted(spent.calls, 'model call')}, {tokens}, "
    calls += f"${spent.cost_usd:,.4f}, {counted(total.retries, 'retry')}"
    return Group(heading(f"{questions}: {', '.join(ends)}"), line, Text(calls, style="dim"))


def _between(summary: Summary) -> str:
    """Return the time range of the events, or why there are none."""
    if summary.events:
        between = f"{_moment(summary.first)} to {_moment(summary.last)} UTC"
        return between if summary.last else "without a time"
    why = [f"none of {counted(summary.not_wanted, 'event')} matches"] if summary.not_wanted else []
    why += [f"none of {counted(summary.broken, 'line')} is an event"] if summary.broken else []
    older = f"{counted(summary.older_files, 'file')} {'is' if summary.older_files == 1 else 'are'} older"
    why += [older] if summary.older_files else []
    return "; ".join(why) or "the log is empty"


def _checks(checks: Iterable[Check]) -> RenderableType:
    table = Sheet("check", "state", "value>", "warning>", "critical>", "what is measured")
    for check in checks:
        value = "" if check.value is None else f"{check.value:,.4g}"
        limits = [_limit(check.limits.warning), _limit(check.limits.critical)]
        table.add(check.name, Text(check.level, style=_COLOURS[check.level]), value, *limits, check.measures)
    return table


def _advice(checks: Iterable[Check]) -> list[Text]:
    notable = (check for check in checks if check.level in ("warning", "critical"))
    return [Text.assemble((f"{check.name}: ", _COLOURS[check.level]), check.advice) for check in notable]


def _latency(tally: Tally) -> RenderableType:
    table = Sheet("stage", "count>", "mean ms>", "p50>", "p95>", "p99>", "max>")
    for stage in STAGES:
        if durations := tally.latency.get(stage):
            ranks = (durations.percentile(percent) or 0 for percent in (50, 95, 99))
            numbers = (f"{ms:,.1f}" for ms in (durations.total / durations.count, *ranks, durations.largest))
            table.add(stage.replace("_", "-"), f"{durations.count:,}", *numbers)
    return table


def _chunks(tally: Tally) -> RenderableType:
    each = max(1, tally.sub_queries)
    table = Sheet("chunks", "all>", "per sub-query>")
    counts = {"fetched": tally.fetched, "kept": tally.kept, "unique added": tally.unique_added}
    counts["filtered (not near enough)"] = tally.filtered
    dropped = {f"dropped by {one_line(rule)}": count for rule, count in tally.dropped.most(SHOWN) if count}
    for name, count in {**counts, **dropped}.items():
        table.add(name, f"{count:,}", f"{count / each:,.2f}")
    missing = f", {tally.sub_queries_failed:,} failed, {tally.sub_queries_skipped:,} skipped"
    return Group(table, Text(f"{counted(tally.sub_queries, 'sub-query')} retrieved{missing}", style="dim"))


def _models(summary: Summary) -> Iterator[RenderableType]:
    if not summary.models:
        return
    table = Sheet("model", "calls>", "prompt tokens>", "completion tokens>", "cost>")
    for name, spent in summary.models.items():
        tokens = f"{spent.prompt_tokens:,}", f"{spent.completion_tokens:,}"
        table.add(one_line(name) or "?", f"{spent.calls:,}", *tokens, f"${spent.cost_usd:,.4f}")
    yield table


def _lists(summary: Summary) -> Iterator[RenderableType]:
    if needs := summary.needs.most(SHOWN):
        table = Sheet("not found", "times>")
        for need, count in needs:
            table.add(Text(one_line(need)), f"{count:,}")
        yield table
    yield from _ranking("slowest", summary.slowest)
    yield from _ranking("costliest", summary.costliest)
    if troubles := summary.troubles.most(SHOWN):
        text = ", ".join(f"{one_line(name)} {count:,}" for name, count in troubles)
        yield Text(f"warnings and errors: {text}", style="yellow")


def _ranking(name: str, ranked: Sequence[EndedQuestion]) -> Iterator[RenderableType]:
    if not ranked:
        return
    table = Sheet(name, "ms>", "cost>", "outcome", "question")
    for ended in ranked[: SHOWN // 2]:
        numbers = f"{ended.ms:,.0f}", f"${ended.cost_usd:,.4f}"
        table.add(Text(_id(ended)), *numbers, one_line(ended.outcome), Text(_short(ended.question)))
    yield table


def _id(ended: EndedQuestion) -> str:
    same = ended.question_id == ended.run_id
    return one_line(ended.run_id[:8] if same else f"{ended.run_id[:8]} {ended.question_id}")


def _latest(summary: Summary) -> list[Run]:
    return sorted(summary.runs.values(), key=lambda run: run.last, reverse=True)


def _batches(summary: Summary) -> Iterator[RenderableType]:
    if not summary.batches.latest:
        return
    table = Sheet("batch", "last seen", "ending", "written>", "answered>", "in part>", "failed>", "copies>", "whole>")
    batches = list(reversed(summary.batches.latest.values()))
    for batch in batches[:SHOWN]:
        written, whole = batch.records, batch.whole
        counts = (written.total, written.answered, written.in_part, written.failed, written.copies)
        of = f" of {whole['total']:,}" if "total" in whole else ""
        numbers = *(f"{count:,}" for count in counts), f"{whole.get('done', 0):,}{of}"
        names = one_line(batch.batch_id[:8]), _moment(batch.last), one_line(batch.ending[: SHOWN * 2])
        table.add(*names, *numbers)
    hidden = len(batches[SHOWN:]) + summary.batches.forgotten
    text = ", ".join(f"{one_line(kind)} {count:,}" for kind, count in summary.batches.records.errors.most(SHOWN))
    lines = [f"failed records: {text}"] if text else []
    lines += [f"and {counted(hidden, 'earlier batch')}"] if hidden else []
    yield Group(table, *(Text(line, style="dim") for line in lines))


def _runs(summary: Summary) -> Iterator[RenderableType]:
    if not summary.runs:
        return
    table = Sheet(
        "run", "last seen", "questions>", "in part>", "failed>", "kept>", "cost>", "p50 ms>", "latest question"
    )
    for run in _latest(summary)[:SHOWN]:
        tally, total = run.tally, run.tally.latency.get("total", Histogram())
        counts = (f"{count:,}" for count in (tally.finished, tally.in_part, tally.failed, tally.kept))
        numbers = *counts, f"${tally.spent.cost_usd:,.4f}", f"{total.percentile(50) or 0:,.0f}"
        names = Text(one_line(run.run_id[:8])), _moment(run.last)
        table.add(*names, *numbers, Text(_short(run.question)))
    hidden = len(summary.runs) - SHOWN + summary.runs_forgotten
    yield Group(table, *([Text(f"and {counted(hidden, 'earlier run')}", style="dim")] if hidden > 0 else []))


def _broken(summary: Summary) -> Iterator[RenderableType]:
    lines = [f"{broken.file}:{broken.line}: {broken.reason}" for broken in summary.broken_first]
    if (hidden := summary.broken - len(lines)) > 0:
        lines.append(f"and {counted(hidden, 'broken line')} more")
    if lines:
        yield Group(*(Text(one_line(line), style="yellow") for line in lines))


def _limit(limit: float | None) -> str:
    return "never" if limit is None else f"{limit:,g}" if limit else "any"


def _moment(timestamp: str) -> str:
    return one_line(timestamp[:19].replace("T", " "))


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _QUESTION else f"{line[:_QUESTION]}…"
